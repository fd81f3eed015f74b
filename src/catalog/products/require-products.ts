import type { Tx } from '../../db/sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { productsLockExclusive, productsLockShared } from './products.sql.ts'

/**
 * Locks products with the shared lock to the end of the transaction, so that none is deleted during a write to it.
 * @throws ShelfwireError unknown-product, naming those that the account does not have.
 */
export async function requireProducts(tx: Tx, accountId: number, productIds: readonly number[]): Promise<void> {
  const alive = new Set(await productsLockShared(tx, accountId, productIds))
  const missing = productIds.filter((id) => !alive.has(id))
  if (missing.length > 0) throw unknownProducts(missing)
}

/**
 * Locks products exclusively for a write that reads, counts or takes several statements.
 * @throws ShelfwireError unknown-product, naming those that the account does not have.
 */
export async function lockProducts(tx: Tx, accountId: number, productIds: readonly number[]): Promise<void> {
  const alive = new Set(await productsLockExclusive(tx, accountId, productIds))
  const missing = productIds.filter((id) => !alive.has(id))
  if (missing.length > 0) throw unknownProducts(missing)
}

/** The error that names products which the account does not have. */
export function unknownProducts(missing: readonly number[]): ShelfwireError {
  return new ShelfwireError('unknown-product', `the account has no product ${missing.slice(0, 5).join(', ')}`, {
    faults: missing.slice(0, 20).map((id) => ({ name: String(id), reason: 'unknown product' })),
  })
}
