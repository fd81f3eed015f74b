import type { OwnStock } from '../written.ts'
import { findProduct, PRODUCT_KEY_MEMBERS, readProductKey } from './product-key.ts'
import { failed, isObject, MUST, NOT_EXPECTED, Row, type Bulk, type Result, type RowsWriter } from './row.ts'

// Own stock of many products.

const MEMBERS = [...PRODUCT_KEY_MEMBERS, 'quantity', 'cost', 'expected']

/** Writes the rows in order, each as if it were a request of its own. */
export const writeStockRows: RowsWriter = (bulk, rows) => rows.map((sent) => written(bulk, sent))

function written({ call, draft, writes }: Bulk, sent: unknown): Result {
  const row = new Row(sent, MEMBERS)
  const key = readProductKey(row)
  row.need('quantity')
  const [quantity, cost] = [given(row, 'quantity'), given(row, 'cost')] as [
    number | null | undefined,
    string | null | undefined,
  ]
  if (quantity === null && typeof cost === 'string') row.note('cost', 'goes with own stock when quantity is null')
  const expected = expectedOf(row)
  if (!row.isGood || key === undefined) return failed(row.faults)

  const found = findProduct(call, key)
  if (typeof found !== 'number') return found
  const before = draft.stock.get(found) ?? null
  if (expected !== undefined && !isSame(expected, before)) return failed([NOT_EXPECTED], found)
  const now =
    quantity === null || quantity === undefined
      ? null
      : { product_id: found, quantity, cost: cost === undefined ? (before?.cost ?? null) : cost }
  if (isSame(before, now)) return { status: 'unchanged', product_id: found }
  if (now === null) draft.stock.delete(found)
  else draft.stock.set(found, now)
  writes.push({ kind: 'stock', productId: found, before, now })
  return { status: before === null ? 'created' : 'changed', product_id: found }
}

function given(row: Row, name: 'quantity' | 'cost'): unknown {
  const value = row.get(name)
  if (value === undefined || value === null) return value
  return name === 'quantity' ? row.pieces(name) : row.amount(name)
}

type Stock = Pick<OwnStock, 'quantity' | 'cost'>

const isSame = (a: Stock | null, b: Stock | null): boolean =>
  a === null || b === null ? a === b : a.quantity === b.quantity && a.cost === b.cost

/** The own stock that must still be there for the row to be written; undefined: any. */
function expectedOf(row: Row): Stock | null | undefined {
  const sent = row.get('expected')
  if (sent === undefined || sent === null) return sent
  if (!isObject(sent)) return row.note('expected', `${MUST.object}, or null`)
  row.known(sent, ['quantity', 'cost'], 'expected.')
  const { quantity, cost = null } = sent
  return {
    quantity: row.pieces('expected.quantity', quantity) ?? 0,
    cost: cost === null ? null : (row.amount('expected.cost', cost) ?? null),
  }
}
