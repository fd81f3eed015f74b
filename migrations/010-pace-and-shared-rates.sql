-- An endpoint's pace also counts from the ends of its deliveries, and the rate limit of a token is shared by all processes.

alter table endpoint_state add column recent_ends timestamptz[] not null default '{}';
comment on column endpoint_state.recent_ends is 'when the last deliveries ended, the newest first, for the pace';

-- Unlogged: nobody waits for the disk or for a standby, and after a crash every bucket is full.
create unlogged table token_rate (
  account_id bigint not null,
  token_id bigint not null,
  per_second double precision not null,
  burst double precision not null,
  available double precision not null,
  granted integer not null,
  at timestamptz not null,
  primary key (account_id, token_id)
) with (fillfactor = 50);
select distribute_table('token_rate');
alter table token_rate add foreign key (account_id) references account (account_id);
comment on table token_rate is 'requests that a token may still send, over all processes; no row: the whole burst';
comment on column token_rate.per_second is 'per_second and burst: the limit of the process that took last';
comment on column token_rate.available is 'at that time, before granted was taken; below 0: debt of processes that had not asked';
comment on column token_rate.granted is 'what the last process took in advance';
