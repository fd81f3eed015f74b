import type { Tx } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import { Check } from '../../input/check.ts'
import { EVERY_STORE, productExclusionsWrite } from './listings/exclusions.sql.ts'
import { marksAppend } from '../stale/marks.sql.ts'
import { productsWritten, type Written } from '../stale/written.ts'
import { gtinOf } from '../../model/gtin.ts'
import { requireNamed } from '../settings/rules/rule-conditions.ts'
import { checkEan, checkSku } from './overrides/check-overrides.ts'
import { checkWrite, nameOf } from './overrides/check-writes.ts'
import { refuseBackwardSales } from './overrides/sale-overrides.ts'
import type { AttributeOverrideRow, OverrideRow } from './overrides/overrides.sql.ts'
import { type OverrideWrite, writeOverrides } from './overrides/write-overrides.ts'
import { type ListingRow, listingsWrite } from './listings/listings.sql.ts'
import { productSkuSet } from './products.sql.ts'
import { checkSlug, setSlugs, type SlugChange } from './slugs/slugs.ts'
import { primaryEanSet } from './keys/eans.sql.ts'

/** Changes to one product; absent members stay unchanged. */
export interface ProductChanges {
  /** The product's own key. */
  sku?: string | null
  /** The EAN to show; null goes back to the first supplier's. */
  ean?: string | null
  /** A null value resets: the supplier's value is shown again. */
  overrides: Omit<OverrideRow, 'productId'>[]
  /** A null value hides the attribute. */
  attributeOverrides: Omit<AttributeOverrideRow, 'productId'>[]
  /** Attributes to reset to the supplier's value, in one locale or (locale null) in all; applied before `attributeOverrides`. */
  attributeResets: { key: string; locale: string | null }[]
  listings: Omit<ListingRow, 'productId'>[]
  /** Manual exclusions. Store null is every store; reason null removes the exclusion. */
  exclusions: { storeId: number | null; reason: string | null }[]
  slugs?: SlugChange[]
}

/**
 * Changes any of the owner's settings of one product. The caller has locked or created the product, so edits of one product run one at a time. The
 * last statements are sent without being awaited.
 * @throws ShelfwireError unknown-product; invalid-input naming members as `title.pl`, `images.3`, `attributes.color`; conflict for too many
 * overrides, and for a slug that another product has.
 */
export async function editLockedProduct(
  tx: Tx,
  accountId: number,
  productId: number,
  changes: ProductChanges,
): Promise<Written> {
  const clean = checkChanges(productId, changes)
  const { sku } = changes
  await refuseBackwardSales(tx, accountId, clean.overrides, () => '')
  const storeIds = [...clean.listings, ...clean.exclusions, ...clean.slugs]
    .map((row) => row.storeId)
    .filter((id) => id !== 0)
  if (storeIds.length > 0) await requireNamed(tx, accountId, { storeIds: [...new Set(storeIds)] })
  const { ean } = clean
  const of = <T>(rows: readonly T[]) => rows.map((row) => ({ ...row, productId }))
  let isChanged = false
  const note = (written: boolean | readonly number[]) => {
    if (typeof written === 'boolean' ? written : written.length > 0) isChanged = true
  }
  if (sku !== undefined) note(await productSkuSet(tx, accountId, productId, sku))
  if (ean !== undefined)
    note(await primaryEanSet(tx, accountId, productId, ean === null ? null : { ean, gtin: gtinOf(ean) }))
  if (clean.listings.length > 0) note(await listingsWrite(tx, accountId, of(clean.listings)))
  if (clean.exclusions.length > 0) note(await productExclusionsWrite(tx, accountId, of(clean.exclusions)))
  if (clean.slugs.length > 0) note(await setSlugs(tx, accountId, productId, clean.slugs))
  const overrides =
    clean.overrides.length === 0 ? [] : (await writeOverrides(tx, accountId, clean.overrides)).productIds
  // the override writer has already marked its own changes
  if (isChanged && overrides.length === 0) void marksAppend(tx, accountId, [productId])
  return productsWritten(isChanged || overrides.length > 0 ? [productId] : [])
}

/** Validates all changes together. @returns their stored form; store 0 is every store. */
function checkChanges(productId: number, changes: ProductChanges) {
  const check = new Check()
  const sent = changes.overrides.length + changes.attributeOverrides.length + changes.attributeResets.length
  // enough to remove every override that a product may have and to set as many new ones
  const sentMax = 2 * LIMITS.overridesPerProductMax
  check.that(
    sent <= sentMax,
    'body',
    `has ${sent} texts, images and attributes of your own; a request may have ${sentMax}`,
  )
  check.done('product')
  checkSku(check, 'sku', changes.sku ?? null)
  const ean = changes.ean === undefined ? undefined : checkEan(check, 'ean', changes.ean)
  const rows: OverrideWrite[] = [
    ...changes.overrides.map((row) => ({ ...row, productId })),
    ...changes.attributeOverrides.map(({ key, locale, value }) => ({
      productId,
      field: 'attribute' as const,
      key,
      locale,
      value: value ?? (false as const),
    })),
  ]
  const sets = rows.map((row) => checkWrite(check, '', row))
  const resets = changes.attributeResets.map(({ key, locale }) =>
    checkWrite(check, '', { productId, field: 'attribute', key, locale, value: null }),
  )
  const exclusions = changes.exclusions.map(({ storeId, reason }) => {
    const text = reason === null ? null : check.text(`exclusions.${storeId ?? '*'}`, reason, LIMITS.nameLengthMax)
    return { storeId: storeId ?? EVERY_STORE, reason: text }
  })
  const slugs = (changes.slugs ?? []).map((row) => checkSlug(check, productId, row))
  once(check, sets.map(nameOf))
  once(
    check,
    changes.listings.map((row) => `listings.${row.storeId}`),
  )
  once(
    check,
    exclusions.map((row) => `exclusions.${row.storeId}`),
  )
  once(
    check,
    slugs.map((row) => `slugs.${row.storeId}`),
  )
  check.done('product')
  return { ean, overrides: [...resets, ...sets], listings: changes.listings, exclusions, slugs }
}

function once(check: Check, names: readonly string[]): void {
  const seen = new Set<string>()
  for (const name of names) {
    check.that(!seen.has(name), name, 'is duplicated')
    seen.add(name)
  }
}
