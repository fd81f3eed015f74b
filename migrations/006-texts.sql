-- A last fallback for texts, and SKU patterns whose results stay what they are.

alter table account add column any_locale boolean not null default false;
comment on column account.any_locale is
  'whether a text that neither the store''s nor the account''s locale has is taken from any other locale';

-- From this release on `alnum` transliterates instead of dropping what is not ASCII. Shops know articles by their SKUs, so patterns
-- that exist keep what they had, which is now called `az09`: a shorter name, so no pattern becomes too long. Where `ascii` comes
-- directly before it, nothing is left to transliterate, and the pattern stays. Text outside of placeholders is not touched; {{ and }}
-- are text.
with pattern as (
  select account_id, (
    select string_agg(
      case when piece[1] ~ '^\{[^{]' then regexp_replace(piece[1], '(?<!\|ascii)\|alnum(?=[|}])', '|az09', 'g') else piece[1] end,
      '' order by at)
    from regexp_matches(sku_pattern, '\{\{|\}\}|\{[^{}]*\}|[^{}]+', 'g') with ordinality found(piece, at)
  ) as kept
  from account where sku_pattern like '%|alnum%'
), renamed as (
  update account a set sku_pattern = p.kept from pattern p
  where a.account_id = p.account_id and p.kept <> a.sku_pattern
  returning a.account_id
), raised as (
  -- a process of the release before could not read the new name, and would show the products' own keys: from here on it leaves
  -- these accounts alone, as it does with every account that a newer resolver has been used for
  update account_inputs i set version = i.version + 1, resolver = i.resolver + 1 from renamed r where i.account_id = r.account_id
)
insert into sweep (account_id, reason) select account_id, 'new resolver' from renamed;
