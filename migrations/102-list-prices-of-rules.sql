-- List prices that pricing rules make of the cost.

alter table pricing_rule add column list_price_percent numeric(12, 4);
alter table pricing_rule add constraint pricing_rule_list_price_percent_check check (list_price_percent > 0);
comment on column pricing_rule.list_price_percent is 'of the cost on top of it: the list price of products for which none is stated; null: none';
