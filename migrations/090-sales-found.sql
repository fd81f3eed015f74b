-- findings look at the offers that state a sale, of which most accounts have none
create index offer_content_sale on offer_content (account_id, product_id) where sale_price is not null;
