-- What pictures show: texts by locale and by the URLs of the pictures, of suppliers and of the owner.

alter table offer_content add column image_alts jsonb;
comment on column offer_content.image_alts is 'what the images show: locale -> URL -> text; null: nothing is stated';

alter table product_override drop constraint product_override_field_check, drop constraint product_override_locale_check;
alter table product_override add constraint product_override_field_check check (field in ('title', 'description', 'manufacturer',
  'category', 'mpn', 'condition', 'country_of_origin', 'hs_code', 'weight', 'length', 'width', 'height', 'delivery_time', 'seo_title',
  'seo_description', 'images', 'image_alts'));
alter table product_override add constraint product_override_locale_check check (
  (field in ('manufacturer', 'category', 'mpn', 'condition', 'country_of_origin', 'hs_code', 'weight', 'length', 'width', 'height',
  'images')) = (locale = ''));
