-- What an entry of the audit trail did to one product: the panel lists it on the product's page, and takes it back. Older entries have neither.
alter table audit_entry add column product_id bigint;
alter table audit_entry add column change jsonb;
comment on column audit_entry.product_id is 'the one product that it changed; null: none, several, or from before this was noted';
comment on column audit_entry.change is 'merge patches of the product as it is set: {before, after}; null: not a change of that, too large, or from before this was noted';
create index audit_entry_product on audit_entry (account_id, product_id, entry_id) where product_id is not null;
