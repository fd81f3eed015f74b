-- Whose tax is in the cost of an offer, where it is not as the supplier says, and whose is in its list price. Where nothing is said, list prices are shown
-- as they are stated, as before.

alter table offer_content add column list_price_tax text, add column cost_tax text;
-- findings ask for the countries
create index offer_content_cost_tax on offer_content (account_id, supplier_id, cost_tax) where cost_tax is not null;

alter table product_override drop constraint product_override_field_check, drop constraint product_override_locale_check;
alter table product_override add constraint product_override_field_check check (field in ('title', 'description', 'manufacturer',
  'category', 'mpn', 'condition', 'country_of_origin', 'hs_code', 'weight', 'length', 'width', 'height', 'list_price', 'list_price_tax',
  'cost_tax', 'sale_price', 'sale_begins_on', 'sale_ends_on', 'tax_class', 'net_content', 'unit_price_reference', 'delivery_time', 'seo_title',
  'seo_description', 'images', 'image_alts'));
alter table product_override add constraint product_override_locale_check check (
  (field in ('manufacturer', 'category', 'mpn', 'condition', 'country_of_origin', 'hs_code', 'weight', 'length', 'width', 'height',
  'list_price', 'list_price_tax', 'cost_tax', 'sale_price', 'sale_begins_on', 'sale_ends_on', 'tax_class', 'net_content',
  'unit_price_reference', 'images')) = (locale = ''));

alter table source_order drop constraint source_order_field_check;
alter table source_order add constraint source_order_field_check check (field in ('title', 'description', 'manufacturer', 'category', 'mpn',
  'condition', 'country_of_origin', 'hs_code', 'weight', 'length', 'width', 'height', 'list_price', 'list_price_tax', 'cost_tax', 'sale_price',
  'sale_begins_on', 'sale_ends_on', 'tax_class', 'net_content', 'unit_price_reference', 'delivery_time', 'seo_title', 'seo_description', 'images',
  'attributes', 'ean', 'sku'));

alter table supplier add column list_price_tax text;
comment on column supplier.list_price_tax is 'ISO 3166-1, whose tax is in its list prices, or none; null: they are shown as they are stated';
