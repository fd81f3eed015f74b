import { changeUse } from '../../accounts/limits/use.ts'
import type { Tx } from '../../db/sql.ts'
import { Check } from '../../input/check.ts'
import { BOUNDS } from '../../input/decimal.ts'
import { marksAppend } from '../stale/marks.sql.ts'
import { productsWritten, type Written } from '../stale/written.ts'
import { gtinOf } from '../../model/gtin.ts'
import { checkEan, checkSku } from './overrides/check-overrides.ts'
import { checkWrite, nameOf } from './overrides/check-writes.ts'
import { lockProducts, requireProducts } from './require-products.ts'
import {
  productIdsTake,
  productsDelete,
  productsInsert,
  productsLockExclusive,
  productsLockForRemoval,
} from './products.sql.ts'
import { primaryEansInsert } from './keys/eans.sql.ts'
import type { OwnStockRow } from './stock/own-stock.sql.ts'
import { writeOwnStock } from './stock/write-own-stock.ts'
import { refuseBackwardSales } from './overrides/sale-overrides.ts'
import { type OverrideOutcome, type OverrideWrite, writeOverrides } from './overrides/write-overrides.ts'
import { must } from '../../platform/must.ts'

// Writes of the owner's settings of single products. Every function locks its products in id order, marks exactly those
// that changed and returns their ids, so that the caller can shelve them before it answers.

export interface NewProduct {
  sku?: string | null
  ean?: string | null
}

/** Creates products without offers; `value` has their ids in order. Faults of several are named `3.sku`. */
export async function createProducts(
  tx: Tx,
  accountId: number,
  products: readonly NewProduct[],
): Promise<Written<number[]>> {
  const check = new Check()
  const clean = products.map(({ sku = null, ean = null }, i) => {
    const at = products.length === 1 ? '' : `${i}.`
    checkSku(check, `${at}sku`, sku)
    return { sku, ean: checkEan(check, `${at}ean`, ean) }
  })
  check.done('product')
  const ids = await productIdsTake(tx, accountId, products.length)
  const rows = clean.map((product, i) => ({ productId: must(ids[i]), ...product }))
  const eans = rows.flatMap(({ productId, ean }) => (ean === null ? [] : [{ productId, ean, gtin: gtinOf(ean) }]))
  await changeUse(tx, accountId, { products: rows.length })
  await productsInsert(tx, accountId, rows)
  await primaryEansInsert(tx, accountId, eans)
  await marksAppend(tx, accountId, ids)
  return productsWritten(ids, ids)
}

/**
 * Deletes products with their offers, stock and overrides; every store that listed them announces `removed`.
 * docs/decisions/012-products-are-never-deleted-as-rows.md says why their rows stay.
 */
export async function deleteProducts(tx: Tx, accountId: number, productIds: readonly number[]): Promise<Written> {
  await productsLockForRemoval(tx, accountId, productIds)
  const gone = await productsDelete(tx, accountId, productIds)
  await marksAppend(tx, accountId, gone)
  return productsWritten(gone)
}

/** Sets own stock; a negative quantity is 0. @throws ShelfwireError invalid-input, unknown-product. */
export async function setOwnStock(tx: Tx, accountId: number, rows: readonly OwnStockRow[]): Promise<Written> {
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
  const { productIds } = await writeOwnStock(tx, accountId, clean)
  return productsWritten(productIds)
}

/** Deletes own stock: the product is then sold from suppliers' stock only. */
export async function clearOwnStock(tx: Tx, accountId: number, productIds: readonly number[]): Promise<Written> {
  const locked = await productsLockExclusive(tx, accountId, productIds)
  const { productIds: changed } = await writeOwnStock(
    tx,
    accountId,
    locked.map((productId) => ({ productId, quantity: null, cost: null })),
  )
  return productsWritten(changed)
}

/**
 * Sets, hides and resets overrides of texts, images (a JSON array of URLs) and attributes. Faults are named
 * `<product id>.title.pl`, `<product id>.attributes.color`.
 * @returns the result of each row, in their order.
 * @throws ShelfwireError invalid-input, unknown-product; conflict for a product that would have too many.
 */
export async function setOverrides(
  tx: Tx,
  accountId: number,
  rows: readonly OverrideWrite[],
): Promise<Written<OverrideOutcome[]>> {
  const check = new Check()
  const clean = rows.map((row) => checkWrite(check, `${row.productId}.`, row))
  const places = clean.map((row) => `${row.productId} ${nameOf(row)}`)
  check.that(new Set(places).size === places.length, 'field', 'is duplicated for one product and locale')
  check.done('override')
  await lockProducts(tx, accountId, [...new Set(rows.map((row) => row.productId))])
  await refuseBackwardSales(tx, accountId, clean, (productId) => `${productId}.`)
  return writeOverrides(tx, accountId, clean)
}
