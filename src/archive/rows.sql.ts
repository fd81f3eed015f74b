import type { Reader, Tx } from '../db/sql.ts'
import { must } from '../platform/must.ts'
import type { ExportedTable } from './kinds.ts'

// Rows of an account as lines of JSON, read through cursors in the one snapshot of an export.

const ROWS_PER_FETCH = 200
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

export interface Column {
  name: string
  type: string
  /** Its place in the primary key, counted from 1; null: it is not part of it. */
  keyPlace: number | null
}

/** Columns of a table, in their order. */
export function columnsList(reader: Reader, table: string) {
  return reader<Column[]>`
    select a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
      (select array_position(i.indkey::int2[], a.attnum) from pg_index i
        where i.indrelid = a.attrelid and i.indisprimary)::int + 1 as "keyPlace"
    from pg_attribute a where a.attrelid = ${table}::regclass and a.attnum > 0 and not a.attisdropped order by a.attnum`
}

/** The rows of an account in a table, in key order, as JSON texts without line breaks. Memory does not grow with their number. */
export async function* rowTexts(
  tx: Tx,
  accountId: number,
  name: string,
  { without = {} }: ExportedTable,
): AsyncGenerator<string[]> {
  const all = await columnsList(tx, name)
  const shown = all.flatMap((column) => {
    const left = without[column.name]
    if (column.name === 'account_id') return []
    const own = `t.${quoted(column.name)}`
    if (left === undefined) return [`${shownAs(own, column.type)} as ${quoted(column.name)}`]
    if (left.kind !== 'secret') return []
    return [`case when ${own} is not null then '{"left_out":"secret"}'::json end as ${quoted(column.name)}`]
  })
  const key = all
    .filter(({ keyPlace }) => keyPlace !== null)
    .toSorted((a, b) => must(a.keyPlace) - must(b.keyPlace))
    .map((column) => `t.${quoted(column.name)}`)
  yield* fetched(
    tx,
    `select row_to_json(r)::text as text from (
       select ${shown.join(', ')} from ${quoted(name)} t where t.account_id = ${accountId} order by ${key.join(', ')}) r`,
  )
}

/**
 * The SQL for a column in the rows: decimals with all digits, and times in UTC whatever the time zone of the server that has the row (with Citus, a
 * worker).
 */
function shownAs(own: string, type: string): string {
  if (type.startsWith('numeric')) return `${own}::text`
  if (type === 'timestamp with time zone') return `(to_json(${own} at time zone 'UTC') #>> '{}') || '+00:00'`
  return own
}

/** The members of an account, with the people who sign in as them. */
export function peopleTexts(tx: Tx, accountId: number) {
  return fetched(
    tx,
    `select row_to_json(r)::text as text from (
       select m.member_id, coalesce(p.email, m.email) as email, m.role, p.name, m.person_id is not null as signs_in
       from member m left join person p on p.person_id = m.person_id
       where m.account_id = ${accountId} order by m.member_id) r`,
  )
}

/** The stored pictures of an account, each once. */
export function pictureTexts(tx: Tx, accountId: number) {
  return fetched(
    tx,
    `select json_build_object('hash', hash, 'type', min(type))::text as text from image
     where account_id = ${accountId} and hash is not null group by hash order by hash`,
  )
}

async function* fetched(tx: Tx, select: string): AsyncGenerator<string[]> {
  await tx.unsafe(`declare archived no scroll cursor for ${select}`)
  for (;;) {
    const rows = await tx.unsafe<{ text: string }[]>(`fetch ${ROWS_PER_FETCH} from archived`)
    if (rows.length === 0) break
    // a value of type json keeps line breaks between its members; within texts they are escaped
    yield rows.map(({ text }) => text.replaceAll(/[\r\n]/g, ' '))
  }
  await tx.unsafe('close archived')
}

/** The number of the newest migration. */
export async function schemaVersion(reader: Reader): Promise<number> {
  const [row] = await reader<{ version: number }[]>`select max(version)::int as version from schema_migration`
  return must(row).version
}

/** The account, and the moment of the snapshot. */
export async function accountAt(reader: Reader, accountId: number) {
  const [row] = await reader<{ name: string; at: Date; lastChangeId: number; owners: string[] }[]>`
    select name, now() as at,
      coalesce((select last_id from change_counter where account_id = ${accountId}), 0) as "lastChangeId", array(
      select coalesce(p.email, m.email) from member m left join person p on p.person_id = m.person_id
      where m.account_id = ${accountId} and m.role = 'owner' order by m.member_id) as owners
    from account where account_id = ${accountId}`
  return row
}
