-- Whoever reads a CSV file may count its columns: files that exist keep theirs.
alter table channel_file add column has_unit_prices boolean not null default false;
comment on column channel_file.has_unit_prices is 'whether a CSV file has the columns net_content, unit_price and unit_price_per: files that were created before them have not';
