import { groupsList, type GroupRow } from '../../catalog/settings/stores/groups.sql.ts'
import { storesList, type StoreRow } from '../../catalog/settings/stores/stores.sql.ts'
import { suppliersList, type SupplierRow } from '../../catalog/settings/suppliers/suppliers.sql.ts'
import type { Reader } from '../../db/sql.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import { ShelfwireError, type ErrorCode } from '../../platform/errors.ts'

// Finds what users name on a command line: a store by its slug, a supplier by its code, a customer group by its name. Each may also be named by its
// id.

/** A kind of rows that options name. */
interface Kind<Row> {
  noun: string
  unknown: ErrorCode
  /** The command that lists and creates such rows. */
  command: string
  list(reader: Reader, accountId: number): PromiseLike<readonly Row[]>
  idOf(row: Row): number
  nameOf(row: Row): string
}

export const STORE: Kind<StoreRow> = {
  noun: 'store',
  unknown: 'unknown-store',
  command: 'store',
  list: storesList,
  idOf: (row) => row.storeId,
  nameOf: (row) => row.slug,
}
export const SUPPLIER: Kind<SupplierRow> = {
  noun: 'supplier',
  unknown: 'unknown-supplier',
  command: 'supplier',
  list: suppliersList,
  idOf: (row) => row.supplierId,
  nameOf: (row) => row.code,
}
export const GROUP: Kind<GroupRow> = {
  noun: 'customer group',
  unknown: 'unknown-reference',
  command: 'group',
  list: groupsList,
  idOf: (row) => row.groupId,
  nameOf: (row) => row.name,
}

/**
 * The row that a text names by its slug, code or name, or by its id.
 * @throws ShelfwireError unknown-store, unknown-supplier or unknown-reference, with the names that exist; invalid-input if the text matches two of
 * them
 */
export async function named<Row>(reader: Reader, accountId: number, kind: Kind<Row>, text: string): Promise<Row> {
  return find(kind, await kind.list(reader, accountId), text)
}

/** The ids of the rows that an option names, in the order given; undefined when it was not given. @throws ShelfwireError as `named` */
export async function idsNamed<Row>(
  reader: Reader,
  accountId: number,
  kind: Kind<Row>,
  texts: readonly string[] | undefined,
): Promise<number[] | undefined> {
  if (texts === undefined) return undefined
  const rows = await kind.list(reader, accountId)
  return texts.map((text) => kind.idOf(find(kind, rows, text)))
}

function find<Row>(kind: Kind<Row>, rows: readonly Row[], text: string): Row {
  const { noun, command, idOf, nameOf } = kind
  const byName = rows.find((row) => nameOf(row) === text)
  const byId = rows.find((row) => String(idOf(row)) === text)
  if (byName !== undefined && byId !== undefined && byName !== byId)
    throw new ShelfwireError(
      'invalid-input',
      `"${text}" is the id of the ${noun} "${nameOf(byId)}" and the name of the ${noun} with the id ${idOf(byName)}: give "${nameOf(byId)}" or ${idOf(byName)}`,
    )
  const found = byName ?? byId
  if (found !== undefined) return found
  if (rows.length === 0)
    throw new ShelfwireError(
      kind.unknown,
      `the account has no ${noun} "${text}" and no other; create one with: shelfwire ${command} create`,
    )
  const nearest = rows.toSorted((a, b) => likeness(nameOf(b), text) - likeness(nameOf(a), text)).slice(0, SHOWN)
  const names = nearest.map((row) => `"${nameOf(row)}" (${idOf(row)})`).join(', ')
  const rest = rows.length > SHOWN ? ` and ${rows.length - SHOWN} more, see: shelfwire ${command} list` : ''
  throw new ShelfwireError(kind.unknown, `the account has no ${noun} "${text}"; it has ${names}${rest}`)
}

/** How many names an error lists; the most similar ones first. */
const SHOWN = 5

/** The share of pairs of letters that two names have in common, from 0 to 1, regardless of case. */
function likeness(a: string, b: string): number {
  const [pairs, others] = [pairsOf(a), pairsOf(b)]
  return (2 * [...pairs].filter((pair) => others.has(pair)).length) / (pairs.size + others.size || 1)
}

function pairsOf(name: string): Set<string> {
  const text = ` ${name.toLowerCase()} `
  return new Set(Array.from({ length: text.length - 1 }, (_, at) => text.slice(at, at + 2)))
}

/** The URL of the service: PUBLIC_URL, or the address that it listens on by its settings. */
export function addressOf({ publicUrl, host, port }: Settings): string {
  return publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
