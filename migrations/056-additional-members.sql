-- Members of the product payload that came later and that every product has a value for: an account reads those that it names here.

alter table account add column additional_members text[] not null default '{}';
comment on column account.additional_members is 'members that payloads of the account have beside those of the first release (contract/additional-members.ts)';
