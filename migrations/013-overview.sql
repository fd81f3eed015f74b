-- Figures of the panel's overview.

-- Excluded products are counted without reading payloads. An update that leaves the reason as it is stays within its page.
create index payload_price_exclusion on payload_price (account_id, store_id, exclusion) where exclusion is not null;

-- Kept with the account.
create table change_hour (
  account_id bigint not null references account,
  hour timestamptz not null,
  last_id bigint not null,
  primary key (account_id, hour)
);
comment on table change_hour is 'the account''s last change number as of the end of an hour, or of what has passed of it: their differences are changes per hour';
