-- Tables that can be distributed over the nodes of a Citus cluster (`shelfwire distribute`).

-- Channel files are looked up by their secret, before the account is known. On Citus such tables are reference tables, which cannot
-- refer to distributed ones. A store's row outlives the store, and channel files are created under the lock of the settings, so
-- nothing depends on this key.
alter table channel_file drop constraint channel_file_account_id_store_id_fkey;

-- The functions and tables of Citus are named in dynamic statements only, because plain PostgreSQL has none of them.
create function distribute_table(name regclass, kind text default 'by account') returns void
language plpgsql as $$
declare
  is_wanted boolean := false;
begin
  if kind not in ('by account', 'reference') then
    raise exception 'distribute_table(%): the kind is "by account" or "reference", not "%"', name, kind;
  end if;
  if to_regclass('pg_catalog.pg_dist_partition') is null then return; end if;
  execute 'select exists (select from pg_dist_partition where logicalrelid = to_regclass(''product''))
    and not exists (select from pg_dist_partition where logicalrelid = $1)' into is_wanted using name;
  if not is_wanted then return; end if;
  if kind = 'reference' then
    execute 'select create_reference_table($1)' using name;
  else
    execute 'select create_distributed_table($1, ''account_id'', colocate_with => ''product'')' using name;
  end if;
end $$;
comment on function distribute_table(regclass, text) is
  'for migrations: distributes a new table like the others, before its foreign keys are added. Does nothing on plain PostgreSQL, nor before `shelfwire distribute`';
