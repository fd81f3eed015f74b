-- Rows of product_slug are written with their product locked, and products are never deleted, only marked as deleted: the key could not be broken, and
-- checking it was half of what registering a slug cost. Payloads have none either.
alter table product_slug drop constraint product_slug_account_id_product_id_fkey;
