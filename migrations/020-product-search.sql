-- Finding products as one types: what a product is found by, kept by the shelver; and the operation that excludes many products.

create table product_search (
  account_id bigint not null,
  product_id bigint not null,
  tag text not null,
  words tsvector not null,
  sku_key text collate "C" not null,
  title_key text collate "C" not null,
  in_stock boolean not null,
  primary key (account_id, product_id)
) with (fillfactor = 90);
select distribute_table('product_search');
alter table product_search add foreign key (account_id) references account;
create index product_search_words on product_search using gin (words) with (gin_pending_list_limit = 1024);
create index product_search_sku on product_search (account_id, sku_key, product_id);
create index product_search_title on product_search (account_id, title_key, product_id);
comment on table product_search is 'what a product is found by in the panel; written when it is shelved, and only where it differs';
comment on column product_search.tag is '96 bits of SHA-512 of words and keys: compared when shelving';
comment on column product_search.words is 'each with the account in front, because one index holds all accounts: words of titles, SKUs, EANs and the manufacturer; and manufacturer, categories and suppliers as they are filtered by';
comment on column product_search.sku_key is 'exported SKU as it is sorted by; ~ without one';
comment on column product_search.title_key is 'title in the account''s locale, else in the first that has one, as it is sorted by; ~ without one';
comment on column product_search.in_stock is 'apart from the words, so that a change of stock does not touch an index';

-- Whether any store excludes a product, and which are, whatever the store.
create index payload_price_excluded on payload_price (account_id, product_id, store_id, exclusion) where exclusion is not null;
