-- Whoever reads a CSV file may count its columns: files that exist keep theirs.
alter table channel_file add column has_tiers boolean not null default false;
comment on column channel_file.has_tiers is 'whether a CSV file has the column tiers: files that were created before it have not';
