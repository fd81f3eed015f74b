-- Budgets of accounts: what the operator has set for one, and how much of what is too much to be counted each time is used.

create table account_limit (
  account_id bigint not null,
  budget text not null,
  amount bigint check (amount >= 0),
  primary key (account_id, budget)
);
select distribute_table('account_limit');
alter table account_limit add foreign key (account_id) references account;
comment on table account_limit is 'budgets that the operator has set for an account; without a row the default holds';
comment on column account_limit.amount is 'null: no limit';

create table account_use (
  account_id bigint not null,
  budget text not null,
  amount bigint not null default 0,
  counted_at timestamptz,
  primary key (account_id, budget)
);
select distribute_table('account_use');
alter table account_use add foreign key (account_id) references account;
comment on table account_use is 'how much of a budget is used, together with what account_use_delta has not been added yet';
comment on column account_use.counted_at is 'when it was last compared with what is there; null: never, and what was there before the budgets is not in it';

create table account_use_delta (
  account_id bigint not null,
  delta_id bigint not null generated always as identity,
  budget text not null,
  amount bigint not null,
  primary key (account_id, delta_id)
);
select distribute_table('account_use_delta');
alter table account_use_delta add foreign key (account_id) references account;
comment on table account_use_delta is 'append-only: what a transaction has added to a budget or taken away, written in it, so that no two writers wait for one counter';
