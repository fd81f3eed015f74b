-- A run that ends the process that works on it is set aside after the second time: it is not begun again and again.
alter table import_run add column interruptions smallint not null default 0;
comment on column import_run.interruptions is
  'how often a process ended while it read or wrote the run, since its last page was written; with the second time it is set aside';
create index import_run_set_aside on import_run (account_id, supplier_id, run_id) where interruptions >= 2;
