import type { Tx } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import { Check } from '../../input/check.ts'
import { canonicalLocale } from '../../input/locale.ts'
import { productExclusionsWrite } from './exclusions.sql.ts'
import { marksAppend } from '../stale/marks.sql.ts'
import { gtinOf } from '../../model/gtin.ts'
import { requireNamed } from '../settings/rule-conditions.ts'
import { checkAttributeOverride, checkEan, checkOverride, checkSku } from './check-overrides.ts'
import { requireUncrowded, unknownProducts } from './require-products.ts'
import {
  type AttributeOverrideRow,
  attributeOverridesDelete,
  attributeOverridesUpsert,
  type AttributeReset,
  type OverrideRow,
  overridesWrite,
} from './overrides.sql.ts'
import { type ListingRow, listingsWrite } from './listings.sql.ts'
import { productLock, productSkuSet } from './products.sql.ts'
import { primaryEanSet } from './eans.sql.ts'

/** What an edit changes of one product; what is not named stays. */
export interface ProductChanges {
  /** The product's own key. */
  sku?: string | null
  /** The one that is shown; null goes back to the first supplier's. */
  ean?: string | null
  /** A null value shows the supplier's again. */
  overrides: Omit<OverrideRow, 'productId'>[]
  /** A null value hides the attribute. */
  attributeOverrides: Omit<AttributeOverrideRow, 'productId'>[]
  /** Attributes that show the supplier's value again, in one locale or (null) in all; done before `attributeOverrides`. */
  attributeResets: Omit<AttributeReset, 'productId'>[]
  listings: Omit<ListingRow, 'productId'>[]
  /** By hand; store null is every store, and a null reason takes the exclusion away. */
  exclusions: { storeId: number | null; reason: string | null }[]
}

/**
 * Holds a product to the end of the transaction, so that what is read of it is what an edit in it will meet: edits of one
 * product take turns. @returns whether the account has it; a deleted one it has not.
 */
export function productHold(tx: Tx, accountId: number, productId: number): Promise<boolean> {
  return productLock(tx, accountId, productId)
}

/**
 * Changes any of what the owner says of one product, with one mark if that is news. Edits of one product take turns.
 * @returns the product's id, when anything changed.
 * @throws ShelfwireError unknown-product; invalid-input naming members as `title.pl`, `images.3`, `attributes.color`; conflict for
 *   too many overrides.
 */
export async function editProduct(
  tx: Tx,
  accountId: number,
  productId: number,
  changes: ProductChanges,
): Promise<number[]> {
  const clean = checkChanges(changes)
  if (!(await productLock(tx, accountId, productId))) throw unknownProducts([productId])
  const storeIds = [...clean.listings, ...clean.exclusions].map((row) => row.storeId).filter((id) => id !== 0)
  if (storeIds.length > 0) await requireNamed(tx, accountId, { storeIds: [...new Set(storeIds)] })
  const { sku } = changes
  const { ean } = clean
  const of = <T>(rows: readonly T[]) => rows.map((row) => ({ ...row, productId }))
  let isNews = false
  const note = (written: boolean | readonly number[]) => {
    if (typeof written === 'boolean' ? written : written.length > 0) isNews = true
  }
  if (sku !== undefined) note(await productSkuSet(tx, accountId, productId, sku))
  if (ean !== undefined)
    note(await primaryEanSet(tx, accountId, productId, ean === null ? null : { ean, gtin: gtinOf(ean) }))
  if (clean.overrides.length > 0) note(await overridesWrite(tx, accountId, of(clean.overrides)))
  if (clean.attributeResets.length > 0) note(await attributeOverridesDelete(tx, accountId, of(clean.attributeResets)))
  if (clean.attributeOverrides.length > 0)
    note(await attributeOverridesUpsert(tx, accountId, of(clean.attributeOverrides)))
  if (isNews && clean.overrides.length + clean.attributeOverrides.length > 0)
    await requireUncrowded(tx, accountId, [productId])
  if (clean.listings.length > 0) note(await listingsWrite(tx, accountId, of(clean.listings)))
  if (clean.exclusions.length > 0) note(await productExclusionsWrite(tx, accountId, of(clean.exclusions)))
  if (!isNews) return []
  await marksAppend(tx, accountId, [productId])
  return [productId]
}

/** Checks the form of all changes together. @returns them as they are kept; store 0 is every store. */
function checkChanges(changes: ProductChanges) {
  const check = new Check()
  checkSku(check, 'sku', changes.sku ?? null)
  const ean = changes.ean === undefined ? undefined : checkEan(check, 'ean', changes.ean)
  const overrides = changes.overrides.map((row) => checkOverride(check, '', row))
  const attributeOverrides = changes.attributeOverrides.map((row) => checkAttributeOverride(check, '', row))
  const attributeResets = changes.attributeResets.map(({ key, locale }) => ({
    key,
    locale: locale === null || locale === '' ? locale : (canonicalLocale(locale) ?? locale),
  }))
  const exclusions = changes.exclusions.map(({ storeId, reason }) => {
    if (reason !== null) check.text(`exclusions.${storeId ?? '*'}`, reason, LIMITS.nameLengthMax)
    return { storeId: storeId ?? 0, reason }
  })
  once(
    check,
    overrides.map((row) => (row.locale === '' ? row.field : `${row.field}.${row.locale}`)),
  )
  once(
    check,
    attributeOverrides.map((row) =>
      row.locale === '' ? `attributes.${row.key}` : `attributes.${row.key}.${row.locale}`,
    ),
  )
  once(
    check,
    changes.listings.map((row) => `listings.${row.storeId}`),
  )
  once(
    check,
    exclusions.map((row) => `exclusions.${row.storeId}`),
  )
  check.done('product')
  return { ean, overrides, attributeOverrides, attributeResets, listings: changes.listings, exclusions }
}

function once(check: Check, names: readonly string[]): void {
  const seen = new Set<string>()
  for (const name of names) {
    check.that(!seen.has(name), name, 'is duplicated')
    seen.add(name)
  }
}
