-- When the last whole backup of the installation was made. It is in the database itself, so a restored one knows none that was made after its own moment.
-- On Citus only the coordinator has it.

create table last_backup (
  last_backup_key smallint not null default 1,
  ended_at timestamptz not null,
  place text not null,
  bytes bigint,
  seconds double precision
);
comment on table last_backup is 'the last whole backup that this database knows of; one row at the most';
comment on column last_backup.ended_at is 'the moment that it restores to';
comment on column last_backup.place is 'where it is, without credentials';
comment on column last_backup.bytes is 'its size; null: not known';
comment on column last_backup.seconds is 'how long it took; null: not known';
alter table last_backup add constraint last_backup_pkey primary key (last_backup_key);
alter table last_backup add constraint last_backup_one check (last_backup_key = 1);
alter table last_backup add constraint last_backup_place check (length(place) between 1 and 4096);
alter table last_backup add constraint last_backup_amounts check (bytes >= 0 and seconds >= 0);
