-- Links that confirm a new e-mail address, and links whose mail is sent again.

alter table one_time_link drop constraint one_time_link_kind_check;
alter table one_time_link drop constraint one_time_link_check2;
alter table one_time_link add constraint one_time_link_kind
  check (kind in ('invitation', 'password-reset', 'email-change'));
alter table one_time_link add constraint one_time_link_person check ((kind = 'invitation') = (person_id is null));
comment on column one_time_link.email is 'that the link was mailed to; of an email-change the new one';

alter table one_time_link add column mail_due_at timestamptz;
alter table one_time_link add column mail_tries integer not null default 0;
alter table one_time_link add column mail_error text;
create index one_time_link_mail on one_time_link (mail_due_at) where mail_due_at is not null;
comment on column one_time_link.mail_due_at is 'when its mail is sent again, with another token; null: it was sent, or is not to be';
comment on column one_time_link.mail_tries is 'how often its mail was tried again';
comment on column one_time_link.mail_error is 'why its mail failed last';
