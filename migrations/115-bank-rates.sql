-- Exchange rates of the European Central Bank, for accounts that want them. On Citus only the coordinator has the bank's.

create table bank_rate (
  day date not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  rate numeric(24, 12) not null check (rate > 0)
);
alter table bank_rate add primary key (day, currency);
comment on table bank_rate is 'the European Central Bank''s reference rates of the last days, for all accounts: units of the currency for one euro';

create table bank_rate_fetch (
  bank_rate_fetch_key smallint not null default 1 check (bank_rate_fetch_key = 1),
  asked_at timestamptz not null,
  failed_since timestamptz,
  failure text
);
alter table bank_rate_fetch add primary key (bank_rate_fetch_key);
comment on table bank_rate_fetch is 'when the bank was last asked, by any process; one row at the most';
comment on column bank_rate_fetch.failed_since is 'when the first of the requests in a row failed; null: the last one brought rates';

alter table account add column rates_from text not null default 'hand';
alter table account add column rates_least_change_percent numeric(7, 4) not null default 0.5;
alter table account add column rates_greatest_change_percent numeric(7, 4) not null default 10;
alter table account add constraint account_rates_from_check check (rates_from in ('hand', 'ecb'));
alter table account add constraint account_rates_change_check check (rates_least_change_percent >= 0 and rates_greatest_change_percent > 0);
comment on column account.rates_from is 'ecb: exchange rates that the account has follow those of the European Central Bank';
comment on column account.rates_least_change_percent is 'a rate of the bank that differs less from its own of before is not taken over';
comment on column account.rates_greatest_change_percent is 'a rate of the bank that differs more is held until somebody takes it over';
create index account_bank_rates on account (account_id) where rates_from = 'ecb';

alter table exchange_rate add column bank_day date;
alter table exchange_rate add column bank_seen_day date;
alter table exchange_rate add column held_rate numeric(24, 12);
alter table exchange_rate add constraint exchange_rate_held_rate_check check (held_rate > 0);
comment on column exchange_rate.bank_day is 'of which day the bank''s rate is; null: it was set by hand';
comment on column exchange_rate.bank_seen_day is 'the newest day of the bank''s rates that was compared with it; null: the next look compares it';
comment on column exchange_rate.held_rate is 'the bank''s rate of bank_seen_day, which differs too much to be taken over by itself';

-- A notice may be about rates.
alter table notice drop constraint notice_kind_check;
alter table notice add constraint notice_kind_check check (kind in ('failing', 'paused', 'recovered', 'images_full', 'images_resumed',
  'images_failing', 'source_failing', 'source_held', 'source_recovered', 'rates_held'));
