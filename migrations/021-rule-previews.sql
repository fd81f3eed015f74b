-- Operations that look at what a change of rules would do to every product, and write nothing.

alter table operation drop constraint operation_kind_check;
alter table operation add constraint operation_kind_check check (
  kind in ('bulk_offers', 'bulk_prices', 'bulk_stock', 'bulk_overrides', 'bulk_exclusions', 'resolve', 'delete_store', 'delete_supplier', 'preview'));
comment on table operation_chunk is 'rows that wait to be written, taken away in the transaction that writes them; of a preview its counts and its change, which stay';
