-- A sale of an article: its price, as it is shown, and its first and last day. Names like the list price; prices show them while the sale lasts.

alter table offer_content add column sale_price text, add column sale_begins_on text, add column sale_ends_on text;

-- which products' sales begin or end on a day
create index offer_content_sale_begins on offer_content (account_id, sale_begins_on) where sale_begins_on is not null;
create index offer_content_sale_ends on offer_content (account_id, sale_ends_on) where sale_ends_on is not null;
create index product_override_sale_days on product_override (account_id, field, value) where field in ('sale_begins_on', 'sale_ends_on');

alter table product_override drop constraint product_override_field_check, drop constraint product_override_locale_check;
alter table product_override add constraint product_override_field_check check (field in ('title', 'description', 'manufacturer',
  'category', 'mpn', 'condition', 'country_of_origin', 'hs_code', 'weight', 'length', 'width', 'height', 'list_price', 'sale_price',
  'sale_begins_on', 'sale_ends_on', 'tax_class', 'delivery_time', 'seo_title', 'seo_description', 'images', 'image_alts'));
alter table product_override add constraint product_override_locale_check check (
  (field in ('manufacturer', 'category', 'mpn', 'condition', 'country_of_origin', 'hs_code', 'weight', 'length', 'width', 'height',
  'list_price', 'sale_price', 'sale_begins_on', 'sale_ends_on', 'tax_class', 'images')) = (locale = ''));

alter table source_order drop constraint source_order_field_check;
alter table source_order add constraint source_order_field_check check (field in ('title', 'description', 'manufacturer', 'category', 'mpn',
  'condition', 'country_of_origin', 'hs_code', 'weight', 'length', 'width', 'height', 'list_price', 'sale_price', 'sale_begins_on',
  'sale_ends_on', 'tax_class', 'delivery_time', 'seo_title', 'seo_description', 'images', 'attributes', 'ean', 'sku'));
