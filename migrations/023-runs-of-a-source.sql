-- Runs of one source, newest first: the panel lists them.
create index import_run_by_source on import_run (account_id, source_id, run_id) where source_id is not null;
