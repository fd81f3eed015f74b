-- As with list prices: files that exist keep their columns.
alter table channel_file add column has_sales boolean not null default false;
comment on column channel_file.has_sales is 'whether a CSV file has the columns of sales: files that were created before them have not';
