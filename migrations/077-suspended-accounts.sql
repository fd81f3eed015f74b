-- Accounts that the operator has suspended: nothing of them is answered and nothing is done for them, and nothing is lost.

alter table account add column suspended_at timestamptz;
comment on column account.suspended_at is 'since when requests of the account are refused and its work rests; null: it is not suspended';
alter table account add column suspension_reason text;
alter table account add constraint account_suspension check (
  (suspended_at is not null or suspension_reason is null) and length(suspension_reason) between 1 and 500);
comment on column account.suspension_reason is 'what the operator tells the members of the account in the panel; null: nothing';
create index account_suspended on account (account_id) where suspended_at is not null;
