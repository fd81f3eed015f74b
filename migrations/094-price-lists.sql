-- Own price lists: prices per product and customer group that people state, and rules that win over them.

create table price_list (
  account_id bigint not null,
  key text not null,
  name text not null,
  currency text not null,
  store_ids bigint[],
  group_id bigint,
  valid_from date,
  valid_to date,
  priority int not null,
  is_active boolean not null,
  created_at timestamptz not null default now(),
  primary key (account_id, key)
);
select distribute_table('price_list');
alter table price_list add foreign key (account_id) references account (account_id);
comment on table price_list is 'price lists of the account''s own';
comment on column price_list.store_ids is 'null: every store of its currency';
comment on column price_list.group_id is 'whose prices entries are that name no group; null: every group''s';

create table price_list_entry (
  account_id bigint not null,
  product_id bigint not null,
  list_key text not null,
  group_id bigint not null,
  amount numeric(21,6) not null,
  primary key (account_id, product_id, list_key, group_id)
);
select distribute_table('price_list_entry');
alter table price_list_entry add foreign key (account_id, product_id) references product (account_id, product_id);
alter table price_list_entry add foreign key (account_id, list_key) references price_list (account_id, key);
create index price_list_entry_list on price_list_entry (account_id, list_key, product_id, group_id);
comment on table price_list_entry is 'prices as they are shown, of products in a list';
comment on column price_list_entry.group_id is '0: the list''s group, or every group';

alter table pricing_rule add column over_price_lists boolean not null default false;
comment on column pricing_rule.over_price_lists is 'its price wins over price lists';
