import { createHash } from 'node:crypto'
import type { Db } from '../../src/db/sql.ts'
import { erasing, type ErasureContext } from '../../src/erasure/erase.ts'

// What is left of an account after its erasure, found by queries that share nothing with the code that erases.

const tablesOf = (db: Db) => db<{ name: string; isOfAccounts: boolean }[]>`
  select t.table_name as name, c.column_name is not null as "isOfAccounts"
  from information_schema.tables t left join information_schema.columns c
    on c.table_schema = t.table_schema and c.table_name = t.table_name and c.column_name = 'account_id'
  where t.table_schema = current_schema() and t.table_type = 'BASE TABLE' order by t.table_name`

/** How many rows of an account each table has; tables without any are left out. */
export async function rowsOf(db: Db, accountId: number): Promise<Record<string, number>> {
  const rows: Record<string, number> = {}
  for (const { name, isOfAccounts } of await tablesOf(db)) {
    if (!isOfAccounts) continue
    const [row] = await db<{ count: number }[]>`
      select count(*)::int as count from ${db(name)} where account_id = ${accountId}`
    if (row!.count > 0) rows[name] = row!.count
  }
  return rows
}

/** A hash of all rows of an account for each table. Tables that the service writes by itself, with times, are left out. */
export async function bytesOf(db: Db, accountId: number): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {}
  for (const { name, isOfAccounts } of await tablesOf(db)) {
    if (!isOfAccounts) continue
    const rows = await db<{ text: string }[]>`select t::text as text from ${db(name)} t where account_id = ${accountId}`
    const text = rows.map((row) => row.text).sort()
    hashes[name] = createHash('sha256').update(text.join('\n')).digest('hex')
  }
  return hashes
}

/** All tables of the database, those without an account id included, in which any column contains a text. */
export async function tablesWith(db: Db, text: string): Promise<string[]> {
  const found: string[] = []
  for (const { name } of await tablesOf(db)) {
    const rows = await db`select 1 from ${db(name)} t where t::text like ${`%${text}%`} limit 1`
    if (rows.length > 0) found.push(name)
  }
  return found
}

/** Makes an erasure due now. */
export const makeDue = (db: Db, accountId: number) =>
  db`update account_erasure set due_at = now() - make_interval(secs => 1) where erased_account_id = ${accountId}`

/** Erases an account to its end. @returns whether there was anything to do */
export async function eraseAll(context: ErasureContext, accountId: number, onStep = () => {}): Promise<boolean> {
  const work = erasing(context, accountId)
  for (;;) {
    const step = await work.next()
    if (step.done === true) return step.value
    onStep()
  }
}
