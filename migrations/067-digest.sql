-- Digests of what stores show, per block of product ids, by which a mirror proves that it is equal.

alter table payload_block add column content_digest bit(128);
alter table payload_block add column price_digest bit(128);
comment on column payload_block.content_digest is 'xor of the first 128 bits of SHA-512 of ID:TAG of the block''s content halves, kept when they are written; null: not computed yet';
comment on column payload_block.price_digest is 'the same of its price halves';

-- Accounts whose blocks were there before; a second time a day later, for what processes of an older release wrote meanwhile.
create table digest_fill (
  account_id bigint not null,
  due_at timestamptz not null,
  store_id bigint not null default 0,
  block bigint not null default -1,
  primary key (account_id, due_at)
);
select distribute_table('digest_fill');
alter table digest_fill add foreign key (account_id) references account;
insert into digest_fill (account_id, due_at) select account_id, now() from account_inputs;
insert into digest_fill (account_id, due_at) select account_id, now() + interval '1 day' from account_inputs;
comment on table digest_fill is 'accounts whose digests are computed from the stored tags: up to which store and block; the row goes when all are';
