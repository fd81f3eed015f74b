import { changeUse } from '../../accounts/limits/use.ts'
import type { Reader, Tx } from '../../db/sql.ts'
import { ShelfwireError, type Fault } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { suppliersList } from '../settings/suppliers/suppliers.sql.ts'
import { marksAppend } from '../stale/marks.sql.ts'
import { productsWritten, type Written } from '../stale/written.ts'
import { productIdsTake, productsDelete, productsInsert, productsLockForRemoval } from './products.sql.ts'
import { slugsMove } from './slugs/slugs.sql.ts'
import { type OfferKey, offersMove, offersOf, ownStockMove } from './merge-split.sql.ts'
import { single } from '../../platform/must.ts'

// Only a new offer joins a product by EAN. It never moves on its own afterwards: only the owner merges and splits products. Both lock the account's
// creators, so that no offer joins a product that is being removed.

/**
 * Merges products: the winner gets the losers' offers with their texts and EANs, and their own stock at its average cost. The losers' slugs become
 * old slugs of the winner. What the owner set on a loser (overrides, exclusions, listings, its chosen EAN) is deleted with it; stores announce losers
 * as `removed`, and their ids are never assigned again.
 * @throws ShelfwireError invalid-input, unknown-product.
 */
export async function mergeProducts(
  tx: Tx,
  accountId: number,
  winnerId: number,
  loserIds: readonly number[],
): Promise<Written> {
  const losers = [...new Set(loserIds)].sort((a, b) => a - b)
  if (losers.length === 0 || losers.includes(winnerId)) {
    throw new ShelfwireError('invalid-input', 'merging needs a product that stays and at least one other product', {
      faults: [{ name: 'product_ids', reason: 'must name others than the product that stays' }],
    })
  }
  await lockAll(tx, accountId, [winnerId, ...losers])
  for (const loser of losers) await offersMove(tx, accountId, loser, winnerId, await offersOf(tx, accountId, loser))
  await ownStockMove(tx, accountId, losers, winnerId)
  await slugsMove(tx, accountId, losers, winnerId)
  await productsDelete(tx, accountId, losers)
  const changed = [winnerId, ...losers]
  await marksAppend(tx, accountId, changed)
  return productsWritten(changed)
}

/**
 * The offers that a caller names by their supplier's code.
 * @throws ShelfwireError unknown-reference, naming each supplier that the account does not have.
 */
export async function offerKeys(
  reader: Reader,
  accountId: number,
  offers: readonly { supplier: string; sku: string }[],
): Promise<OfferKey[]> {
  const idOf = new Map((await suppliersList(reader, accountId)).map((row) => [row.code, row.supplierId]))
  const keys: OfferKey[] = []
  const faults: Fault[] = []
  for (const [i, { supplier, sku }] of offers.entries()) {
    const supplierId = idOf.get(supplier)
    if (supplierId !== undefined) keys.push({ supplierId, supplierSku: sku })
    else if (faults.length < LIMITS.faultsMax)
      faults.push({
        name: `offers.${i}.supplier`,
        reason: `names a supplier that the account does not have: "${supplier.slice(0, 80)}"`,
      })
  }
  const [first] = faults
  if (first !== undefined) throw new ShelfwireError('unknown-reference', `${first.name} ${first.reason}`, { faults })
  return keys
}

/**
 * Moves some of a product's offers, with their texts and EANs, to a new product. At least one offer stays; everything
 * the owner set stays with the old product. A later offer with an EAN that both carry joins the older product.
 * @returns the new product's id.
 */
export async function splitProduct(
  tx: Tx,
  accountId: number,
  productId: number,
  offers: readonly OfferKey[],
): Promise<Written<number>> {
  await lockAll(tx, accountId, [productId])
  const known = await offersOf(tx, accountId, productId)
  const key = (offer: OfferKey) => `${offer.supplierId} ${offer.supplierSku}`
  const leaving = new Map(offers.map((offer) => [key(offer), offer]))
  const missing = [...leaving.values()].filter((offer) => !known.some((entry) => key(entry) === key(offer)))
  if (missing.length > 0) {
    throw new ShelfwireError(
      'unknown-reference',
      `product ${productId} has no offer "${missing[0]?.supplierSku}" of supplier ${missing[0]?.supplierId}`,
      {
        faults: missing.slice(0, 20).map(({ supplierSku }) => ({
          name: 'offers',
          reason: `the product has no offer "${supplierSku.slice(0, 80)}" of that supplier`,
        })),
      },
    )
  }
  if (leaving.size === 0 || leaving.size === known.length) {
    throw new ShelfwireError('invalid-input', 'splitting moves at least one offer and leaves at least one', {
      faults: [{ name: 'offers', reason: 'must leave at least one behind' }],
    })
  }
  const newId = single(await productIdsTake(tx, accountId, 1))
  await changeUse(tx, accountId, { products: 1 })
  await productsInsert(tx, accountId, [{ productId: newId, sku: offers[0]?.supplierSku ?? null }])
  await offersMove(tx, accountId, productId, newId, [...leaving.values()])
  await marksAppend(tx, accountId, [productId, newId])
  return productsWritten([productId, newId], newId)
}

async function lockAll(tx: Tx, accountId: number, productIds: readonly number[]): Promise<void> {
  const alive = await productsLockForRemoval(tx, accountId, productIds)
  const missing = productIds.filter((id) => !alive.includes(id))
  if (missing.length > 0) {
    throw new ShelfwireError('unknown-product', `the account has no product ${missing.slice(0, 5).join(', ')}`, {
      faults: missing.slice(0, 20).map((id) => ({ name: 'product_ids', reason: `the account has no product ${id}` })),
    })
  }
}
