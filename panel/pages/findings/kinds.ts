import { isObject } from '../../resources/is-object.ts'

// Converts the service's findings to kinds with rows. A newer service may send kinds that this panel does not know.

export type Row = Readonly<Record<string, unknown>>

export interface Kind {
  name: string
  rows: readonly Row[]
}

/** The kind with the gaps of products in stores. */
export const LACKING = 'completeness_stores'

/** The kind with copies of pictures whose source fails. */
export const FAILING_PICTURES = 'pictures_failing'

/** The filter of the product list that finds the products of a row; null if there is none. */
export function filterOf(kind: string, row: Row): Record<string, unknown> | null {
  if (kind === LACKING) return { store: row['store'], incomplete: row['gap'] }
  if (kind === 'ean_collisions') return { search: row['gtin'] }
  if (kind === 'sku_collisions') return { store: row['store'], search: row['sku'] }
  return null
}

/**
 * Each list in the answer is a kind. The lists in an object are kinds whose names join both: "completeness" and
 * "stores" become "completeness_stores".
 */
export function kindsOf(answer: object): Kind[] {
  return Object.entries(answer).flatMap(([name, value]): Kind[] => {
    if (Array.isArray(value)) return [{ name, rows: value.flatMap(rowsOf) }]
    if (!isObject(value)) return []
    return kindsOf(value).map((kind) => ({ ...kind, name: `${name}_${kind.name}` }))
  })
}

/**
 * A row with an inner list becomes one row for each inner entry, with the outer members added. A row whose count is 0
 * is left out.
 */
function rowsOf(value: unknown): Row[] {
  if (!isObject(value)) return [{ value }]
  const inner = Object.entries(value).find(([, member]) => Array.isArray(member) && member.some(isObject))
  if (inner === undefined) return value['products'] === 0 || value['offers'] === 0 ? [] : [value]
  const [name, rows] = inner as [string, unknown[]]
  const own = Object.fromEntries(Object.entries(value).filter(([member]) => member !== name))
  return rows.flatMap((row) => rowsOf({ ...own, ...(isObject(row) ? row : { [name]: row }) }))
}
