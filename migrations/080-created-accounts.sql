-- Which account a request of the operator's created, by its Idempotency-Key: the answer is kept with the account, under idempotency_key, and goes with it.
-- The column is not named account_id: the row is not of the account. On Citus only the coordinator has it.

create table created_account (
  key text not null,
  request_hash text not null,
  created_account_id bigint,
  created_at timestamptz not null default now()
);
comment on table created_account is 'accounts that were created with an Idempotency-Key, for a day; no personal data';
comment on column created_account.request_hash is 'of method, address and body: the same key with another request is refused';
comment on column created_account.created_account_id is 'null only within the transaction that creates it';
alter table created_account add constraint created_account_pkey primary key (key);
alter table created_account add constraint created_account_key check (length(key) between 1 and 255);
create index created_account_created on created_account (created_at);
