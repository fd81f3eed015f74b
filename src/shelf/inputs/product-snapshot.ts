import { inTransaction, type Db, type Tx } from '../../db/sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import type { CompiledAccount } from '../../resolve/compile.ts'
import type { ProductInputs } from '../../resolve/inputs.ts'
import { compiledAccounts } from './compiled-inputs.ts'
import { withReadingTurn } from './looked-at.ts'
import { readProductInputs } from './read-inputs.ts'

/**
 * Reads a product and the compiled account in one snapshot, for what the panel shows of the product.
 * @param work reads more in the same snapshot and makes the result.
 * @throws ShelfwireError unknown-product, also for a deleted product.
 */
export async function inProductSnapshot<T>(
  db: Db,
  accountId: number,
  productId: number,
  work: (compiled: CompiledAccount, product: ProductInputs, tx: Tx) => T | Promise<T>,
): Promise<T> {
  return withReadingTurn(db, accountId, [productId], () =>
    inTransaction(db, async (tx) => {
      await tx`set transaction isolation level repeatable read read only`
      const compiled = await compiledAccounts(db).read(tx, accountId)
      const [product] = await readProductInputs(tx, accountId, [productId])
      if (product === undefined || product.isDeleted)
        throw new ShelfwireError('unknown-product', 'the account has no such product')
      return work(compiled, product, tx)
    }),
  )
}
