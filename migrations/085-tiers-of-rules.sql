-- Prices from a quantity on, of pricing rules.

alter table pricing_rule
  add column tiers jsonb,
  add column tiers_above_price boolean not null default false;
alter table pricing_rule
  add constraint pricing_rule_tiers_check check (jsonb_typeof(tiers) = 'array' and jsonb_array_length(tiers) > 0);
comment on column pricing_rule.tiers is '[{quantity, by, amount}] by rising quantity; null: none';
comment on column pricing_rule.tiers_above_price is 'whether tiers need not be below the price';
