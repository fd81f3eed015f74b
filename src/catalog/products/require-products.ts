import type { Tx } from '../../db/sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { crowdedProducts } from './overrides.sql.ts'
import { productsHold } from './products.sql.ts'

/**
 * Refuses products that the account does not have, and holds those it has to the end of the transaction, so that none is
 * deleted under what is being written of it.
 * @throws ShelfwireError unknown-product, naming them.
 */
export async function requireProducts(tx: Tx, accountId: number, productIds: readonly number[]): Promise<void> {
  const alive = new Set(await productsHold(tx, accountId, productIds))
  const missing = productIds.filter((id) => !alive.has(id))
  if (missing.length > 0) throw unknownProducts(missing)
}

/**
 * Refuses, after overrides were written, products that now have too many.
 * @throws ShelfwireError conflict, naming one.
 */
export async function requireUncrowded(tx: Tx, accountId: number, productIds: readonly number[]): Promise<void> {
  const [productId] = productIds.length === 0 ? [] : await crowdedProducts(tx, accountId, productIds)
  if (productId !== undefined)
    throw new ShelfwireError(
      'conflict',
      `product ${productId} would have more than ${LIMITS.overridesPerProductMax} texts, images and attributes of your own; take some away first`,
    )
}

/** Says which products the account does not have. */
export function unknownProducts(missing: readonly number[]): ShelfwireError {
  return new ShelfwireError('unknown-product', `the account has no product ${missing.slice(0, 5).join(', ')}`, {
    faults: missing.slice(0, 20).map((id) => ({ name: String(id), reason: 'unknown product' })),
  })
}
