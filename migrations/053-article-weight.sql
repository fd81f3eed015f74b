-- The weight of an article in kilograms, as plain decimal text: a name like the others.

alter table offer_content add column weight text;

alter table product_override drop constraint product_override_field_check, drop constraint product_override_locale_check;
alter table product_override add constraint product_override_field_check check (field in ('title', 'description', 'manufacturer',
  'category', 'mpn', 'condition', 'country_of_origin', 'hs_code', 'weight', 'delivery_time', 'seo_title', 'seo_description', 'images'));
alter table product_override add constraint product_override_locale_check check (
  (field in ('manufacturer', 'category', 'mpn', 'condition', 'country_of_origin', 'hs_code', 'weight', 'images')) = (locale = ''));

alter table source_order drop constraint source_order_field_check;
alter table source_order add constraint source_order_field_check check (field in ('title', 'description', 'manufacturer', 'category', 'mpn',
  'condition', 'country_of_origin', 'hs_code', 'weight', 'delivery_time', 'seo_title', 'seo_description', 'images', 'attributes', 'ean', 'sku'));
