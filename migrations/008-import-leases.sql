-- One import per supplier at a time, by a lease instead of a session's advisory lock: behind a pooler that hands connections out by
-- transaction a session lock is nobody's.

create table import_lease (
  account_id bigint not null,
  supplier_id bigint not null,
  holder_id uuid not null,
  expires_at timestamptz not null,
  primary key (account_id, supplier_id),
  foreign key (account_id, supplier_id) references supplier (account_id, supplier_id)
);
comment on table import_lease is 'the import that is running, per supplier; locked by each of its pages to their commit';
comment on column import_lease.holder_id is 'drawn by each import; a page of another one is not written';
comment on column import_lease.expires_at is 'renewed while the import runs; after it another import may take the lease';
