-- Tax: classes with rates by country and day, what stores show, in which costs it is, and which class an offer states.

create table tax_class (
  account_id bigint not null,
  key text not null,
  name text not null,
  is_default boolean not null,
  codes text[] not null,
  rates jsonb not null,
  primary key (account_id, key)
);
select distribute_table('tax_class');
alter table tax_class add foreign key (account_id) references account (account_id);
create unique index tax_class_default on tax_class (account_id) where is_default;
comment on table tax_class is 'tax classes; a product without one is in the default one';
comment on column tax_class.codes is 'how suppliers call it';
comment on column tax_class.rates is '[{country, valid_from, percent}]; of a country the latest that has begun counts';

alter table store add column tax_country text, add column prices_include_tax boolean not null default false;
comment on column store.tax_country is 'ISO 3166-1, whose rates its prices have; null: prices say nothing of tax';
alter table supplier add column cost_tax_country text;
comment on column supplier.cost_tax_country is 'whose tax is in its costs; null: costs are net';

alter table offer_content add column tax_class text;

alter table product_override drop constraint product_override_field_check, drop constraint product_override_locale_check;
alter table product_override add constraint product_override_field_check check (field in ('title', 'description', 'manufacturer',
  'category', 'mpn', 'condition', 'country_of_origin', 'hs_code', 'weight', 'length', 'width', 'height', 'list_price', 'tax_class',
  'delivery_time', 'seo_title', 'seo_description', 'images', 'image_alts'));
alter table product_override add constraint product_override_locale_check check (
  (field in ('manufacturer', 'category', 'mpn', 'condition', 'country_of_origin', 'hs_code', 'weight', 'length', 'width', 'height',
  'list_price', 'tax_class', 'images')) = (locale = ''));

alter table source_order drop constraint source_order_field_check;
alter table source_order add constraint source_order_field_check check (field in ('title', 'description', 'manufacturer', 'category', 'mpn',
  'condition', 'country_of_origin', 'hs_code', 'weight', 'length', 'width', 'height', 'list_price', 'tax_class', 'delivery_time',
  'seo_title', 'seo_description', 'images', 'attributes', 'ean', 'sku'));
