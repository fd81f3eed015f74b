import type { Tx } from '../../../db/sql.ts'
import { LIMITS } from '../../../platform/limits.ts'
import { productsWritten, type Written } from '../../stale/written.ts'
import { endsBeforeItBegins, isSaleDay, SALE_DAYS } from './sale-overrides.ts'
import { attributesAt, overrideCounts, overridesAt, type OverrideRow } from './overrides.sql.ts'
import {
  writeOverrides,
  type AttributeOverrideWrite,
  type OverrideOutcome,
  type OverrideWrite,
} from './write-overrides.ts'

/** A row that writes one override: of one product, field (or attribute) and locale. */
export type OverrideRowWrite = (OverrideRow | (AttributeOverrideWrite & { locale: string })) & {
  /** The value that the row expects to replace: null for none, false for a hidden attribute; undefined: any. */
  expected?: string | false | null | undefined
}

/**
 * `too-many`: skipped, because the product has as many overrides as it may have; `not-expected`: skipped, because the current value is not the
 * expected one; `backward-sale`: skipped, because the product's sale would end before it begins once all rows are written.
 */
export type OverrideRowOutcome = OverrideOutcome | 'too-many' | 'not-expected' | 'backward-sale'

/**
 * Writes overrides as if the rows were written one after the other: of several rows for one override the last counts, and a row that removes an
 * override makes room for a later one. The caller has checked the rows and locked the products (productsLockExclusive). Three statements read, the
 * others are those of writeOverrides.
 * @returns the outcome of each row, in the order of the rows.
 */
export async function writeOverrideRows(
  tx: Tx,
  accountId: number,
  rows: readonly OverrideRowWrite[],
): Promise<Written<OverrideRowOutcome[]>> {
  const places = new Map(rows.map((row) => [placeOf(row), row]))
  const { values, counts } = await readPlaces(tx, accountId, [...places.values()])
  const before = new Map(values)
  const stepped = rows.map((row) => applyRow(values, counts, row))
  const backward = restoreBackwardSales(values, before, rows)
  const outcomes = rows.map((row, i): OverrideRowOutcome => {
    const outcome = stepped[i] ?? 'unchanged'
    return backward.has(placeOf(row)) && (outcome === 'created' || outcome === 'changed') ? 'backward-sale' : outcome
  })
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

/**
 * Restores the earlier sale days of products whose sale would end before it begins. Checked after all rows, because a client that moves a sale may
 * send its two days in either order.
 * @returns the places of these days
 */
function restoreBackwardSales(
  values: Map<string, Value>,
  before: ReadonlyMap<string, Value>,
  rows: readonly OverrideRowWrite[],
): ReadonlySet<string> {
  const left = new Set<string>()
  for (const productId of new Set(rows.filter(isSaleDay).map((row) => row.productId))) {
    const places = SALE_DAYS.map((field) => placeOf({ productId, field, locale: '' }))
    const [begins, ends] = places.map((place) => values.get(place))
    if (typeof begins !== 'string' || typeof ends !== 'string' || !endsBeforeItBegins(begins, ends)) continue
    for (const place of places) {
      left.add(place)
      const old = before.get(place)
      if (old === undefined) values.delete(place)
      else values.set(place, old)
    }
  }
  return left
}

/** The current values of the overrides at these places, and how many overrides each product has. */
async function readPlaces(
  tx: Tx,
  accountId: number,
  rows: readonly OverrideRowWrite[],
): Promise<{ values: Map<string, Value>; counts: Map<number, number> }> {
  const others = rows.filter(isSaleDay).flatMap(({ productId }) =>
    // the sale day that no row changes is needed for the comparison
    SALE_DAYS.map((field) => ({ productId, field, locale: '' })),
  )
  const fields = [...rows.filter((row) => row.field !== 'attribute'), ...others]
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

/** Applies one row to the values and counts that the rows before it left. */
function applyRow(values: Map<string, Value>, counts: Map<number, number>, row: OverrideRowWrite): OverrideRowOutcome {
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
