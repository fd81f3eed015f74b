// What several ready mappings have in common.

import type { Mapping, Source } from '../mapping/mapping.ts'

/** A ready mapping, what the caller must add to it, and the columns by which a file is recognized. */
export interface Preset {
  mapping: Mapping
  requires: readonly (keyof Mapping)[]
  title: string
  /** Columns of a table, or members of a record in XML. */
  signs: readonly string[]
  /** Columns of which one has to be there as well. */
  oneOf?: readonly string[]
  /** What the beginning of an XML document has whose records are where the mapping says, and nowhere else. */
  holds?: readonly string[]
  /** Columns from which its costs are read that are prices of the shop. */
  sellingPrices: readonly string[]
  /** Whether these have VAT in them. */
  vat: 'included' | 'excluded' | 'unknown'
  /** The column of the key and those of the options, where shops use one key for all versions of a product. */
  repeatedKey?: { key: string; options: readonly Source[] }
}

export const optional = (column: string) => ({ column, optional: true })

/** Keeps what can be an EAN of a column that may hold other codes. */
export const EAN = '^\\D?(\\d{8}|\\d{12,14})$'

/** Numbered columns: `Image {n}` from 1 on. */
export const numbered = (pattern: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => pattern.replace('{n}', String(i + 1)))
