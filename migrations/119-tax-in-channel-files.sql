-- Whoever reads a CSV file may count its columns: files that exist keep theirs.
alter table channel_file add column has_tax boolean not null default false;
comment on column channel_file.has_tax is 'whether a CSV file has the columns tax_included, tax_rate and tax_class: files that were created before them have not';
