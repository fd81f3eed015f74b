import { LIMITS } from '../../platform/limits.ts'
import { lettersOf } from './name-letters.ts'
import { textAt, type SampleRows } from './sample-columns.ts'

// A sample as a table, and the columns that matter for groups of rows.

/** Longer names are texts. */
const NAME_LENGTH_MAX = 200

/** The sample as a table of texts; '' for objects without a text of their own, and for lists. */
export class Table {
  readonly names: readonly string[]
  readonly #columns: ReadonlyMap<string, readonly string[]>

  constructor(rows: SampleRows) {
    const names = new Set(rows.flatMap((row) => Object.keys(row)))
    this.names = [...names]
      .filter((name) => name.length <= NAME_LENGTH_MAX)
      .slice(0, LIMITS.detectValuesMax / rows.length)
    this.#columns = new Map(this.names.map((name) => [name, rows.map((row) => textAt(row, name))]))
  }

  at(row: number, name: string): string {
    return this.values(name)[row] ?? ''
  }

  values(name: string): readonly string[] {
    return this.#columns.get(name) ?? []
  }
}

/** The columns of fields that matter for groups. */
export interface Places {
  key: string
  titles: readonly string[]
  /** Columns whose values are never taken from the product. */
  own: ReadonlySet<string>
  cost: string | undefined
  quantity: string | undefined
}

/** The letters and digits of a name in lower case, without its parts in brackets. */
export const simplified = (name: string): string => lettersOf(name.replace(/\[[^\]]*\]|\([^)]*\)/g, ''))
/** The column of a source that reads one; undefined for other sources. */
export const columnOf = (source: unknown): string | undefined =>
  typeof source === 'string'
    ? source
    : typeof source === 'object' && source !== null && 'column' in source && typeof source.column === 'string'
      ? source.column
      : undefined

/** Whether a field is a title, in any language. */
export const isTitle = (field: string) => field === 'title' || field.startsWith('title.')

/** The columns of the proposed fields; undefined without a key from a single column. */
export function placesOf(fields: Readonly<Record<string, unknown>>): Places | undefined {
  const of = (field: string) => columnOf(fields[field])
  const key = of('sku')
  if (key === undefined) return undefined
  const titles = Object.keys(fields)
    .filter(isTitle)
    .flatMap((field) => of(field) ?? [])
  const [cost, quantity] = [of('cost'), of('quantity')]
  const eans = [fields['ean']].flat().flatMap((source) => columnOf(source) ?? [])
  return {
    key,
    titles,
    cost,
    quantity,
    // a version without a list price has none, even if another version has one
    own: new Set([key, ...eans, ...[cost, quantity, of('list_price')].flatMap((name) => name ?? [])]),
  }
}
