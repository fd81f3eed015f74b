-- What a package contains, and the quantity for which its unit price is stated where that is not the usual one. Names like the weight; prices show
-- what they come to.

alter table offer_content add column net_content text, add column unit_price_reference text;

alter table product_override drop constraint product_override_field_check, drop constraint product_override_locale_check;
alter table product_override add constraint product_override_field_check check (field in ('title', 'description', 'manufacturer',
  'category', 'mpn', 'condition', 'country_of_origin', 'hs_code', 'weight', 'length', 'width', 'height', 'list_price', 'sale_price',
  'sale_begins_on', 'sale_ends_on', 'tax_class', 'net_content', 'unit_price_reference', 'delivery_time', 'seo_title', 'seo_description', 'images',
  'image_alts'));
alter table product_override add constraint product_override_locale_check check (
  (field in ('manufacturer', 'category', 'mpn', 'condition', 'country_of_origin', 'hs_code', 'weight', 'length', 'width', 'height',
  'list_price', 'sale_price', 'sale_begins_on', 'sale_ends_on', 'tax_class', 'net_content',
  'unit_price_reference', 'images')) = (locale = ''));

alter table source_order drop constraint source_order_field_check;
alter table source_order add constraint source_order_field_check check (field in ('title', 'description', 'manufacturer', 'category', 'mpn',
  'condition', 'country_of_origin', 'hs_code', 'weight', 'length', 'width', 'height', 'list_price', 'sale_price', 'sale_begins_on',
  'sale_ends_on', 'tax_class', 'net_content', 'unit_price_reference', 'delivery_time', 'seo_title', 'seo_description', 'images',
  'attributes', 'ean', 'sku'));
