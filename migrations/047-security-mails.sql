-- Mails that tell people and owners what a thief would do: written with the act, and kept until they are sent.

create table security_mail (
  mail_id uuid primary key,
  recipients text[] not null,
  sentence text not null,
  more text not null,
  address text not null,
  happened_at timestamptz not null default now(),
  tries integer not null default 0,
  due_at timestamptz not null default now()
);
select distribute_table('security_mail', 'reference');
create index security_mail_due on security_mail (due_at);
comment on table security_mail is 'mails about the security of sign-ins and accounts that are not sent yet';
comment on column security_mail.recipients is 'the person and the owners at the moment of the act: whoever is removed afterwards is told, too';
comment on column security_mail.mail_id is 'also in its Message-ID, by which mail servers recognise one that is sent twice';
comment on column security_mail.address is 'client address of whoever did it';
comment on column security_mail.due_at is 'when it is tried next, unless the try that runs succeeds';
