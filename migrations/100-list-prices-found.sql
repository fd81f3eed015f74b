-- findings look at the offers that state a list price, of which many accounts have none
create index offer_content_list_price on offer_content (account_id, product_id) where list_price is not null;
