-- An endpoint's pace also counts from the ends of its deliveries, and the rate limit of a token is shared by all processes.

alter table endpoint_state add column recent_ends timestamptz[] not null default '{}';
comment on column endpoint_state.recent_ends is 'when the last deliveries ended, the newest first, for the pace';
