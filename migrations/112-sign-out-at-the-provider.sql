-- Signing out at the identity provider, and by it (OpenID Connect RP-Initiated Logout and Back-Channel Logout).

alter table session add column provider_sid text;
comment on column session.provider_sid is 'the identity provider''s own session behind it (sid); null: it has said none, or another release opened the session';
alter table session add column provider_id_token bytea;
comment on column session.provider_id_token is
  'the id_token that opened it, encrypted with the secret of the cookie, which is kept nowhere: shown to the provider when the person signs out there';

alter table sign_in_step drop constraint sign_in_step_kind;
alter table sign_in_step add constraint sign_in_step_kind
  check (kind in ('code', 'passkey-sign-in', 'passkey-add', 'passkey-confirm', 'provider-sign-in', 'provider-logout'));
