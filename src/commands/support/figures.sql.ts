import type { Reader } from '../../db/sql.ts'

// Figures of a database for maintainers: numbers, and names that are ours. No statement here reads a text that somebody typed.

/** Tables of Shelfwire, the largest first. */
export function tableSizes(reader: Reader, limit: number) {
  return reader`
    select c.relname as "table", pg_total_relation_size(c.oid) as "totalBytes", pg_relation_size(c.oid) as "tableBytes",
      pg_indexes_size(c.oid) as "indexBytes", c.reltuples::bigint as "rowsEstimated", s.n_dead_tup as "rowsDead", s.seq_scan as "sequentialScans",
      s.idx_scan as "indexScans", greatest(s.last_vacuum, s.last_autovacuum) as "vacuumedAt", greatest(s.last_analyze, s.last_autoanalyze) as "analyzedAt"
    from pg_class c join pg_stat_user_tables s on s.relid = c.oid
    where c.relnamespace = current_schema()::regnamespace order by 2 desc, 1 limit ${limit}`
}

export function migrationsApplied(reader: Reader, limit: number) {
  return reader`
    select version, name, applied_at as "appliedAt" from schema_migration order by version desc limit ${limit}`
}

/** Settings of the server that affect performance: only those listed here, because others contain paths, commands and passwords. */
export function serverSettings(reader: Reader) {
  return reader`
    select name, setting, unit, source from pg_settings where name = any(${SERVER_SETTINGS}::text[]) order by name`
}

const SERVER_SETTINGS = [
  'server_version',
  'max_connections',
  'shared_buffers',
  'work_mem',
  'maintenance_work_mem',
  'effective_cache_size',
  'random_page_cost',
  'jit',
  'enable_seqscan',
  'statement_timeout',
  'idle_in_transaction_session_timeout',
  'default_transaction_read_only',
  'default_toast_compression',
  'autovacuum',
  'autovacuum_max_workers',
  'autovacuum_vacuum_scale_factor',
  'autovacuum_naptime',
  'wal_level',
  'max_wal_size',
  'checkpoint_timeout',
  'archive_mode',
  'archive_timeout',
  'synchronous_commit',
  'fsync',
  'full_page_writes',
  'track_io_timing',
  'server_encoding',
]

/** The states of connections, without their statements. */
export function activity(reader: Reader) {
  return reader`
    select backend_type as "type", state, wait_event_type as "waitType", wait_event as "wait", count(*)::int as count,
      max(extract(epoch from now() - xact_start))::float8 as "oldestTransactionSeconds", count(*) filter (where cardinality(pg_blocking_pids(pid)) > 0)::int as blocked
    from pg_stat_activity where datname = current_database() or datname is null group by 1, 2, 3, 4 order by count desc limit 200`
}

/** Totals of the database since its statistics were reset, and of its archive. */
export function totals(reader: Reader) {
  return reader`
    select pg_database_size(current_database()) as bytes, d.xact_commit as commits, d.xact_rollback as rollbacks, d.blks_read as "blocksRead",
      d.blks_hit as "blocksHit", d.temp_files as "tempFiles", d.temp_bytes as "tempBytes", d.deadlocks, d.stats_reset as "resetAt",
      age(x.datfrozenxid) as "transactionAge", a.archived_count as "archived", a.failed_count as "archiveFailed",
      a.last_archived_time as "archivedAt", a.last_failed_time as "archiveFailedAt"
    from pg_stat_database d join pg_database x on x.oid = d.datid cross join pg_stat_archiver a where d.datname = current_database()`
}

export function extensions(reader: Reader) {
  return reader<
    { name: string; version: string }[]
  >`select extname as name, extversion as version from pg_extension order by 1`
}

/**
 * The statements that took the most time, if pg_stat_statements is installed. It replaces values by $1, but keeps commands such as ALTER ROLE as they
 * were typed: only reads and writes are included, without literals.
 */
export function slowStatements(reader: Reader, limit: number, charactersMax: number) {
  return reader`
    select calls, total_exec_time as "totalMs", mean_exec_time as "meanMs", max_exec_time as "maxMs", rows, shared_blks_read as "blocksRead",
      left(regexp_replace(query, $re$('([^']|'')*'|\\$[a-z_]*\\$.*)$re$, '?', 'g'), ${charactersMax}) as statement
    from pg_stat_statements
    where dbid = (select oid from pg_database where datname = current_database()) and userid = current_user::regrole
      and query ~* $re$^\\s*(select|insert|update|delete|with|merge)\\M$re$
    order by total_exec_time desc limit ${limit}`
}

/** The use of budgets by accounts; those with the most products. */
export function accountUses(reader: Reader, limit: number) {
  return reader<{ accountId: number; use: Record<string, number> }[]>`
    select account_id as "accountId", jsonb_object_agg(budget, amount) as use
    from account_use group by account_id
    order by max(amount) filter (where budget = 'products') desc nulls last, account_id limit ${limit}`
}
