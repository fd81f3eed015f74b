-- Safety of imports, and what products lack.

-- What an import of a supplier may do without being confirmed, as shares of 1.
alter table supplier add column zeroed_share_max numeric(5, 4) not null default 0.5;
alter table supplier add column refused_share_max numeric(5, 4) not null default 0.25;
alter table supplier add column prices_lost_share_max numeric(5, 4) not null default 0.5;
alter table supplier add column prices_zero_share_max numeric(5, 4) not null default 0.05;
alter table supplier add column silent_days_max integer;
alter table supplier add constraint supplier_import_shares check (zeroed_share_max between 0 and 1 and refused_share_max between 0 and 1
  and prices_lost_share_max between 0 and 1 and prices_zero_share_max between 0 and 1);
alter table supplier add constraint supplier_silent_days check (silent_days_max between 1 and 3650);
comment on column supplier.zeroed_share_max is 'an import that would set more than this share of the offers in stock to 0 is held until it is confirmed';
comment on column supplier.refused_share_max is 'the same for rows that are refused';
comment on column supplier.prices_lost_share_max is 'the same for costs that would be known no longer';
comment on column supplier.prices_zero_share_max is 'the same for costs that would become 0';
comment on column supplier.silent_days_max is 'after so many days without an import or a written offer the supplier is a finding; null: never';

-- Apart from the supplier, whose row writers of offers lock.
create table supplier_heard (
  account_id bigint not null,
  supplier_id bigint not null,
  heard_at timestamptz not null,
  primary key (account_id, supplier_id)
);
select distribute_table('supplier_heard');
alter table supplier_heard add foreign key (account_id, supplier_id) references supplier (account_id, supplier_id);
-- known suppliers are silent from now on
insert into supplier_heard (account_id, supplier_id, heard_at) select account_id, supplier_id, now() from supplier;
comment on table supplier_heard is 'when a supplier was last heard of: an import that came to its end, or written offers, to the hour';

alter table offer add column stale_since timestamptz;
create index offer_stale on offer (account_id, supplier_id, supplier_sku) where stale_since is not null;
comment on column offer.stale_since is 'when an import first had a row of it, or perhaps of it, that could not be read: it has kept what it had since';

-- What a product lacks in a store, as bits (src/model/gaps.ts), searched by their values.
alter table payload_content add column gaps smallint not null default 0;
alter table payload_price add column gaps smallint not null default 0;
create index payload_content_gaps on payload_content (account_id, store_id, gaps, product_id) where gaps > 0;
create index payload_price_gaps on payload_price (account_id, store_id, gaps, product_id) where gaps > 0;
comment on column payload_content.gaps is 'what the product lacks there: 1 a title, 2 an image, 4 a category';
comment on column payload_price.gaps is 'what the product lacks there: 1 a price, 2 a price above 0';

alter table payload_block add column no_title integer not null default 0;
alter table payload_block add column no_image integer not null default 0;
alter table payload_block add column no_category integer not null default 0;
alter table payload_block add column no_price integer not null default 0;
alter table payload_block add column price_zero integer not null default 0;
comment on column payload_block.no_title is 'payloads of the block without a title, written with them; the others likewise';
