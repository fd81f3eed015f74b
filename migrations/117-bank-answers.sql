-- What came of the last request to the European Central Bank, in words that accounts may read: the text of a failure names the installation's own addresses.

alter table bank_rate_fetch add column answered_at timestamptz;
alter table bank_rate_fetch add column failure_kind text;
alter table bank_rate_fetch add constraint bank_rate_fetch_failure_kind_check check (failure_kind in ('unreachable', 'refused', 'unusable'));
comment on column bank_rate_fetch.answered_at is 'when it was known what came of a request; before asked_at: nothing has come of that one yet';
comment on column bank_rate_fetch.failure_kind is 'why the last request failed, as accounts read it; failure is for the operator. unreachable: no whole answer came; refused: a status other than 200; unusable: something else than the bank''s file';
update bank_rate_fetch set answered_at = asked_at;
