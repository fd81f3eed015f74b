import { writeOwnStock } from '../../catalog/products/write-own-stock.ts'
import type { Tx } from '../../db/sql.ts'
import { findProducts, PRODUCT_KEY_MEMBERS, readProductKey, type ProductKey } from './product-key.ts'
import { Results, type BulkWritten } from './results.ts'
import { Row } from './row.ts'
import type { Rows } from './rows.ts'

const MEMBERS = new Set([...PRODUCT_KEY_MEMBERS, 'quantity', 'cost'])
const NO_KEY: ProductKey = { by: 'product_id', productId: 0 }

interface StockRow {
  members: Row
  key: ProductKey
  /** null removes own stock. */
  quantity: number | null
  /** undefined: unchanged. */
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
 * locks them, one reads those with several rows, one to three write, one marks.
 */
export async function writeStock(tx: Tx, accountId: number, sent: Rows): Promise<BulkWritten> {
  const results = new Results(sent.length)
  const rows = await findProducts(tx, accountId, await results.read(sent, readStock), results)
  const written = await writeOwnStock(
    tx,
    accountId,
    rows.map(({ row: { productId, quantity, cost } }) => ({ productId, quantity, cost })),
  )
  for (const [i, { at, row }] of rows.entries()) results.done(at, written.value[i] ?? 'unchanged', row.productId)
  return { ...written, value: results.list }
}
