-- A dry run keeps what it would change, offer by offer.

alter table import_run_change add column after jsonb;
comment on column import_run_change.after is 'of a dry run: the same part of the offer as it would be; null: there would be none, or the run was no dry run';
