import type { Tx } from '../../db/sql.ts'
import { marksAppend } from '../stale/marks.sql.ts'
import { productsWritten, type Written } from '../stale/written.ts'
import { ownStockDelete, ownStockQuantityUpsert, ownStockUpsert } from './own-stock.sql.ts'

/** The new own stock of one product. */
export interface OwnStockWrite {
  productId: number
  /** null deletes own stock: the product is then sold from suppliers' stock only. */
  quantity: number | null
  /** In the account's currency; null: not known; undefined: unchanged. */
  cost: string | null | undefined
}

export type OwnStockOutcome = 'created' | 'changed' | 'unchanged'

/**
 * Writes own stock of any number of products, each given once, and marks those that changed; the only writer of own
 * stock. The caller has checked the rows and locked the products.
 * @returns the result of each row, in their order.
 */
export async function writeOwnStock(
  tx: Tx,
  accountId: number,
  rows: readonly OwnStockWrite[],
): Promise<Written<OwnStockOutcome[]>> {
  const whole: { productId: number; quantity: number; cost: string | null }[] = []
  const quantities: { productId: number; quantity: number }[] = []
  const gone: number[] = []
  for (const { productId, quantity, cost } of rows) {
    if (quantity === null) gone.push(productId)
    else if (cost === undefined) quantities.push({ productId, quantity })
    else whole.push({ productId, quantity, cost })
  }
  const isNewOf = new Map<number, boolean>()
  if (whole.length > 0)
    for (const row of await ownStockUpsert(tx, accountId, whole)) isNewOf.set(row.productId, row.isNew)
  if (quantities.length > 0)
    for (const row of await ownStockQuantityUpsert(tx, accountId, quantities)) isNewOf.set(row.productId, row.isNew)
  if (gone.length > 0) for (const productId of await ownStockDelete(tx, accountId, gone)) isNewOf.set(productId, false)
  const productIds = [...isNewOf.keys()]
  // cost and quantity affect only prices and stock
  await marksAppend(tx, accountId, productIds, 'price')
  return productsWritten(
    productIds,
    rows.map(({ productId }) => {
      const isNew = isNewOf.get(productId)
      return isNew === undefined ? 'unchanged' : isNew ? 'created' : 'changed'
    }),
  )
}
