import { LIMITS } from '../../platform/limits.ts'
import { summedColumns } from '../mapping/field-columns.ts'
import type { Grouping, Mapping } from '../mapping/mapping.ts'
import { memberText, type Lookup, type Row } from '../rows.ts'

// The columns that are collected over the rows of a product.

/** A column that is read and written in rows. */
export interface Field {
  column: string
  /** In a table; -1 in an object. */
  place: number
  read(row: Row): unknown
  /** What it has in a row, empty values among it. */
  all(row: Row): readonly unknown[]
}

export function fieldOf(column: string, lookup: Lookup, isOptional: boolean): Field {
  const read = lookup(column, isOptional)
  return {
    column,
    place: lookup.columns?.indexOf(column) ?? -1,
    read,
    all: (row) => {
      const value = read(row)
      return Array.isArray(value) ? (value as unknown[]) : [value]
    },
  }
}

export const isEmpty = (value: unknown) => memberText(value) === '' || (Array.isArray(value) && value.length === 0)

/**
 * The first of each value that a column has over rows. More of them than any field takes are not collected, nor looked at: each row of the
 * product would be read with all.
 */
export function distinct(field: Field, rows: readonly Row[]): unknown[] {
  const seen = new Set<string>()
  const kept: unknown[] = []
  for (const row of rows)
    for (const value of field.all(row)) {
      if (kept.length >= LIMITS.importCollectedValuesMax) return kept
      if (isEmpty(value)) continue
      const text = memberText(value)
      if (seen.has(text)) continue
      seen.add(text)
      kept.push(value)
    }
  return kept
}

/** A column that is collected over rows, and those that are collected with it, at the same places. */
interface Collected extends Field {
  beside: readonly Field[]
  /** The mapping adds it up: what is equal counts each time, and nothing may be left out. */
  isSummed: boolean
}

type Lists = (readonly [field: Field, values: unknown[]])[]

/** What `collect` and `beside` of a grouping name. */
export class CollectedColumns {
  readonly #collected: readonly Collected[]

  /** @param field reads a column of the file */
  constructor(mapping: Mapping, grouping: Grouping, field: (column: string) => Field) {
    const beside = Object.entries(grouping.beside ?? {})
    const summed = summedColumns(mapping)
    this.#collected = (grouping.collect ?? []).map((column) => ({
      ...field(column),
      beside: beside.flatMap(([other, collected]) => (collected === column ? [field(other)] : [])),
      isSummed: summed.some((one) => one === column || one.startsWith(`${column}.`)),
    }))
  }

  get isNone(): boolean {
    return this.#collected.length === 0
  }

  /** All of them, with those beside them. */
  get fields(): Field[] {
    return this.#collected.flatMap((field) => [field, ...field.beside])
  }

  /** What each has over rows, or why the product cannot be read. */
  over(rows: readonly Row[]): { lists: Lists } | { fault: string } {
    const lists: Lists = []
    for (const field of this.#collected) {
      const found =
        field.beside.length === 0 && !field.isSummed
          ? [[field, distinct(field, rows)] as const]
          : collectedOf(field, rows)
      if (found === undefined)
        return {
          fault: `the rows of this product have more than ${LIMITS.importCollectedValuesMax} values of ${JSON.stringify(field.column)}, and a sum of some of them would be wrong: check the column of "group", or add them up in the file`,
        }
      lists.push(...found)
    }
    return { lists }
  }
}

/**
 * What a column has over rows, and what the columns beside it have at the places of these values: each value once, or all where they are
 * added up. Undefined where these are too many.
 */
function collectedOf(field: Collected, rows: readonly Row[]): Lists | undefined {
  const found = new Map<string, { value: unknown; beside: unknown[] }>()
  for (const row of rows) {
    const others = field.beside.map((other) => other.all(row))
    for (const [at, value] of field.all(row).entries()) {
      if (isEmpty(value)) continue
      const key = field.isSummed ? String(found.size) : memberText(value)
      const known = found.get(key)
      if (known === undefined && found.size >= LIMITS.importCollectedValuesMax) {
        if (field.isSummed) return undefined
        break
      }
      const beside = others.map((values) => values[at] ?? '')
      if (known !== undefined) known.beside = known.beside.map((old, i) => (isEmpty(old) ? beside[i] : old))
      else found.set(key, { value, beside })
    }
  }
  const all = [...found.values()]
  return [
    [field, all.map(({ value }) => value)],
    ...field.beside.map((other, i) => [other, all.map(({ beside }) => beside[i])] as const),
  ]
}
