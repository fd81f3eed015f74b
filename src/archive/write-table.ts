import type { Tx } from '../db/sql.ts'
import { refusalOf } from '../db/statements/violations.ts'
import { must } from '../platform/must.ts'
import { rowsInsert, type InsertedColumn } from './import-rows.sql.ts'
import { IMPORTED_TABLES, SKIP, type ImportedTable, type RowContext } from './imported.ts'
import { EXPORTED_TABLES } from './kinds.ts'
import { pagesOfLines, type Line } from './lines.ts'
import { idColumn } from './new-ids.ts'
import { inText, archiveRefusal } from './refused.ts'
import { columnsList, type Column } from './rows.sql.ts'
import { faultOfRow } from './shape.ts'

// Writes the rows of one table, page by page: ids are looked up in memory, and each page is one statement (two if its rows get ids).

/** A table as its file in the archive has it. */
interface Table {
  name: string
  rules: ImportedTable
  /** The types of the columns in each of its rows; null: a secret. */
  types: ReadonlyMap<string, string | null>
  inserted: readonly InsertedColumn[]
}

/**
 * @param isOfThisSchema whether the archive has all columns of this release
 * @returns how many rows the table had
 * @throws ShelfwireError invalid-input with the file and the line
 */
export async function writeTable(
  tx: Tx,
  context: RowContext,
  name: string,
  isOfThisSchema: boolean,
  body: AsyncIterable<Buffer>,
  onRows: (rows: number) => void,
): Promise<number> {
  const path = `${name}.ndjson`
  let table: Table | undefined
  let rows = 0
  for await (const lines of pagesOfLines(path, body)) {
    table ??= tableOf(name, await columnsList(tx, name), lines, isOfThisSchema)
    await writePage(tx, context, table, lines)
    onRows((rows += lines.length))
  }
  return rows
}

/** @param lines the first lines of the file: all rows have the same columns, and in an archive of an older release later columns are missing */
function tableOf(name: string, columns: readonly Column[], lines: readonly Line[], isOfThisSchema: boolean): Table {
  const rules = must(IMPORTED_TABLES[name])
  const { without = {} } = EXPORTED_TABLES[name] ?? {}
  const first = lines[0]?.row ?? {}
  const types = new Map<string, string | null>()
  for (const column of columns) {
    const left = without[column.name]
    if (column.name === 'account_id' || (left !== undefined && left.kind !== 'secret')) continue
    if (isOfThisSchema || Object.hasOwn(first, column.name))
      types.set(column.name, left === undefined ? column.type : null)
  }
  const given = new Set([
    ...(rules.id === undefined ? [] : [idColumn(rules.id)]),
    ...Object.keys(rules.names ?? {}),
    ...Object.keys(rules.lists ?? {}),
    ...(rules.gives ?? []),
  ])
  const inserted = columns
    .filter((column) => column.name !== rules.numbered && (types.has(column.name) || given.has(column.name)))
    .map((column) => ({ name: column.name, type: column.type, isGiven: given.has(column.name) }))
  return { name, rules, types, inserted }
}

async function writePage(tx: Tx, context: RowContext, table: Table, lines: readonly Line[]): Promise<void> {
  const { name, rules, types, inserted } = table
  const place = ({ number }: Line) => `${name}.ndjson, line ${number}`
  for (const line of lines) {
    const fault = faultOfRow(line.row, types)
    if (fault !== null) throw archiveRefusal(place(line), fault)
  }
  const ids = await newIds(context, table, lines)
  const texts: string[] = []
  const given: string[] = []
  for (const [at, line] of lines.entries()) {
    const values: Record<string, unknown> = {}
    if (rules.id !== undefined) values[idColumn(rules.id)] = ids[at]
    const fault = named(context, rules, line.row, values) ?? rules.change?.(line.row, values, context) ?? null
    if (fault === SKIP) continue
    if (fault !== null) throw archiveRefusal(place(line), fault)
    texts.push(line.text)
    given.push(JSON.stringify(values))
  }
  if (texts.length === 0) return
  try {
    await rowsInsert(tx, context.accountId, name, inserted, texts, given)
  } catch (error) {
    const why = refusalOf(error)
    if (why === null) throw error
    throw archiveRefusal(`${name}.ndjson, lines ${lines[0]?.number} to ${lines.at(-1)?.number}`, why, error)
  }
}

async function newIds({ ids }: RowContext, { name, rules }: Table, lines: readonly Line[]): Promise<number[]> {
  if (rules.id === undefined) return []
  const column = idColumn(rules.id)
  const old = lines.map(({ row }) => Number(row[column]))
  const unfit = old.findIndex((id) => id < 1)
  if (unfit >= 0) throw archiveRefusal(`${name}.ndjson, line ${lines[unfit]?.number}`, `${column} is no id`)
  const made = await ids.give(rules.id, old)
  if ('ids' in made) return made.ids
  throw archiveRefusal(
    `${name}.ndjson, line ${lines[made.wrong]?.number}`,
    `${column} is not behind that of the row before: a row is there twice, or moved`,
  )
}

/** Replaces old ids by new ones in `values`. @returns what the row refers to that is not in the archive; undefined: nothing */
function named(
  { ids }: RowContext,
  { names = {}, zero = [], lists = {} }: ImportedTable,
  row: Line['row'],
  values: Record<string, unknown>,
): string | undefined {
  for (const [column, kind] of Object.entries(names)) {
    const old = row[column]
    if (typeof old !== 'number' || (old === 0 && zero.includes(column))) values[column] = old ?? null
    else {
      const id = ids.of(kind, old)
      if (id === undefined) return `${column} names ${inText(String(old))}, and no ${kind} of the archive has that id`
      values[column] = id
    }
  }
  for (const [column, kind] of Object.entries(lists)) {
    const old = row[column]
    if (!Array.isArray(old)) {
      values[column] = null
      continue
    }
    const found = old.map((id: number) => ids.of(kind, id))
    const missing = found.indexOf(undefined)
    if (missing >= 0)
      return `${column} names ${inText(String(old[missing]))}, and no ${kind} of the archive has that id`
    values[column] = found
  }
  return undefined
}
