import { LIMITS } from '../../platform/limits.ts'
import { summedColumns } from '../mapping/field-columns.ts'
import type { Grouping, Mapping } from '../mapping/mapping.ts'
import { memberText, type Lookup, type Row } from '../rows.ts'

// Collects the values of columns over all rows of a product, as `collect` and `beside` of a grouping state.

/** A column that is read and written in rows. */
export interface Field {
  column: string
  /** Its position in a table; -1 in rows that are objects. */
  place: number
  read(row: Row): unknown
  /** All its values in a row, empty ones included. */
  all(row: Row): readonly unknown[]
}

/** A column as `lookup` finds it. @param isOptional whether a table may lack the column */
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

/** Whether a value is missing, blank, or an empty list. */
export const isEmpty = (value: unknown) => memberText(value) === '' || (Array.isArray(value) && value.length === 0)

/**
 * The different values of a column over rows, at most importCollectedValuesMax: each row of the product would be read with all of them.
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

/** A column that is collected over rows, with the columns that are collected at the same positions. */
interface Collected extends Field {
  beside: readonly Field[]
  /** The mapping adds its values up, so equal ones count each time, and none may be left out. */
  isSummed: boolean
}

type Lists = (readonly [field: Field, values: unknown[]])[]

/** The columns that `collect` and `beside` of a grouping name. */
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

  /** All collected columns, with those of `beside`. */
  get fields(): Field[] {
    return this.#collected.flatMap((field) => [field, ...field.beside])
  }

  /** The collected values of each column, or the reason why the product cannot be read. */
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
 * The values of a column over rows, each once (all if they are added up), and those of the columns of `beside` at the same positions.
 * Undefined if values that are added up are too many.
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
