-- The list price of an article, such as the one that its supplier recommends: an amount, and its currency where that is not the offer's. A name
-- like the weight; prices show it.

alter table offer_content add column list_price text;

alter table product_override drop constraint product_override_field_check, drop constraint product_override_locale_check;
alter table product_override add constraint product_override_field_check check (field in ('title', 'description', 'manufacturer',
  'category', 'mpn', 'condition', 'country_of_origin', 'hs_code', 'weight', 'length', 'width', 'height', 'list_price', 'delivery_time',
  'seo_title', 'seo_description', 'images', 'image_alts'));
alter table product_override add constraint product_override_locale_check check (
  (field in ('manufacturer', 'category', 'mpn', 'condition', 'country_of_origin', 'hs_code', 'weight', 'length', 'width', 'height',
  'list_price', 'images')) = (locale = ''));

alter table source_order drop constraint source_order_field_check;
alter table source_order add constraint source_order_field_check check (field in ('title', 'description', 'manufacturer', 'category', 'mpn',
  'condition', 'country_of_origin', 'hs_code', 'weight', 'length', 'width', 'height', 'list_price', 'delivery_time', 'seo_title',
  'seo_description', 'images', 'attributes', 'ean', 'sku'));
