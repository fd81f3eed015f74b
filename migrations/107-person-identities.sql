-- People who sign in at an OpenID Connect provider.

create table person_identity (
  issuer text not null check (length(issuer) between 1 and 2048),
  subject text not null check (length(subject) between 1 and 255),
  person_id bigint not null,
  email text not null,
  linked_at timestamptz not null default now(),
  used_at timestamptz not null default now()
);
select distribute_table('person_identity', 'reference');
alter table person_identity add primary key (issuer, subject);
alter table person_identity add foreign key (person_id) references person;
create unique index person_identity_person on person_identity (person_id, issuer);
comment on table person_identity is 'who somebody is at an identity provider; the address counts once, when it is linked';
comment on column person_identity.email is 'that the provider had verified when it was linked';

alter table session add column signed_in_by text;
comment on column session.signed_in_by is 'password, passkey or provider; null: a release that did not note it opened the session';
alter table session add column has_provider_factor boolean not null default false;
comment on column session.has_provider_factor is 'whether the identity provider has asked for a second factor, as far as its settings here trust it';

alter table sign_in_step drop constraint sign_in_step_kind;
alter table sign_in_step add constraint sign_in_step_kind
  check (kind in ('code', 'passkey-sign-in', 'passkey-add', 'passkey-confirm', 'provider-sign-in'));
comment on column sign_in_step.challenge is
  'that the authenticator signs, base64url; of a provider-sign-in the secret that its code verifier and nonce come from; of a code how the sign-in began';
