-- Whether whoever signs in as a person reads the mail of the address.

alter table person add column email_proven_at timestamptz;
comment on column person.email_proven_at is
  'when the present ways to sign in were set up by a link that was mailed alone, or an identity provider had verified the address and ended the others; null: not known';

alter table one_time_link add column is_mailed boolean not null default false;
comment on column one_time_link.is_mailed is 'whether its token was never shown here, so that who has it reads the mail of the address';

alter table person_identity add column is_checked boolean not null default false;
comment on column person_identity.is_checked is
  'whether it was asked, when it was linked or since, if the other ways to sign in as the person are proven; false: an earlier release has linked it';
