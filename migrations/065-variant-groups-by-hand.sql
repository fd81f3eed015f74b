-- Groups of variants by hand: what the account's owner says of products, which takes precedence over what suppliers state.

create table own_variant_group (
  account_id bigint not null,
  group_id bigint not null,
  title jsonb not null,
  options jsonb not null,
  primary key (account_id, group_id)
);
select distribute_table('own_variant_group');
alter table own_variant_group add foreign key (account_id) references account;
comment on table own_variant_group is 'a group of variants that the owner made; its products are those of own_variant. Ids are of variant_group_number, and payloads show them';
comment on column own_variant_group.title is 'by locale';
comment on column own_variant_group.options is 'in what the variants differ, in order: [{key, labels by locale}]; none: as suppliers state them';

create table own_variant (
  account_id bigint not null,
  product_id bigint not null,
  group_id bigint,
  position integer not null,
  options jsonb not null,
  primary key (account_id, product_id)
);
select distribute_table('own_variant');
alter table own_variant add foreign key (account_id, product_id) references product (account_id, product_id);
alter table own_variant add foreign key (account_id, group_id) references own_variant_group (account_id, group_id);
create index own_variant_of_group on own_variant (account_id, group_id, position);
comment on table own_variant is 'of products for which the owner decides the group of variants: suppliers'' statements do not count for them';
comment on column own_variant.group_id is 'null: the product is in no group, whatever suppliers state';
comment on column own_variant.position is 'of the product in its group, the lowest first';
comment on column own_variant.options is 'what the product has: key -> value; a key that is not here is as a supplier states it';
