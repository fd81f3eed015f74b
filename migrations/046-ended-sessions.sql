-- Why sessions ended that their person did not end: whoever holds such a cookie is told when signing in.

create table ended_session (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  reason text not null,
  ended_at timestamptz not null default now()
);
select distribute_table('ended_session', 'reference');
create index ended_session_at on ended_session (ended_at);
comment on table ended_session is 'why sessions ended, for as long as their cookies last; without the person';
comment on column ended_session.token_hash is 'SHA-256 of the cookie''s value, which is kept nowhere';
