import { changeUse } from '../../../accounts/limits/use.ts'
import type { Tx } from '../../../db/sql.ts'
import { slicesBySize } from '../../../db/statements/statement-slices.ts'
import { ShelfwireError } from '../../../platform/errors.ts'
import { LIMITS } from '../../../platform/limits.ts'
import { marksAppend } from '../../stale/marks.sql.ts'
import { productsWritten, type Written } from '../../stale/written.ts'
import {
  attributesDelete,
  attributesDeleteAllLocales,
  attributesUpsert,
  overrideCounts,
  type OverrideRow,
  overridesDelete,
  overridesUpsert,
} from './overrides.sql.ts'

/** An override of an attribute of one product. */
export interface AttributeOverrideWrite {
  productId: number
  field: 'attribute'
  key: string
  /** '' is the value for every locale. null only together with the value null: resets the attribute in every locale. */
  locale: string | null
  /** false hides the attribute; null resets it: the imported value is shown again. */
  value: string | false | null
}

/** One override: of a title, description, manufacturer, category or the images, or of an attribute. */
export type OverrideWrite = OverrideRow | AttributeOverrideWrite

export type OverrideOutcome = 'created' | 'changed' | 'unchanged'

/**
 * Writes overrides of any number of products and marks the products that changed; the only writer of overrides. The caller has checked the rows,
 * names each override at most once, and has locked the products (productsLockExclusive), so that the limit is checked against committed rows. The
 * number of statements depends on the size of the rows and not on their number. The marks are sent without being awaited.
 * @returns the outcome of each row, in the order of the rows.
 * @throws ShelfwireError conflict when a product would have too many; quota-exceeded for the account.
 */
export async function writeOverrides(
  tx: Tx,
  accountId: number,
  rows: readonly OverrideWrite[],
): Promise<Written<OverrideOutcome[]>> {
  const sets = partSets(rows)
  const resets = partResets(rows)
  const isNewByPlace = new Map<string, boolean>()
  let overrides = 0
  const note = (written: readonly (Place & { isNew?: boolean })[]) => {
    for (const row of written) isNewByPlace.set(placeOf(row), row.isNew ?? false)
  }
  const removed = <Row extends Place>(rows: readonly Row[]): readonly Row[] => {
    overrides -= rows.length
    return rows
  }
  // resets first: an attribute may be reset in all locales and set in one
  if (resets.everywhere.length > 0)
    for (const row of removed(await attributesDeleteAllLocales(tx, accountId, resets.everywhere)))
      isNewByPlace.set(placeOf({ ...row, locale: null }), false)
  if (resets.attributes.length > 0) note(removed(await attributesDelete(tx, accountId, resets.attributes)))
  if (resets.fields.length > 0) note(removed(await overridesDelete(tx, accountId, resets.fields)))
  for (const slice of slicesBySize(sets.fields.toSorted(byProduct), sizeOf))
    note(await overridesUpsert(tx, accountId, slice))
  for (const slice of slicesBySize(sets.attributes.toSorted(byProduct), sizeOf))
    note(await attributesUpsert(tx, accountId, slice))
  const isNew = (row: Place) => isNewByPlace.get(placeOf(row)) === true
  const created = [...sets.fields, ...sets.attributes].filter(isNew)
  await changeUse(tx, accountId, { overrides: overrides + created.length })
  const grown = new Set(created.map((row) => row.productId))
  const counts = grown.size === 0 ? [] : await overrideCounts(tx, accountId, [...grown])
  const full = counts.filter(({ count }) => count > LIMITS.overridesPerProductMax).map(({ productId }) => productId)
  if (full.length > 0) throw tooMany(Math.min(...full))
  const outcomes = rows.map((row): OverrideOutcome => {
    const wasNew = isNewByPlace.get(placeOf(row))
    if (wasNew === undefined) return 'unchanged'
    return wasNew ? 'created' : 'changed'
  })
  const changed = rows.flatMap((row, i) => (outcomes[i] === 'unchanged' ? [] : [row.productId]))
  const written = productsWritten(changed, outcomes)
  void marksAppend(tx, accountId, written.productIds)
  return written
}

/** Identifies an override, as a row of either table or as a caller's row. */
type Place = { productId: number; locale: string | null } & ({ field: string } | { key: string })

function placeOf(row: Place): string {
  const name = 'key' in row ? `attribute ${row.key}` : row.field
  return `${row.productId} ${row.locale ?? '*'} ${name}`
}

const byProduct = (a: { productId: number }, b: { productId: number }) => a.productId - b.productId
const sizeOf = ({ value }: { value: string | null }) => value?.length ?? 0

function partSets(rows: readonly OverrideWrite[]) {
  return {
    fields: rows.flatMap((row) =>
      row.field === 'attribute' || row.value === null ? [] : [{ ...row, value: row.value }],
    ),
    attributes: rows.flatMap((row) =>
      row.field !== 'attribute' || row.value === null
        ? []
        : [
            {
              productId: row.productId,
              key: row.key,
              locale: row.locale ?? '',
              value: row.value === false ? null : row.value,
            },
          ],
    ),
  }
}

function partResets(rows: readonly OverrideWrite[]) {
  const attributes = rows.flatMap((row) => (row.field === 'attribute' && row.value === null ? [row] : []))
  return {
    fields: rows.flatMap((row) => (row.field !== 'attribute' && row.value === null ? [row] : [])),
    attributes: attributes.flatMap(({ productId, key, locale }) =>
      locale === null ? [] : [{ productId, key, locale }],
    ),
    everywhere: attributes.flatMap(({ productId, key, locale }) => (locale === null ? [{ productId, key }] : [])),
  }
}

function tooMany(productId: number): ShelfwireError {
  return new ShelfwireError(
    'conflict',
    `product ${productId} would have more than ${LIMITS.overridesPerProductMax} texts, images and attributes of your own; remove some first`,
  )
}
