import { locksOf, type Blocked, type TableLock, type Work } from './migration-locks.ts'
import { clusterGet } from '../distribution/distribution.sql.ts'
import { readMigrations, startRefusal } from '../migrations/migrate.ts'
import { statementsOfScript } from '../migrations/sql-script.ts'
import { serverState } from './server-state.ts'
import type { Db, Reader } from '../sql.ts'

/** Megabytes of a table per second: a quarter to a half of what two busy cores and an SSD achieved (docs/operations.md, "Before an upgrade"). */
const MB_PER_SECOND: Readonly<Record<Work, number>> = { none: Infinity, scan: 200, index: 40, rewrite: 20, rows: 8 }
/** Older transactions are reported: a migration waits for them, and everybody else waits for the migration. */
const LONG_SECONDS = 5
const STRENGTH: readonly Blocked[] = ['none', 'writes', 'reads and writes']

/** An existing table that has rows. */
export interface CheckedTable {
  table: string
  /** What other transactions cannot do with the table until the migration has ended. */
  blocked: Blocked
  /** Work on the whole table, without `none`. */
  work: Work[]
  megabytes: number
}

/** A migration, which keeps its locks until it has ended. */
export interface CheckedMigration {
  name: string
  tables: CheckedTable[]
  /** An estimate, rather too high. */
  seconds: number
}

export interface MigrationCheck {
  /** Migrations of a newer release in the database, with which this release does not start. */
  unknown: string[]
  /** Why this release cannot start on the database, apart from missing migrations; null: it can. */
  refused: string | null
  migrations: CheckedMigration[]
  seconds: number
  /**
   * Transactions that now hold a lock on these tables, with role and age. `seconds` null: the present role may not see how long other roles'
   * transactions have been open.
   */
  waitsFor: { pid: number; seconds: number | null; role: string; application: string; tables: string[] }[]
}

interface Size {
  table: string
  bytes: number
  /** The total of its indexes. */
  indexBytes: number
  isEmpty: boolean
}

/** The locks that the missing migrations will take, and for how long. Changes nothing. */
export async function checkMigrations(db: Db): Promise<MigrationCheck> {
  const { missing, unknown } = await serverState(db)
  const all = await readMigrations()
  const sizes = new Map((await tableSizes(db)).map((size) => [size.table, size]))
  const targets = new Map((await foreignKeys(db)).map(({ name, target }) => [name, target]))
  const migrations = all
    .filter(({ name }) => missing.includes(name))
    .map(({ name, sql }) => checked(name, sql, sizes, targets))
  const tables = [...new Set(migrations.flatMap(({ tables: of }) => of.map(({ table }) => table)))]
  return {
    unknown,
    refused: await startRefusal(db, all),
    migrations,
    seconds: migrations.reduce((sum, { seconds }) => sum + seconds, 0),
    waitsFor: await longTransactions(db, tables),
  }
}

function checked(
  name: string,
  sql: string,
  sizes: ReadonlyMap<string, Size>,
  targets: Map<string, string>,
): CheckedMigration {
  const found = new Map<string, TableLock[]>()
  for (const { locks, dropped, foreignKeys: added } of statementsOfScript(sql).map(locksOf)) {
    for (const { name: constraint, target } of added) targets.set(constraint, target)
    for (const lock of [...locks, ...dropped.flatMap((constraint) => lockOfTarget(targets.get(constraint)))]) {
      const size = sizes.get(lock.table)
      if (size !== undefined && !size.isEmpty) found.set(lock.table, [...(found.get(lock.table) ?? []), lock])
    }
  }
  let seconds = 0
  const tables = [...found].map(([table, locks]): CheckedTable => {
    const { bytes = 0, indexBytes = 0 } = sizes.get(table) ?? {}
    const megabytes = bytes / 1_000_000
    for (const { work } of locks) {
      seconds += megabytes / MB_PER_SECOND[work]
      // rewriting a table rebuilds all of its indexes
      if (work === 'rewrite') seconds += indexBytes / 1_000_000 / MB_PER_SECOND.index
    }
    const blocked = STRENGTH[Math.max(...locks.map((lock) => STRENGTH.indexOf(lock.blocked)))] ?? 'none'
    return {
      table,
      blocked,
      work: [...new Set(locks.map(({ work }) => work))].filter((work) => work !== 'none'),
      megabytes,
    }
  })
  return { name, tables, seconds }
}

const lockOfTarget = (table: string | undefined): TableLock[] =>
  table === undefined ? [] : [{ table, blocked: 'reads and writes', work: 'none' }]

const foreignKeys = (reader: Reader) => reader<{ name: string; target: string }[]>`
  select conname as name, confrelid::regclass::text as target from pg_constraint
  where contype = 'f' and connamespace = current_schema()::regnamespace`

async function tableSizes(reader: Reader): Promise<Size[]> {
  const here = await reader<Size[]>`
    select relname as "table", pg_table_size(oid)::float8 as bytes, pg_indexes_size(oid)::float8 as "indexBytes", pg_relation_size(oid) = 0 as "isEmpty"
    from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace`
  if ((await clusterGet(reader)) === undefined) return here
  // on Citus the nodes have the rows of most tables, which look empty here
  const there = await reader<Size[]>`
    select "table", bytes::float8 as bytes, (total - bytes)::float8 as "indexBytes", "isEmpty"
    from (
      select c.relname as "table", citus_table_size(c.oid) as bytes, citus_total_relation_size(c.oid) as total, citus_relation_size(c.oid) = 0 as "isEmpty"
      from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
      where c.relnamespace = current_schema()::regnamespace
    ) of_nodes`
  const distributed = new Set(there.map(({ table }) => table))
  return [...here.filter(({ table }) => !distributed.has(table)), ...there]
}

/**
 * Leaves out the server's own processes, which give way to a migration. Only roles with pg_read_all_stats see since when other roles' transactions
 * are open.
 */
const longTransactions = (reader: Reader, tables: readonly string[]) => reader<MigrationCheck['waitsFor']>`
  select a.pid, floor(extract(epoch from clock_timestamp() - a.xact_start))::int as seconds, a.usename::text as role,
    a.application_name as application, array_agg(distinct c.relname::text order by c.relname::text) as tables
  from pg_locks l
  join pg_stat_activity a on a.pid = l.pid
  join pg_class c on c.oid = l.relation
  where l.granted and l.database = (select oid from pg_database where datname = current_database())
    and c.relname::text = any(${tables}::text[]) and a.pid <> pg_backend_pid()
    and a.usename is not null
    and (a.xact_start < clock_timestamp() - make_interval(secs => ${LONG_SECONDS}) or (a.xact_start is null and a.usename <> current_user))
  group by 1, 2, 3, 4 order by 2 desc nulls first limit 20`
