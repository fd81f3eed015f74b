import { AssertionError } from 'node:assert'
import type { Db } from '../../src/db/sql.ts'
import { ShelfwireError } from '../../src/platform/errors.ts'

/** A ShelfwireError: its code, its message, and the names of its faults. */
export interface Refusal {
  code: string
  message: string
  names: string[]
}

/** The ShelfwireError that `work` is rejected with; throws for a success or any other error. */
export async function refusal(work: Promise<unknown>): Promise<Refusal> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof ShelfwireError)) throw error
    return { code: error.code, message: error.message, names: error.faults.map((fault) => fault.name) }
  }
  throw new AssertionError({ message: 'it was not refused' })
}

/** `code: message` of the ShelfwireError that `work` is rejected with; otherwise a text about the actual result, which no test expects. */
export const refusalText = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'it was not refused',
    (error: unknown) => (error instanceof ShelfwireError ? `${error.code}: ${error.message}` : String(error)),
  )

const ABOUT_ENDPOINTS = ['endpoint', 'endpoint_state', 'delivery', 'attempt', 'notice']

/** All rows of an account in the endpoint tables, as text, to check whether anything was written. */
export async function endpointRows(db: Db, accountId: number): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const table of ABOUT_ENDPOINTS) {
    const rows = await db<
      { text: string }[]
    >`select t::text as text from ${db(table)} t where account_id = ${accountId} order by 1`
    found[table] = rows.map((row) => row.text)
  }
  return found
}

/** All rows of all tables, as text. */
export async function wholeDatabase(db: Db): Promise<string> {
  const tables = await db<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`
  const texts: string[] = []
  for (const { name } of tables) {
    const rows = await db<{ text: string }[]>`select t::text as text from ${db(name)} t`
    texts.push(...rows.map((row) => row.text))
  }
  return texts.join('\n')
}
