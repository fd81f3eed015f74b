import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { ShelfwireError } from '../../platform/errors.ts'
import { PACKAGE_ROOT } from '../../platform/process/package.ts'
import type { Log } from '../../platform/log.ts'
import { statementsOfScript } from './sql-script.ts'
import { inTransaction, type Db, type Reader, type Tx } from '../sql.ts'
import { single } from '../../platform/must.ts'

// A migration runner of our own rather than a library: libraries that run plain SQL either need a second PostgreSQL client or take no lock, and
// processes of one installation do start at the same moment. docs/decisions/055-own-code-or-a-library.md says why.

const DIRECTORY = new URL('migrations/', PACKAGE_ROOT)
/** Advisory lock key: a constant that is the same in every process. */
const LOCK = 7_318_104_226
const UNDEFINED_TABLE = '42P01'

interface Migration {
  version: number
  name: string
  sql: string
  digest: string
}

/** The migrations of this release in order: `migrations/NNN-name.sql`. */
export async function readMigrations(directory: URL = DIRECTORY): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => /^\d{3}-[a-z0-9-]+\.sql$/.test(name)).sort()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, directory), 'utf8')
      return { version: Number(name.slice(0, 3)), name, sql, digest: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/**
 * Brings the database to this release's schema, each file in a transaction of its own, under an advisory lock: processes that start together migrate
 * one after the other.
 * @returns the names applied now; empty if the schema was up to date
 * @throws ShelfwireError `database-unusable` for a database migrated by a newer release, for applied files that differ from this release's, and for
 * PostgreSQL before version 15
 */
export async function migrate(db: Db, log: Log, migrations?: readonly Migration[]): Promise<string[]> {
  const wanted = migrations ?? (await readMigrations())
  await requireSupportedServer(db)
  const names: string[] = []
  await withMigrationLock(db, async (tx) => {
    await tx`create table if not exists schema_migration (
      version integer primary key, name text not null, digest text not null, applied_at timestamptz not null default now())`
    refuseForeignHistory(await appliedMigrations(tx), wanted)
  })
  for (const migration of wanted) {
    const isNew = await withMigrationLock(db, async (tx) => {
      if ((await appliedMigrations(tx)).some((row) => row.version === migration.version)) return false
      await tx`insert into schema_migration (version, name, digest)
        values (${migration.version}, ${migration.name}, ${migration.digest})`
      for (const statement of statementsOfScript(migration.sql)) await tx.unsafe(statement)
      return true
    })
    if (!isNew) continue
    log.info({ migration: migration.name }, 'schema migrated')
    names.push(migration.name)
  }
  return names
}

/** Why this release cannot start on a database; null: it can. Changes nothing. */
export async function startRefusal(db: Db, wanted: readonly Migration[]): Promise<string | null> {
  try {
    await requireSupportedServer(db)
    const { isMigrated } = single(
      await db<{ isMigrated: boolean }[]>`select to_regclass('schema_migration') is not null as "isMigrated"`,
    )
    if (isMigrated) refuseForeignHistory(await appliedMigrations(db), wanted)
    return null
  } catch (error) {
    if (error instanceof ShelfwireError) return error.message
    throw error
  }
}

/**
 * Runs a transaction that changes the schema under the lock of migrations. The lock ends with the transaction, so that it is not left on a connection
 * that a pooler gives to another client.
 */
export function withMigrationLock<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return inTransaction(db, async (tx) => {
    // migrating a large table can take long, and so can waiting for another process that does it
    await tx.allowLongStatements()
    // set here as well, because a pooler may drop the settings of a connection: a process stopped in the middle must not keep all others from
    // starting
    await tx`set local idle_in_transaction_session_timeout = '60s'`
    // on Citus: shards are altered one after the other, which tables with foreign keys require; ignored by plain PostgreSQL
    await tx`set local citus.multi_shard_modify_mode = 'sequential'`
    await tx`select pg_advisory_xact_lock(${LOCK})`
    return work(tx)
  })
}

/**
 * Compares the databases' oids and the times at which they were first migrated.
 * @throws ShelfwireError `database-unusable` if DATABASE_URL and DATABASE_DIRECT_URL lead to two databases
 */
export async function requireSameDatabase(pooled: Db, direct: Db): Promise<void> {
  const [there] = await fingerprint(direct)
  const [here] = await fingerprint(pooled).catch((error: unknown) => {
    if (error instanceof pg.DatabaseError && error.code === UNDEFINED_TABLE) return []
    throw error
  })
  if (here === undefined || here.text !== there?.text)
    throw new ShelfwireError(
      'database-unusable',
      'DATABASE_URL and DATABASE_DIRECT_URL must lead to the same database; they lead to two',
    )
}

function fingerprint(reader: Reader) {
  return reader<{ text: string }[]>`
    select d.oid || ' ' || extract(epoch from m.applied_at) as text
    from pg_database d, schema_migration m where d.datname = current_database() order by m.version limit 1`
}

function appliedMigrations(reader: Reader) {
  return reader<{ version: number; name: string; digest: string }[]>`
    select version, name, digest from schema_migration order by version`
}

function refuseForeignHistory(
  applied: readonly { version: number; name: string; digest: string }[],
  wanted: readonly Migration[],
): void {
  for (const row of applied) {
    const ours = wanted.find((migration) => migration.version === row.version)
    if (ours === undefined) {
      throw new ShelfwireError(
        'database-unusable',
        `the database was migrated by a newer release (${row.name}); run that release, or restore an earlier backup`,
      )
    }
    if (ours.digest !== row.digest) {
      throw new ShelfwireError(
        'database-unusable',
        `migration ${row.name} was applied with different contents than it has in this release; migrations are never edited`,
      )
    }
  }
}

async function requireSupportedServer(db: Db): Promise<void> {
  const { version } = single(
    await db<{ version: number }[]>`select current_setting('server_version_num')::int as version`,
  )
  const major = Math.floor(version / 10_000)
  if (major < 15) {
    throw new ShelfwireError('database-unusable', `PostgreSQL ${major} is too old: versions 15 to 18 are supported`)
  }
}
