import { integer, type Parameter } from '../../parameters.ts'
import { unknownReference, type Call } from '../written.ts'

// Reads settings: all of a kind, by page and ordered by key, or a single one.

export interface Collection<Row> {
  /** The part of the path below /account. */
  path: string
  noun: string
  /** The member by which the path names a row. */
  key: keyof Row & string
  isKeyNumber: boolean
  rows: (call: Call) => readonly Row[]
  /** Normalizes a key from a path. */
  canonical?: (key: string) => string
}

const keyText: Parameter<string | undefined> = { fallback: undefined, read: (text) => text }

/** The query parameter after whose value a page begins. */
export const afterOf = ({ isKeyNumber }: { isKeyNumber: boolean }) =>
  isKeyNumber ? integer(0, undefined, undefined) : keyText

export function listAll<Row>({ key, rows }: Collection<Row>, call: Call): object {
  const { per_page: perPage, after } = call.query as { per_page: number; after: string | number | undefined }
  const keyOf = (row: Row) => row[key] as string | number
  const all = [...rows(call)].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  const rest = after === undefined ? all : all.filter((row) => after < keyOf(row))
  const data = rest.slice(0, perPage)
  const last = data.at(-1)
  const next = rest.length > perPage && last !== undefined ? keyOf(last) : null
  return { data, meta: { per_page: perPage, total: all.length, next_after: next } }
}

/** The key of the path, normalized. */
export const keyIn = <Row>({ canonical }: Collection<Row>, { params: [key = ''] }: Call): string =>
  canonical?.(key) ?? key

/** The row of the path's key; null where there is none. */
export const findOne = <Row>(collection: Collection<Row>, call: Call): Row | null =>
  collection.rows(call).find((row) => String(row[collection.key]) === keyIn(collection, call)) ?? null

/** @throws Problem unknown-reference */
export function requireOne<Row>(collection: Collection<Row>, call: Call): Row {
  const found = findOne(collection, call)
  if (found !== null) return found
  throw unknownReference(`the account has no ${collection.noun} "${keyIn(collection, call).slice(0, 80)}"`)
}
