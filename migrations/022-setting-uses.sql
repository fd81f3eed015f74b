-- When an exchange rate was last set, also to the value that it had: the panel shows how old each is. Null: before this was noted.
alter table exchange_rate add column set_at timestamptz;
alter table exchange_rate alter column set_at set default now();
comment on column exchange_rate.set_at is 'when it was last set, also to the value it had; null: before this was noted';

create table channel_use (
  account_id bigint not null,
  channel_id bigint not null,
  last_read_at timestamptz not null
);
alter table channel_use add primary key (account_id, channel_id);
comment on table channel_use is 'noted once a minute at most, apart from channel_file, which is on every node';
select distribute_table('channel_use');
alter table channel_use add foreign key (account_id) references account (account_id);
