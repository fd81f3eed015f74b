-- The addresses of products in shops: one per product and store, and those that it had before.

create table product_slug (
  account_id bigint not null,
  store_id bigint not null,
  slug text collate "C" not null,
  product_id bigint not null,
  retired integer not null,
  is_own boolean not null,
  primary key (account_id, store_id, slug)
);
select distribute_table('product_slug');
alter table product_slug add foreign key (account_id, product_id) references product (account_id, product_id);
create unique index product_slug_of_product on product_slug (account_id, product_id, retired, store_id);
comment on table product_slug is 'which product a slug leads to in a store';
comment on column product_slug.retired is '0: the product''s slug, of which there is one at most; of one that it had before a number, the higher the later it was given up';
comment on column product_slug.is_own is 'by hand; otherwise made of the title';
