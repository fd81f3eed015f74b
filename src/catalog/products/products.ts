import type { Tx } from '../../db/sql.ts'
import { Check } from '../../input/check.ts'
import { BOUNDS } from '../../input/decimal.ts'
import { marksAppend } from '../stale/marks.sql.ts'
import { gtinOf } from '../../model/gtin.ts'
import { requireNamed } from '../settings/rule-conditions.ts'
import { checkAttributeOverride, checkEan, checkOverride, checkSku } from './check-overrides.ts'
import { requireProducts, requireUncrowded, unknownProducts } from './require-products.ts'
import { productIdsTake, productLock, productsDelete, productsInsert } from './products.sql.ts'
import { primaryEanSet, primaryEansInsert } from './eans.sql.ts'
import { ownStockDelete, type OwnStockRow, ownStockUpsert } from './own-stock.sql.ts'
import {
  type AttributeOverrideRow,
  attributeOverridesDelete,
  attributeOverridesUpsert,
  type OverrideRow,
  overridesWrite,
} from './overrides.sql.ts'
import { listingsWrite } from './listings.sql.ts'

// What the account's owner says about single products. Every function marks exactly the products it changed and returns
// their ids, so that the caller can shelve them before it answers.

export interface NewProduct {
  sku?: string | null
  ean?: string | null
}

/** Creates products without any offer, in the order given. Faults of one among several are named `3.sku`. */
export async function createProducts(tx: Tx, accountId: number, products: readonly NewProduct[]): Promise<number[]> {
  const check = new Check()
  const clean = products.map(({ sku = null, ean = null }, i) => {
    const at = products.length === 1 ? '' : `${i}.`
    checkSku(check, `${at}sku`, sku)
    return { sku, ean: checkEan(check, `${at}ean`, ean) }
  })
  check.done('product')
  const ids = await productIdsTake(tx, accountId, products.length)
  const rows = clean.map((product, i) => ({ productId: ids[i] ?? 0, ...product }))
  const eans = rows.flatMap(({ productId, ean }) => (ean === null ? [] : [{ productId, ean, gtin: gtinOf(ean) }]))
  await productsInsert(tx, accountId, rows)
  await primaryEansInsert(tx, accountId, eans)
  await marksAppend(tx, accountId, ids)
  return ids
}

/** Deletes products with their offers, stock and overrides; every store that listed them announces `removed`. */
export async function deleteProducts(tx: Tx, accountId: number, productIds: readonly number[]): Promise<number[]> {
  const gone = await productsDelete(tx, accountId, productIds)
  await marksAppend(tx, accountId, gone)
  return gone
}

/** Sets own stock; one row a product. Negative quantities count as 0. */
export async function setOwnStock(tx: Tx, accountId: number, rows: readonly OwnStockRow[]): Promise<number[]> {
  const check = new Check()
  const clean = rows.map((row) => {
    const quantity = Math.max(0, row.quantity)
    const of = rows.length === 1 ? '' : `${row.productId}.`
    check.quantity(`${of}quantity`, quantity)
    const cost = row.cost === null ? null : check.decimal(`${of}cost`, row.cost, BOUNDS.amount)
    return { ...row, quantity, cost }
  })
  check.that(new Set(rows.map((row) => row.productId)).size === rows.length, 'product_id', 'is duplicated')
  check.done('own stock')
  await requireProducts(
    tx,
    accountId,
    rows.map((row) => row.productId),
  )
  return marked(tx, accountId, await ownStockUpsert(tx, accountId, clean), 'price')
}

/** Takes own stock away: the product is sold from suppliers alone. */
export async function clearOwnStock(tx: Tx, accountId: number, productIds: readonly number[]): Promise<number[]> {
  return marked(tx, accountId, await ownStockDelete(tx, accountId, productIds), 'price')
}

/**
 * Sets overrides of titles, descriptions, manufacturers, categories and images, these as the JSON array of their URLs; a
 * null value shows the supplier's again.
 */
export async function setOverrides(tx: Tx, accountId: number, rows: readonly OverrideRow[]): Promise<number[]> {
  const check = new Check()
  const clean = rows.map((row) => checkOverride(check, `${row.productId}.`, row))
  const keys = clean.map((row) => `${row.productId} ${row.field} ${row.locale}`)
  check.that(new Set(keys).size === keys.length, 'field', 'is duplicated for one product and locale')
  check.done('override')
  await requireProducts(
    tx,
    accountId,
    rows.map((row) => row.productId),
  )
  const changed = await overridesWrite(tx, accountId, clean)
  await requireUncrowded(tx, accountId, changed)
  return marked(tx, accountId, changed)
}

/** Sets attribute overrides; a null value hides the attribute. */
export async function setAttributeOverrides(
  tx: Tx,
  accountId: number,
  rows: readonly AttributeOverrideRow[],
): Promise<number[]> {
  const check = new Check()
  const clean = rows.map((row) => checkAttributeOverride(check, `${row.productId}.`, row))
  const keys = clean.map((row) => `${row.productId} ${row.locale} ${row.key}`)
  check.that(new Set(keys).size === keys.length, 'key', 'is duplicated for one product and locale')
  check.done('attribute override')
  await requireProducts(
    tx,
    accountId,
    rows.map((row) => row.productId),
  )
  const changed = await attributeOverridesUpsert(tx, accountId, clean)
  await requireUncrowded(tx, accountId, changed)
  return marked(tx, accountId, changed)
}

/** Shows the imported value of an attribute again. */
export async function resetAttribute(tx: Tx, accountId: number, productId: number, key: string): Promise<number[]> {
  return marked(tx, accountId, await attributeOverridesDelete(tx, accountId, [{ productId, key, locale: null }]))
}

/** Says by hand whether a store lists products; leaving a store is announced there as `removed`. */
export async function setListing(
  tx: Tx,
  accountId: number,
  storeId: number,
  productIds: readonly number[],
  isListed: boolean,
): Promise<number[]> {
  await requireProducts(tx, accountId, productIds)
  await requireNamed(tx, accountId, { storeIds: [storeId] })
  return marked(
    tx,
    accountId,
    await listingsWrite(
      tx,
      accountId,
      [...new Set(productIds)].map((productId) => ({ productId, storeId, isListed })),
    ),
  )
}

/** Leaves it to the store's assortment again whether it lists products. */
export async function clearListing(
  tx: Tx,
  accountId: number,
  storeId: number,
  productIds: readonly number[],
): Promise<number[]> {
  return marked(
    tx,
    accountId,
    await listingsWrite(
      tx,
      accountId,
      productIds.map((productId) => ({ productId, storeId, isListed: null })),
    ),
  )
}

/** Chooses the EAN that is shown; null goes back to the first supplier's. */
export async function setPrimaryEan(
  tx: Tx,
  accountId: number,
  productId: number,
  given: string | null,
): Promise<number[]> {
  const check = new Check()
  const ean = checkEan(check, 'ean', given)
  check.done('EAN')
  // two at once take turns: each takes the other's choice away
  if (!(await productLock(tx, accountId, productId))) throw unknownProducts([productId])
  const isNews = await primaryEanSet(tx, accountId, productId, ean === null ? null : { ean, gtin: gtinOf(ean) })
  return marked(tx, accountId, isNews ? [productId] : [])
}

async function marked(tx: Tx, accountId: number, productIds: number[], half: 'price' | null = null): Promise<number[]> {
  await marksAppend(tx, accountId, productIds, half)
  return [...new Set(productIds)]
}
