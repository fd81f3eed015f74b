-- Costs and prices have no bound but that of their parts: a cost below 10^12 at a rate below 10^12 under a rule that doubles it
-- is a price that can be shown, so it must be one that can be held back. numeric(24, 6) ended at 10^18, and one such price kept
-- its whole account from being shelved.
alter table price_hold
  alter column shown_cost type numeric,
  alter column shown_price type numeric,
  alter column wanted_cost type numeric,
  alter column wanted_price type numeric;
