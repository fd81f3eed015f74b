import type { Reader, Tx } from '../db/sql.ts'
import type { StartNumbers } from '../webhooks/plan/plan.ts'

// The statements of an import. Names of tables and columns come from the catalog of the database and from this room's lists, never from an archive.

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Sequences of ids that do not belong to an identity column. */
const SEQUENCES: Readonly<Record<string, string>> = {
  product: 'product_block_number',
  own_variant_group: 'variant_group_number',
}

/** Takes the next ids of a table, in ascending order; for products, numbers of blocks of ids. */
export async function idsTake(tx: Tx, table: string, column: string, count: number): Promise<number[]> {
  if (count === 0) return []
  const rows = await tx<{ id: number }[]>`
    select nextval(coalesce(${SEQUENCES[table] ?? null}::text, pg_get_serial_sequence(${table}, ${column}))::regclass) as id
    from generate_series(1, ${count}::int)`
  return rows.map(({ id }) => id).sort((a, b) => a - b)
}

/** A column of rows that are inserted. */
export interface InsertedColumn {
  name: string
  type: string
  /** Whether its value is given beside the row, and not taken from it. */
  isGiven: boolean
}

/**
 * Inserts rows in one statement.
 * @param texts JSON objects with the columns that are not given; the server parses them, so that no number loses a digit
 * @param given JSON objects with the other columns
 */
export async function rowsInsert(
  tx: Tx,
  accountId: number,
  table: string,
  columns: readonly InsertedColumn[],
  texts: readonly string[],
  given: readonly string[],
): Promise<void> {
  const record = (from: string, alias: string, of: readonly InsertedColumn[]) =>
    of.length === 0
      ? ''
      : `cross join lateral json_to_record(g.${from}::json) as ${alias} (${of.map(({ name, type }) => `${quoted(name)} ${type}`).join(', ')})`
  await tx.unsafe(
    `insert into ${quoted(table)} (account_id${columns.map(({ name }) => `, ${quoted(name)}`).join('')})
     select $1::bigint${columns.map(({ name, isGiven }) => `, ${isGiven ? 'o' : 'r'}.${quoted(name)}`).join('')}
     from unnest($2::text[], $3::text[]) with ordinality as g (raw, given, place)
     ${record(
       'raw',
       'r',
       columns.filter(({ isGiven }) => !isGiven),
     )}
     ${record(
       'given',
       'o',
       columns.filter(({ isGiven }) => isGiven),
     )}
     order by g.place`,
    [accountId, [...texts], [...given]],
  )
}

/** Inserts the positions of endpoints in the feed. */
export async function endpointStatesInsert(
  tx: Tx,
  accountId: number,
  position: number,
  states: readonly { endpointId: number; starts: StartNumbers }[],
): Promise<void> {
  if (states.length === 0) return
  await tx`
    insert into endpoint_state (account_id, endpoint_id, position, starts)
    select ${accountId}, endpoint_id, ${position}::bigint, starts::jsonb
    from unnest(${states.map(({ endpointId }) => endpointId)}::bigint[], ${states.map(({ starts }) => JSON.stringify(starts))}::text[])
      as given (endpoint_id, starts)`
}

/** Creates the account's change counter with this last number; cursors below it are refused. */
export async function fencedCounterInsert(tx: Tx, accountId: number, lastId: number): Promise<void> {
  await tx`
    insert into change_counter (account_id, last_id, last_at)
    values (${accountId}, ${lastId}, date_trunc('second', clock_timestamp()))`
  await tx`insert into change_fence (account_id, after_id, before_id) values (${accountId}, 0, ${lastId})`
}

/** What an account must have and this one lacks, in words; empty if nothing. */
export async function lacking(reader: Reader, accountId: number): Promise<string[]> {
  const rows = await reader<{ what: string }[]>`
    select 'a default store' as what where not exists (select from store where account_id = ${accountId} and is_default)
    union all
    select 'a default customer group' where not exists (select from customer_group where account_id = ${accountId} and is_default)
    union all
    select 'a default pricing rule' where not exists (select from pricing_rule where account_id = ${accountId} and is_default)`
  return rows.map(({ what }) => what)
}
