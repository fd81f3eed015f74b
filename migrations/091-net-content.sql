-- What a package contains, and the quantity for which its unit price is stated where that is not the usual one. Names like the weight; prices show
-- what they come to.

alter table offer_content add column net_content text, add column unit_price_reference text;

-- added to the fields that each check has, whichever those are
do $$
declare
  named record;
begin
  for named in
    select conname, conrelid::regclass as of_table, pg_get_constraintdef(oid) as definition from pg_constraint
    where conrelid in ('product_override'::regclass, 'source_order'::regclass)
      and conname in ('product_override_field_check', 'product_override_locale_check', 'source_order_field_check')
  loop
    execute format('alter table %s drop constraint %I', named.of_table, named.conname);
    execute format('alter table %s add constraint %I %s', named.of_table, named.conname,
      replace(named.definition, '''tax_class''::text', '''tax_class''::text, ''net_content''::text, ''unit_price_reference''::text'));
  end loop;
end $$;
