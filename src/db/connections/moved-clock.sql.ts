import { ShelfwireError } from '../../platform/errors.ts'
import { CLOCK_SCHEMA } from './session-options.ts'
import { inTransaction, type Db } from '../sql.ts'

// For trials with a moved clock (SHELFWIRE_CLOCK_OFFSET): functions that precede PostgreSQL's in the search path of connections opened
// with an offset. Our statements call now() without a schema.

/**
 * Creates the functions, and makes the defaults of all columns use them. For connections without an offset they return the machine's
 * time, so that the database can be used both ways.
 * @param db opened without an offset, because otherwise new objects would be created in the clock's schema.
 * @throws ShelfwireError `database-unusable` on a Citus cluster, whose nodes have clocks of their own
 */
export async function installMovedClock(db: Db): Promise<void> {
  await inTransaction(db, async (tx) => {
    const [citus] = await tx`select 1 from pg_extension where extname = 'citus'`
    if (citus !== undefined)
      throw new ShelfwireError('database-unusable', 'SHELFWIRE_CLOCK_OFFSET cannot be used on a Citus cluster')
    await tx`select pg_advisory_xact_lock(${LOCK})`
    await tx.unsafe(`create schema if not exists ${CLOCK_SCHEMA}`)
    for (const [name, volatility] of Object.entries(FUNCTIONS))
      await tx.unsafe(`create or replace function ${CLOCK_SCHEMA}.${name}() returns timestamptz language sql ${volatility} as $$
        select pg_catalog.${name}() + coalesce(nullif(current_setting('shelfwire.clock_offset', true), ''), 'PT0S')::interval $$`)
    const columns = await tx<{ table: string; column: string }[]>`
      select c.relname as table, a.attname as column
      from pg_attrdef d
      join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
      join pg_class c on c.oid = d.adrelid
      where c.relnamespace = current_schema()::regnamespace and pg_get_expr(d.adbin, d.adrelid) = 'now()'
        and c.relname <> 'schema_migration'`
    for (const { table, column } of columns)
      await tx`alter table ${tx(table)} alter column ${tx(column)} set default ${tx(CLOCK_SCHEMA)}.now()`
  })
}

/**
 * Compares the time that statements see with the server's actual time.
 * @throws ShelfwireError `database-unusable` if connections do not see the moved time, because a pooler drops their settings
 */
export async function requireMovedClock(db: Db, offsetMs: number): Promise<void> {
  const [row] = await db<{ seconds: number }[]>`
    select extract(epoch from now() - pg_catalog.now())::float8 as seconds`
  if (row?.seconds !== offsetMs / 1_000)
    throw new ShelfwireError(
      'database-unusable',
      'SHELFWIRE_CLOCK_OFFSET has no effect on the connections of DATABASE_URL, which a pooler opens: leave the pooler out',
    )
}

/** Advisory lock key: processes that start together do this one after the other. */
const LOCK = 7_318_104_231

/** PostgreSQL's functions for the time, with their volatility. */
const FUNCTIONS = { now: 'stable', statement_timestamp: 'stable', clock_timestamp: 'volatile' }
