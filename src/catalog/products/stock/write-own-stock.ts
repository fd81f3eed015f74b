import type { Tx } from '../../../db/sql.ts'
import { marksAppend } from '../../stale/marks.sql.ts'
import { productsWritten, type Written } from '../../stale/written.ts'
import { sameDecimal } from '../offers/offer-state.ts'
import {
  ownStockDelete,
  ownStockOf,
  ownStockQuantityUpsert,
  ownStockUpsert,
  type OwnStockRow,
} from './own-stock.sql.ts'

/** The new own stock of one product. */
export interface OwnStockWrite {
  productId: number
  /** null deletes own stock: the product is then sold from suppliers' stock only. */
  quantity: number | null
  /** In the account's currency, as decimal text; null: not known; undefined: unchanged. */
  cost: string | null | undefined
}

export type OwnStockOutcome = 'created' | 'changed' | 'unchanged'

/**
 * Writes own stock of any number of products, as if the rows were written one after the other, and marks those that
 * changed; the only writer of own stock. The caller has checked the rows and locked the products.
 * @returns the result of each row, in their order.
 */
export async function writeOwnStock(
  tx: Tx,
  accountId: number,
  rows: readonly OwnStockWrite[],
): Promise<Written<OwnStockOutcome[]>> {
  const last = new Map<number, OwnStockWrite>()
  const repeated = new Set<number>()
  for (const row of rows) {
    const before = last.get(row.productId)
    if (before !== undefined) repeated.add(row.productId)
    last.set(row.productId, before === undefined ? row : afterBoth(before, row))
  }
  const found = repeated.size === 0 ? [] : await ownStockOf(tx, accountId, [...repeated])
  const isNewOf = await writeRows(tx, accountId, [...last.values()])
  const productIds = [...isNewOf.keys()]
  // cost and quantity affect only prices and stock
  await marksAppend(tx, accountId, productIds, 'price')
  const states = new Map<number, Stock>(found.map((row) => [row.productId, row]))
  return productsWritten(
    productIds,
    rows.map((row) => {
      if (repeated.has(row.productId)) return applyRow(states, row)
      const isNew = isNewOf.get(row.productId)
      return isNew === undefined ? 'unchanged' : isNew ? 'created' : 'changed'
    }),
  )
}

/**
 * Replaces the own stock of one product that the caller has locked exclusively and whose own stock it has read. If it differs, the two statements are
 * sent without being awaited, together with the commit, and the product counts as changed.
 * @param row checked; its cost is canonical
 */
export async function replaceOwnStock(
  tx: Tx,
  accountId: number,
  row: OwnStockRow,
  read: OwnStockRow | undefined,
): Promise<Written> {
  const { productId, quantity, cost } = row
  if (read !== undefined && read.quantity === quantity && sameDecimal(read.cost, cost)) {
    // a writer with the shared lock may have changed it since
    const { productIds } = await writeOwnStock(tx, accountId, [row])
    return productsWritten(productIds, undefined, 'price')
  }
  void ownStockUpsert(tx, accountId, [row]).execute()
  void marksAppend(tx, accountId, [productId], 'price')
  return productsWritten([productId], undefined, 'price')
}

type Stock = { quantity: number; cost: string | null }

/** Merges two rows of one product. A cost that is left unchanged after own stock was deleted is not known. */
function afterBoth(first: OwnStockWrite, second: OwnStockWrite): OwnStockWrite {
  if (second.quantity === null || second.cost !== undefined) return second
  return { ...second, cost: first.quantity === null ? null : first.cost }
}

/** The outcome of a row after the rows before it, which are in `states`. */
function applyRow(states: Map<number, Stock>, { productId, quantity, cost }: OwnStockWrite): OwnStockOutcome {
  const before = states.get(productId)
  if (quantity === null) {
    states.delete(productId)
    return before === undefined ? 'unchanged' : 'changed'
  }
  const after = { quantity, cost: cost === undefined ? (before?.cost ?? null) : cost }
  states.set(productId, after)
  if (before === undefined) return 'created'
  return before.quantity === quantity && sameDecimal(before.cost, after.cost) ? 'unchanged' : 'changed'
}

/** Writes a row for each product. @returns the products that changed, with whether their own stock is new. */
async function writeRows(tx: Tx, accountId: number, rows: readonly OwnStockWrite[]): Promise<Map<number, boolean>> {
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
  return isNewOf
}
