-- An identity of a provider that its person has linked while signed in, without the provider having verified the person's address.
alter table person_identity add column is_email_verified boolean not null default true;
comment on column person_identity.is_email_verified is
  'whether the provider had verified the address of the person when it was linked; false: whoever was signed in has linked it, which says nothing of the address';
comment on column person_identity.email is 'that the provider named when it was linked; empty: none that is an address';

alter table sign_in_step drop constraint sign_in_step_kind;
alter table sign_in_step add constraint sign_in_step_kind
  check (kind in ('code', 'passkey-sign-in', 'passkey-add', 'passkey-confirm', 'provider-sign-in', 'provider-logout', 'provider-link'));
