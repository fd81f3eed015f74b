-- What mirrors tell of themselves after they have compared what they have with the digests of a store.
create table mirror_check (
  account_id bigint not null,
  store_id bigint not null,
  mirror text not null,
  differing bigint not null,
  as_of timestamptz not null,
  equal_as_of timestamptz,
  differs_since timestamptz,
  told_at timestamptz not null,
  primary key (account_id, store_id, mirror)
);
select distribute_table('mirror_check');
alter table mirror_check add foreign key (account_id, store_id) references store (account_id, store_id);
comment on table mirror_check is 'what mirrors have told of themselves, the last word of each; of each store the 20 that told last, and of the last 30 days';
comment on column mirror_check.differing is 'how many products differed; 0: it was equal';
comment on column mirror_check.as_of is 'the moment of which that is true';
comment on column mirror_check.equal_as_of is 'as_of of the last time that it was equal';
comment on column mirror_check.differs_since is 'when it was first told to differ after that; null: it is equal';
