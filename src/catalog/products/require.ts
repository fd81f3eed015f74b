import type { Tx } from '../../db/sql.ts'
import { HouseError } from '../../ground/errors.ts'
import { productsHold } from './store.ts'

/**
 * Refuses products that the account does not have, and holds those it has to the end of the transaction, so that none is
 * deleted under what is being written of it.
 * @throws HouseError unknown-product, naming them.
 */
export async function requireProducts(tx: Tx, accountId: number, productIds: readonly number[]): Promise<void> {
  const alive = new Set(await productsHold(tx, accountId, productIds))
  const missing = productIds.filter((id) => !alive.has(id))
  if (missing.length > 0) throw unknownProducts(missing)
}

/** Says which products the account does not have. */
export function unknownProducts(missing: readonly number[]): HouseError {
  return new HouseError('unknown-product', `the account has no product ${missing.slice(0, 5).join(', ')}`, {
    faults: missing.slice(0, 20).map((id) => ({ name: String(id), reason: 'unknown product' })),
  })
}
