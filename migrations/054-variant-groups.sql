-- Groups of variants: what suppliers state of them with their offers, and which group each product is in.

alter table offer_content add column variant_group jsonb;
comment on column offer_content.variant_group is 'the group of variants that the supplier states: {key, title by locale, options in order, position}; null: none';

create table variant_group_member (
  account_id bigint not null,
  product_id bigint not null,
  supplier_id bigint not null,
  group_key text collate "C" not null,
  group_id bigint not null,
  position integer not null,
  primary key (account_id, product_id, supplier_id, group_key)
);
select distribute_table('variant_group_member');
alter table variant_group_member add foreign key (account_id, product_id) references product (account_id, product_id);
create index variant_group_member_key on variant_group_member (account_id, supplier_id, group_key);
create index variant_group_member_group on variant_group_member (account_id, group_id, position, product_id);
comment on table variant_group_member is 'by which suppliers a product is said to be of which group; written when the product is shelved. Rows of one product, and rows of one supplier and key, are of one group';
comment on column variant_group_member.group_key is 'what the supplier calls the group';
comment on column variant_group_member.position is 'of the product in its group: the one that its payload shows';

-- Who changes the groups of an account takes its row first, and keeps it to the end of the transaction.
create table variant_group_turn (
  account_id bigint not null primary key,
  turns bigint not null
);
select distribute_table('variant_group_turn');
alter table variant_group_turn add foreign key (account_id) references account;
comment on table variant_group_turn is 'locked by whoever changes the groups of an account; the row comes with the first change';
comment on column variant_group_turn.turns is 'how often that was';

create sequence variant_group_number;
