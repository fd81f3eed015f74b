-- Accounts that are erased: what is to be done, how far it is, and afterwards the receipt, which keeps no personal data. The account's id is not named
-- account_id: the receipt is not of the account, and stays when every row of it is gone. On Citus only the coordinator has it.

create table account_erasure (
  erased_account_id bigint not null,
  asked_at timestamptz not null default now(),
  due_at timestamptz not null,
  reference text,
  erases_people boolean not null default false,
  started_at timestamptz,
  finished_at timestamptz,
  checked_at timestamptz,
  row_counts jsonb not null default '{}',
  people integer not null default 0,
  pictures integer not null default 0,
  files integer not null default 0
);
comment on table account_erasure is 'accounts that are to be erased, and the receipts of those that are; no personal data';
comment on column account_erasure.erased_account_id is 'never assigned again';
comment on column account_erasure.due_at is 'when it begins; until then it can be taken back';
comment on column account_erasure.reference is 'the operator''s own, such as the number of a request';
comment on column account_erasure.erases_people is 'whether people who are members of no other account are erased as well';
comment on column account_erasure.finished_at is 'when no row and no file was left';
comment on column account_erasure.checked_at is 'when all tables and files were looked through once more, after every request from before had ended';
comment on column account_erasure.row_counts is 'rows that were deleted, by table';
comment on column account_erasure.people is 'people who were erased';
comment on column account_erasure.pictures is 'stored pictures that were removed, because no other account uses them';
comment on column account_erasure.files is 'files of imports that were removed';
alter table account_erasure add constraint account_erasure_pkey primary key (erased_account_id);
alter table account_erasure add constraint account_erasure_reference check (length(reference) between 1 and 200);
alter table account_erasure add constraint account_erasure_order check (
  (finished_at is null or started_at is not null) and (checked_at is null or finished_at is not null));
create index account_erasure_open on account_erasure (due_at) where checked_at is null;
