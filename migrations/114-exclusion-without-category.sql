-- Products without a category may be excluded as those without a title, picture or price are. A release before this one, running beside it
-- during an upgrade, excludes nothing by a rule of this kind.
alter table exclusion_rule drop constraint exclusion_rule_kind_check;
alter table exclusion_rule add constraint exclusion_rule_kind_check check (kind in ('manufacturer', 'category', 'supplier', 'no_ean',
  'no_title', 'no_image', 'no_category', 'no_price', 'no_stock', 'price_below', 'price_above', 'margin_below'));
