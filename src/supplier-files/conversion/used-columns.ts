import { say } from '../../../contract/remarks/remarks.ts'
import type { Mapping } from '../mapping/mapping.ts'
import type { Lookup, Row } from '../rows.ts'

interface Use {
  isRead: boolean
  /** A row has had the column or path. */
  isPresent: boolean
  hasValue: boolean
}

/** Records which columns of the mapping the rows of a file have. */
export class UsedColumns {
  readonly #uses = new Map<string, Use>()

  /** The lookup, which from now on records each column that is read. */
  watched(lookup: Lookup): Lookup {
    const watched: Lookup = (column, isOptional) => {
      const use = this.#uses.get(column) ?? { isRead: false, isPresent: false, hasValue: false }
      this.#uses.set(column, use)
      const get = lookup(column, isOptional)
      return (row: Row) => {
        const value = get(row)
        use.isRead = true
        if (!use.hasValue && value !== undefined) {
          use.isPresent = true
          if (value !== '' && value !== null) use.hasValue = true
        }
        return value
      }
    }
    if (lookup.columns !== undefined) watched.columns = lookup.columns
    return watched
  }

  /** The columns or paths that no row has, each with the field whose source names it directly. */
  missing({ fields }: Mapping): { field: string; column: string }[] {
    return Object.entries(fields).flatMap(([field, source]) =>
      directColumns([source]).flatMap((column) => {
        const use = this.#uses.get(column)
        return use !== undefined && use.isRead && !use.isPresent ? [{ field, column }] : []
      }),
    )
  }

  /**
   * Warnings about paths that no row has, in formats whose rows are objects, and about costs, quantities and titles that are empty in
   * all rows. A path that is one of several possible sources may be missing.
   */
  warnings(mapping: Mapping, isTable: boolean): string[] {
    const { fields } = mapping
    const warnings: string[] = []
    const missing = [...new Set(this.missing(mapping).map(({ column }) => column))]
    if (missing.length > 0 && !isTable) {
      warnings.push(say('columns_missing', { columns: missing.slice(0, 20) }))
    }
    for (const source of [fields.cost, fields.quantity, fields.title]) {
      if (typeof source !== 'string') continue
      const use = this.#uses.get(source)
      if (use?.isPresent === true && !use.hasValue) warnings.push(say('column_empty', { column: source }))
    }
    return warnings
  }
}

/** The columns that sources name directly: not as one of several sources, as optional or with a default. */
function directColumns(sources: readonly unknown[]): string[] {
  return sources.flat().flatMap((source: unknown) => {
    if (typeof source === 'string') return [source]
    if (typeof source !== 'object' || source === null) return []
    // a sum changes if one of its columns is missing
    if ('sum' in source) return directColumns([source.sum])
    if (!('column' in source) || 'default' in source || 'optional' in source) return []
    return typeof source.column === 'string' ? [source.column] : []
  })
}
