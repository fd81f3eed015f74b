import { marksAppend } from '../../catalog/stale/marks.sql.ts'
import { ownStockDelete } from '../../catalog/products/own-stock.sql.ts'
import { stockQuantityUpsert, stockUpsert, type Touched } from '../../catalog/products/own-stock.sql.ts'
import type { Tx } from '../../db/sql.ts'
import { findProducts, PRODUCT_KEY_MEMBERS, readProductKey, type ProductKey } from './product-key.ts'
import { Results, type BulkWritten } from './results.ts'
import { Row } from './row.ts'

const MEMBERS = new Set([...PRODUCT_KEY_MEMBERS, 'quantity', 'cost'])
const NO_KEY: ProductKey = { by: 'product_id', productId: 0 }

interface StockRow {
  members: Row
  key: ProductKey
  /** null takes own stock away. */
  quantity: number | null
  /** undefined: what is known stays. */
  cost: string | null | undefined
}

function readStock(sent: unknown): StockRow {
  const members = new Row(sent, MEMBERS)
  const key = readProductKey(members) ?? NO_KEY
  members.need('quantity')
  const quantity = members.pieces('quantity') ?? null
  const cost = members.amount('cost')
  if (quantity === null && typeof cost === 'string') members.fault('cost', 'goes with own stock when quantity is null')
  return { members, key, quantity, cost }
}

/**
 * Writes own stock of a batch of rows {product_id or sku or ean, quantity, cost}: one statement finds the products, one
 * holds them, one or two write, one marks. Only prices and stock of payloads follow from it.
 */
export async function writeStock(
  tx: Tx,
  accountId: number,
  sent: readonly unknown[],
  firstRow: number,
): Promise<BulkWritten> {
  const results = new Results(sent.length, firstRow)
  const found = await findProducts(tx, accountId, results.read(sent.map(readStock)), results)
  const rows = results.firstOfEach(
    found,
    (row) => row.productId,
    (row) => row.key.by,
  )
  const full: { productId: number; quantity: number; cost: string | null }[] = []
  const quantities: { productId: number; quantity: number }[] = []
  const gone: number[] = []
  for (const {
    row: { productId, quantity, cost },
  } of rows) {
    if (quantity === null) gone.push(productId)
    else if (cost === undefined) quantities.push({ productId, quantity })
    else full.push({ productId, quantity, cost })
  }
  const touched: Touched[] = []
  if (full.length > 0) touched.push(...(await stockUpsert(tx, accountId, full)))
  if (quantities.length > 0) touched.push(...(await stockQuantityUpsert(tx, accountId, quantities)))
  const deleted = gone.length === 0 ? [] : await ownStockDelete(tx, accountId, gone)
  const isNewOf = new Map([
    ...touched.map(({ productId, isNew }) => [productId, isNew] as const),
    ...deleted.map((id) => [id, false] as const),
  ])
  for (const {
    at,
    row: { productId },
  } of rows) {
    const isNew = isNewOf.get(productId)
    results.done(at, isNew === undefined ? 'unchanged' : isNew ? 'created' : 'changed', productId)
  }
  const productIds = [...isNewOf.keys()]
  await marksAppend(tx, accountId, productIds, 'price')
  return { results: results.list, productIds }
}
