import type { Tx } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import { productsWritten, type Written } from '../stale/written.ts'
import { attributesAt, overrideCounts, overridesAt, type OverrideRow } from './overrides.sql.ts'
import {
  writeOverrides,
  type AttributeOverrideWrite,
  type OverrideOutcome,
  type OverrideWrite,
} from './write-overrides.ts'

/** One override in one place. */
export type OverrideRowWrite = (OverrideRow | (AttributeOverrideWrite & { locale: string })) & {
  /** The override that it is to replace, null for none; undefined: whichever there is. */
  expected?: string | false | null | undefined
}

/**
 * `too-many`: left out, because the product has as many overrides as it may have; `not-expected`: left out, because another
 * value is there than the row was made for.
 */
export type OverrideRowOutcome = OverrideOutcome | 'too-many' | 'not-expected'

/**
 * Writes overrides as if the rows were written one after the other: of several rows of one place the last counts, and a
 * row that removes an override makes room for a later one. The caller has checked the rows and locked the products
 * (productsLockExclusive). Three statements read, the others are those of writeOverrides.
 * @returns the outcome of each row, in their order.
 */
export async function writeOverrideRows(
  tx: Tx,
  accountId: number,
  rows: readonly OverrideRowWrite[],
): Promise<Written<OverrideRowOutcome[]>> {
  const places = new Map(rows.map((row) => [placeOf(row), row]))
  const { values, counts } = await readPlaces(tx, accountId, [...places.values()])
  const before = new Map(values)
  const outcomes = rows.map((row) => step(values, counts, row))
  const changed = [...places].flatMap(([place, row]): OverrideWrite[] => {
    const value = values.get(place)
    return value === before.get(place) ? [] : [withValue(row, value)]
  })
  if (changed.length === 0) return productsWritten([], outcomes)
  const written = await writeOverrides(tx, accountId, changed)
  return { ...written, value: outcomes }
}

/** The value of an override; false hides an attribute, undefined: there is none. */
type Value = string | false | undefined

function placeOf(row: { productId: number; locale: string; field: string } & ({ key: string } | object)): string {
  return `${row.productId} ${row.field} ${row.locale} ${'key' in row ? row.key : ''}`
}

/** Which of the places have an override, and how many their products have. */
async function readPlaces(
  tx: Tx,
  accountId: number,
  rows: readonly OverrideRowWrite[],
): Promise<{ values: Map<string, Value>; counts: Map<number, number> }> {
  const fields = rows.filter((row) => row.field !== 'attribute')
  const attributes = rows.filter((row) => row.field === 'attribute')
  const growing = new Set(rows.map((row) => row.productId))
  const [texts, named, counted] = [
    fields.length === 0 ? [] : await overridesAt(tx, accountId, fields),
    attributes.length === 0 ? [] : await attributesAt(tx, accountId, attributes),
    growing.size === 0 ? [] : await overrideCounts(tx, accountId, [...growing]),
  ]
  const values = new Map<string, Value>(texts.map((row) => [placeOf(row), row.value]))
  for (const row of named) values.set(placeOf({ ...row, field: 'attribute' }), row.value ?? false)
  return { values, counts: new Map(counted.map(({ productId, count }) => [productId, count])) }
}

/** What a row comes to after the rows before it. */
function step(values: Map<string, Value>, counts: Map<number, number>, row: OverrideRowWrite): OverrideRowOutcome {
  const place = placeOf(row)
  const old = values.get(place)
  const count = counts.get(row.productId) ?? 0
  if (row.expected !== undefined && row.expected !== (old ?? null)) return 'not-expected'
  if (row.value === null) {
    if (old === undefined) return 'unchanged'
    values.delete(place)
    counts.set(row.productId, count - 1)
    return 'changed'
  }
  if (old === row.value) return 'unchanged'
  if (old === undefined) {
    if (count >= LIMITS.overridesPerProductMax) return 'too-many'
    counts.set(row.productId, count + 1)
  }
  values.set(place, row.value)
  return old === undefined ? 'created' : 'changed'
}

function withValue(row: OverrideRowWrite, value: Value): OverrideWrite {
  if (row.field === 'attribute') return { ...row, value: value ?? null }
  return { ...row, value: typeof value === 'string' ? value : null }
}
