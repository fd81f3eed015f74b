-- What suppliers charge from a quantity on, and pricing rules that make prices of it.

alter table offer add column cost_tiers jsonb;
alter table offer
  add constraint offer_cost_tiers_check check (jsonb_typeof(cost_tiers) = 'array' and jsonb_array_length(cost_tiers) > 0);
comment on column offer.cost_tiers is '[{quantity, cost}] by rising quantity, in the currency of the cost; null: none';

alter table pricing_rule add column tiers_from_supplier boolean not null default false;
alter table pricing_rule
  add constraint pricing_rule_tiers_from_supplier_check
    check (not tiers_from_supplier or (tiers is null and action <> 'fixed'));
comment on column pricing_rule.tiers_from_supplier is 'whether tiers are made of those of the cost';
