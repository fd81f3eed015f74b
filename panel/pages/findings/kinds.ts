// Findings as the service answers them, made into kinds with rows. A newer service may answer kinds that this panel does not know.

export type Row = Readonly<Record<string, unknown>>

export interface Kind {
  name: string
  rows: readonly Row[]
}

/** The kind of what products lack in stores. */
export const LACKING = 'completeness_stores'

/** The kind of copies of pictures whose source fails. */
export const FAILING_PICTURES = 'pictures_failing'

/** The filter of the list of products that finds those that a row is about; null: it has none for them. */
export function filterOf(kind: string, row: Row): Record<string, unknown> | null {
  if (kind === LACKING) return { store: row['store'], incomplete: row['gap'] }
  if (kind === 'ean_collisions') return { search: row['gtin'] }
  if (kind === 'sku_collisions') return { store: row['store'], search: row['sku'] }
  return null
}

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Each list of the answer is a kind; the lists of an object are kinds named for both ("completeness" and "stores" are
 * "completeness_stores").
 */
export function kindsOf(answer: object): Kind[] {
  return Object.entries(answer).flatMap(([name, value]): Kind[] => {
    if (Array.isArray(value)) return [{ name, rows: value.flatMap(rowsOf) }]
    if (!isRow(value)) return []
    return kindsOf(value).map((kind) => ({ ...kind, name: `${name}_${kind.name}` }))
  })
}

/** A row with a list of others within is each of those, with its own members. What is counted as none is no finding. */
function rowsOf(value: unknown): Row[] {
  if (!isRow(value)) return [{ value }]
  const inner = Object.entries(value).find(([, member]) => Array.isArray(member) && member.some(isRow))
  if (inner === undefined) return value['products'] === 0 || value['offers'] === 0 ? [] : [value]
  const [name, rows] = inner as [string, unknown[]]
  const own = Object.fromEntries(Object.entries(value).filter(([member]) => member !== name))
  return rows.flatMap((row) => rowsOf({ ...own, ...(isRow(row) ? row : { [name]: row }) }))
}
