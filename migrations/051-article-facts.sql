-- Facts of an article: the manufacturer's part number, the condition, the country of origin and the customs tariff number, each in a column of
-- its own; the delivery time and what search engines read are texts by locale, which have no column.

alter table offer_content
  add column mpn text,
  add column condition text,
  add column country_of_origin text,
  add column hs_code text;

alter table product_override drop constraint product_override_field_check, drop constraint product_override_locale_check;
alter table product_override add constraint product_override_field_check check (field in ('title', 'description', 'manufacturer',
  'category', 'mpn', 'condition', 'country_of_origin', 'hs_code', 'delivery_time', 'seo_title', 'seo_description', 'images'));
alter table product_override add constraint product_override_locale_check check (
  (field in ('manufacturer', 'category', 'mpn', 'condition', 'country_of_origin', 'hs_code', 'images')) = (locale = ''));

alter table source_order drop constraint source_order_field_check;
alter table source_order add constraint source_order_field_check check (field in ('title', 'description', 'manufacturer', 'category',
  'mpn', 'condition', 'country_of_origin', 'hs_code', 'delivery_time', 'seo_title', 'seo_description', 'images', 'attributes', 'ean', 'sku'));
