-- Tax: which class the products of a category are in, and how a customer group is shown prices.

alter table category add column tax_class text;
comment on column category.tax_class is 'the key of a tax class, of its products and of those below it; null: that of the category above';

alter table customer_group add column tax_country text, add column prices_include_tax boolean;
comment on column customer_group.tax_country is 'ISO 3166-1, whose rates its prices have, in stores that have a country; null: the store''s';
comment on column customer_group.prices_include_tax is 'whether its prices have tax in them; null: as the store''s';
