import type { Reader, Tx } from '../db/sql.ts'
import { single } from '../platform/must.ts'

// The tables with rows of accounts, read from the catalog of the database: a table that a migration adds is erased without being listed anywhere.
// Names and types below come only from the catalog. docs/decisions/168-erased-accounts.md says why.

/** A table with a column account_id. */
export interface AccountTable {
  name: string
  /** The other columns of its primary key, in order, with their types. Empty: it has one row per account. */
  key: readonly { name: string; type: string }[]
  /** Tables with rows of accounts to which its foreign keys refer, except itself. */
  refersTo: readonly string[]
}

/** All such tables, by name. */
export function accountTablesList(reader: Reader) {
  return reader<AccountTable[]>`
    select c.relname as name,
      coalesce((
        select json_agg(json_build_object('name', k.attname, 'type', format_type(k.atttypid, k.atttypmod)) order by n.place)
        from pg_index i cross join lateral unnest(i.indkey::int2[]) with ordinality n (attnum, place)
        join pg_attribute k on k.attrelid = c.oid and k.attnum = n.attnum
        where i.indrelid = c.oid and i.indisprimary and k.attname <> 'account_id'), '[]') as key,
      array(
        select distinct r.relname::text from pg_constraint f join pg_class r on r.oid = f.confrelid
        join pg_attribute o on o.attrelid = r.oid and o.attname = 'account_id' and not o.attisdropped
        where f.conrelid = c.oid and f.contype = 'f' and r.oid <> c.oid order by 1) as "refersTo"
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id' and not a.attisdropped
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = current_schema()::regnamespace
    order by c.relname`
}

/** A part of an account's rows in a table: those with keys above `after`, up to and with `last`. */
export interface KeyRange {
  /** Key values as text; null: from the beginning. */
  after: readonly string[] | null
  last: readonly string[]
}

/** The next rows of an account in a table, at most `limit`, in key order. @returns undefined after the last row */
export async function nextRange(
  reader: Reader,
  table: AccountTable,
  accountId: number,
  after: readonly string[] | null,
  limit: number,
): Promise<KeyRange | undefined> {
  const columns = table.key.map(({ name }) => quoted(name))
  const shown = columns.map((column, i) => `${column}::text as k${i}`)
  const inner = columns.length === 0 ? '1 as one' : columns.join(', ')
  const order = (direction: string) =>
    columns.length === 0 ? '' : `order by ${columns.map((column) => `${column} ${direction}`).join(', ')}`
  const rows = await reader.unsafe<Record<string, string>[]>(
    `select ${shown.join(', ') || '1'} from (
       select ${inner} from ${quoted(table.name)} where account_id = $1${after === null ? '' : ` and ${beyond(table, '>', 2)}`}
       ${order('asc')} limit ${limit}) page ${order('desc')} limit 1`,
    [accountId, ...(after ?? [])],
  )
  const [row] = rows
  return row === undefined ? undefined : { after, last: table.key.map((_, i) => String(row[`k${i}`])) }
}

/** Deletes the rows of a range. @returns how many */
export async function rangeDelete(tx: Tx, table: AccountTable, accountId: number, range: KeyRange): Promise<number> {
  const { conditions, values } = within(table, range)
  const { count } = await tx.unsafe(`delete from ${quoted(table.name)} where account_id = $1${conditions}`, [
    accountId,
    ...values,
  ])
  return count
}

/** The hashes of stored pictures that the rows of a range name. @param table image or image_unused */
export async function hashesIn(tx: Tx, table: AccountTable, accountId: number, range: KeyRange): Promise<string[]> {
  const { conditions, values } = within(table, range)
  const rows = await tx.unsafe<{ hash: string }[]>(
    `select distinct hash from ${quoted(table.name)} where account_id = $1 and hash is not null${conditions}`,
    [accountId, ...values],
  )
  return rows.map(({ hash }) => hash)
}

/** How many rows of an account a table has. */
export async function rowsCount(tx: Tx, table: AccountTable, accountId: number): Promise<number> {
  const rows = await tx.unsafe<{ count: number }[]>(
    `select count(*)::int as count from ${quoted(table.name)} where account_id = $1`,
    [accountId],
  )
  return single(rows).count
}

function within(table: AccountTable, { after, last }: KeyRange): { conditions: string; values: string[] } {
  if (table.key.length === 0) return { conditions: '', values: [] }
  const lower = after === null ? '' : ` and ${beyond(table, '>', 2)}`
  const upper = ` and ${beyond(table, '<=', 2 + (after?.length ?? 0))}`
  return { conditions: lower + upper, values: [...(after ?? []), ...last] }
}

/** SQL that compares the key with parameters, which are texts, starting with parameter number `first`. */
function beyond({ key }: AccountTable, operator: '>' | '<=', first: number): string {
  const columns = key.map(({ name }) => quoted(name)).join(', ')
  return `(${columns}) ${operator} (${key.map(({ type }, i) => `$${first + i}::text::${type}`).join(', ')})`
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
