// Parts that several ready mappings share.

import type { Mapping, Source } from '../mapping/mapping.ts'

/**
 * A ready mapping, the settings that the caller must add to it (`requires`), and the signs by which its files are
 * recognized.
 */
export interface Preset {
  mapping: Mapping
  requires: readonly (keyof Mapping)[]
  title: string
  /** Columns of a table, or members of an XML record, that a file of the system has. */
  signs: readonly string[]
  /** At least one of these columns must exist, too. */
  oneOf?: readonly string[]
  /**
   * Texts that all occur in the beginning of an XML document of the system; its records are at the mapping's `items`.
   */
  holds?: readonly string[]
  /** The columns of its costs that are selling prices of the shop. */
  sellingPrices: readonly string[]
  /** Whether these prices include VAT. */
  vat: 'included' | 'excluded' | 'unknown'
  /**
   * The column of the key, and those of the options that complete it in shops that use one key for all versions of a
   * product.
   */
  repeatedKey?: { key: string; options: readonly Source[] }
}

/** A source that a table may lack. */
export const optional = (column: string) => ({ column, optional: true })

/** A pattern for `capture` that keeps EANs in a column that may also hold other codes. */
export const EAN = '^\\D?(\\d{8}|\\d{12,14})$'

/** The names of numbered columns: `Image {n}` for n from 1 to `count`. */
export const numbered = (pattern: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => pattern.replace('{n}', String(i + 1)))
