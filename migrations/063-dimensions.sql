-- Length, width and height of an article in centimetres, as plain decimal text: names like the weight.

alter table offer_content add column length text, add column width text, add column height text;

alter table product_override drop constraint product_override_field_check, drop constraint product_override_locale_check;
alter table product_override add constraint product_override_field_check check (field in ('title', 'description', 'manufacturer',
  'category', 'mpn', 'condition', 'country_of_origin', 'hs_code', 'weight', 'length', 'width', 'height', 'delivery_time', 'seo_title',
  'seo_description', 'images'));
alter table product_override add constraint product_override_locale_check check (
  (field in ('manufacturer', 'category', 'mpn', 'condition', 'country_of_origin', 'hs_code', 'weight', 'length', 'width', 'height',
  'images')) = (locale = ''));

alter table source_order drop constraint source_order_field_check;
alter table source_order add constraint source_order_field_check check (field in ('title', 'description', 'manufacturer', 'category', 'mpn',
  'condition', 'country_of_origin', 'hs_code', 'weight', 'length', 'width', 'height', 'delivery_time', 'seo_title', 'seo_description',
  'images', 'attributes', 'ean', 'sku'));
