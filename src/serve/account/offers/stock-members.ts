import type { OwnStockRow } from '../../../catalog/products/stock/own-stock.sql.ts'
import type { ProductChange } from '../../../people/audit.sql.ts'
import { patchBetween } from '../patch-between.ts'

/** Own stock as it is read and written. */
export interface StockMembers {
  product_id: number
  quantity: number
  cost: string | null
}

export function stockMembers({ productId, quantity, cost }: OwnStockRow): StockMembers {
  return { product_id: productId, quantity, cost }
}

/** Own stock as a member of its product; null: the product has none. */
export function stockMember(row: Pick<StockMembers, 'quantity' | 'cost'> | null | undefined) {
  return row === null || row === undefined ? null : { quantity: row.quantity, cost: row.cost }
}

/** A change of own stock as a change of its product, for the audit trail. */
export function stockChange(old: OwnStockRow | undefined, now: StockMembers | null): ProductChange {
  const [before, after] = [{ stock: stockMember(old) }, { stock: stockMember(now) }]
  return { before: patchBetween(after, before), after: patchBetween(before, after) }
}
