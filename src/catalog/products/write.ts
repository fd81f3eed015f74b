import type { Tx } from '../../db/sql.ts'
import { LIMITS } from '../../ground/limits.ts'
import { Check } from '../check.ts'
import { marksAppend } from '../marks/store.ts'
import { gtinOf } from '../match/gtin.ts'
import { requireNamed } from '../rule-conditions.ts'
import { requireProducts } from './require.ts'
import * as store from './store.ts'

// What the account's owner says about single products. Every function marks exactly the products it changed and returns
// their ids, so that the caller can shelve them before it answers.

export interface NewProduct {
  sku?: string | null
  ean?: string | null
}

/** Creates products without any offer, in the order given. */
export async function createProducts(tx: Tx, accountId: number, products: readonly NewProduct[]): Promise<number[]> {
  const check = new Check()
  products.forEach((product, i) => {
    if (typeof product.sku === 'string') check.text(`${i}.sku`, product.sku, LIMITS.skuLengthMax)
    if (typeof product.ean === 'string') check.that(/^\d{1,14}$/.test(product.ean), `${i}.ean`, 'must be 1 to 14 digits')
  })
  check.done('product')
  const ids = await store.productIdsTake(tx, accountId, products.length)
  const rows = products.map((product, i) => ({ productId: ids[i] ?? 0, sku: product.sku ?? null, ean: product.ean ?? null }))
  await store.productsInsert(tx, accountId, rows)
  for (const { productId, ean } of rows) {
    if (ean !== null) await store.primaryEanSet(tx, accountId, productId, { ean, gtin: gtinOf(ean) })
  }
  await marksAppend(tx, accountId, ids)
  return ids
}

/** Deletes products with their offers, stock and overrides; every store that listed them announces `removed`. */
export async function deleteProducts(tx: Tx, accountId: number, productIds: readonly number[]): Promise<number[]> {
  const gone = await store.productsDelete(tx, accountId, productIds)
  await marksAppend(tx, accountId, gone)
  return gone
}

/** Sets own stock; one row a product. Negative quantities count as 0. */
export async function setOwnStock(tx: Tx, accountId: number, rows: readonly store.OwnStockRow[]): Promise<number[]> {
  const check = new Check()
  const clean = rows.map((row) => {
    const quantity = Math.max(0, row.quantity)
    check.quantity(`${row.productId}.quantity`, quantity)
    if (row.cost !== null) check.decimal(`${row.productId}.cost`, row.cost, { min: 0, fractionDigits: 6 })
    return { ...row, quantity }
  })
  check.that(new Set(rows.map((row) => row.productId)).size === rows.length, 'product_id', 'stands twice')
  check.done('own stock')
  await requireProducts(tx, accountId, rows.map((row) => row.productId))
  return marked(tx, accountId, await store.ownStockUpsert(tx, accountId, clean))
}

/** Takes own stock away: the product is sold from suppliers alone. */
export async function clearOwnStock(tx: Tx, accountId: number, productIds: readonly number[]): Promise<number[]> {
  return marked(tx, accountId, await store.ownStockDelete(tx, accountId, productIds))
}

const OVERRIDE_LENGTH_MAX = {
  title: LIMITS.titleLengthMax,
  description: LIMITS.descriptionLengthMax,
  manufacturer: LIMITS.nameLengthMax,
  category: LIMITS.categoryLengthMax,
} as const

/** Sets overrides of titles, descriptions, manufacturers and categories; a null value shows the supplier's value again. */
export async function setOverrides(tx: Tx, accountId: number, rows: readonly store.OverrideRow[]): Promise<number[]> {
  const check = new Check()
  const clean = rows.map((row) => {
    const name = `${row.productId}.${row.field}`
    const isName = row.field === 'manufacturer' || row.field === 'category'
    if (row.value !== null) check.text(name, row.value, OVERRIDE_LENGTH_MAX[row.field])
    if (isName) check.that(row.locale === '', name, 'has no locale')
    return { ...row, locale: isName ? '' : check.locale(`${name}.locale`, row.locale) }
  })
  const keys = clean.map((row) => `${row.productId} ${row.field} ${row.locale}`)
  check.that(new Set(keys).size === keys.length, 'field', 'stands twice for one product and locale')
  check.done('override')
  await requireProducts(tx, accountId, rows.map((row) => row.productId))
  return marked(tx, accountId, await store.overridesWrite(tx, accountId, clean))
}

/** Sets attribute overrides; a null value hides the attribute. */
export async function setAttributeOverrides(
  tx: Tx,
  accountId: number,
  rows: readonly store.AttributeOverrideRow[],
): Promise<number[]> {
  const check = new Check()
  const clean = rows.map((row) => {
    check.text(`${row.productId}.key`, row.key, LIMITS.attributeKeyLengthMax)
    if (row.value !== null) check.text(`${row.productId}.${row.key}`, row.value, LIMITS.attributeValueLengthMax)
    return { ...row, locale: row.locale === '' ? '' : check.locale(`${row.productId}.${row.key}.locale`, row.locale) }
  })
  const keys = clean.map((row) => `${row.productId} ${row.locale} ${row.key}`)
  check.that(new Set(keys).size === keys.length, 'key', 'stands twice for one product and locale')
  check.done('attribute override')
  await requireProducts(tx, accountId, rows.map((row) => row.productId))
  return marked(tx, accountId, await store.attributeOverridesUpsert(tx, accountId, clean))
}

/** Shows the imported value of an attribute again. */
export async function resetAttribute(tx: Tx, accountId: number, productId: number, key: string): Promise<number[]> {
  return marked(tx, accountId, await store.attributeOverridesDelete(tx, accountId, productId, key))
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
  return marked(tx, accountId, await store.listingUpsert(tx, accountId, storeId, productIds, isListed))
}

/** Leaves it to the store's assortment again whether it lists products. */
export async function clearListing(tx: Tx, accountId: number, storeId: number, productIds: readonly number[]): Promise<number[]> {
  return marked(tx, accountId, await store.listingDelete(tx, accountId, storeId, productIds))
}

/** Chooses the EAN that is shown; null goes back to the first supplier's. */
export async function setPrimaryEan(tx: Tx, accountId: number, productId: number, ean: string | null): Promise<number[]> {
  const check = new Check()
  if (ean !== null) check.that(/^\d{1,14}$/.test(ean), 'ean', 'must be 1 to 14 digits')
  check.done('EAN')
  await requireProducts(tx, accountId, [productId])
  await store.primaryEanSet(tx, accountId, productId, ean === null ? null : { ean, gtin: gtinOf(ean) })
  return marked(tx, accountId, [productId])
}

async function marked(tx: Tx, accountId: number, productIds: number[]): Promise<number[]> {
  await marksAppend(tx, accountId, productIds)
  return [...new Set(productIds)]
}
