-- Whoever reads a CSV file may count its columns: files that exist keep theirs.
alter table channel_file add column has_list_prices boolean not null default false;
comment on column channel_file.has_list_prices is 'whether a CSV file has the column compare_at_price: files that were created before it have not';
