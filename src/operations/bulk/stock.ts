import { writeOwnStock } from '../../catalog/products/stock/write-own-stock.ts'
import { ownStockOf } from '../../catalog/products/stock/own-stock.sql.ts'
import { sameDecimal } from '../../catalog/products/offers/offer-state.ts'
import { MUST } from '../../../contract/values.ts'
import type { Tx } from '../../db/sql.ts'
import { BOUNDS, readDecimal } from '../../input/decimal.ts'
import { isObject } from '../../input/is-object.ts'
import { readQuantity } from '../../input/quantity.ts'
import { findProducts, PRODUCT_KEY_MEMBERS, readProductKey, type OfProduct, type ProductKey } from './product-key.ts'
import { NOT_EXPECTED, Results, type BulkWritten, type Candidate } from './results.ts'
import { Row } from './row.ts'
import type { Rows } from './rows.ts'

const MEMBERS = new Set([...PRODUCT_KEY_MEMBERS, 'quantity', 'cost', 'expected'])
const NO_KEY: ProductKey = { by: 'product_id', productId: 0 }

interface StockRow {
  members: Row
  key: ProductKey
  /** null removes own stock. */
  quantity: number | null
  /** undefined: unchanged. */
  cost: string | null | undefined
  /** The own stock that must be present, null for none; undefined: any. */
  expected: Stock | null | undefined
}

interface Stock {
  quantity: number
  cost: string | null
}

function readStock(sent: unknown): StockRow {
  const members = new Row(sent, MEMBERS)
  const key = readProductKey(members) ?? NO_KEY
  members.need('quantity')
  const quantity = members.pieces('quantity') ?? null
  const cost = members.amount('cost')
  if (quantity === null && typeof cost === 'string') members.fault('cost', 'goes with own stock when quantity is null')
  return { members, key, quantity, cost, expected: readExpected(members) }
}

function readExpected(members: Row): StockRow['expected'] {
  const given = members.get('expected')
  if (given === undefined || given === null) return given
  if (!isObject(given)) return members.fault('expected', `${MUST.object}, or null`)
  members.known(given, ['quantity', 'cost'], 'expected.')
  const { quantity, cost = null } = given
  return {
    quantity: members.take('expected.quantity', readQuantity(quantity)) ?? 0,
    cost: cost === null ? null : (members.take('expected.cost', readDecimal(cost, BOUNDS.amount)) ?? null),
  }
}

/** Filters rows whose `expected` is the own stock after the rows before them; the others fail. One statement, if any row has `expected`. */
async function requireExpected(
  tx: Tx,
  accountId: number,
  rows: readonly Candidate<OfProduct<StockRow>>[],
  results: Results,
): Promise<readonly Candidate<OfProduct<StockRow>>[]> {
  if (rows.every(({ row }) => row.expected === undefined)) return rows
  const found = await ownStockOf(tx, accountId, [...new Set(rows.map(({ row }) => row.productId))])
  const states = new Map<number, Stock>(found.map((stock) => [stock.productId, stock]))
  return rows.filter(({ at, row: { productId, quantity, cost, expected } }) => {
    const now = states.get(productId) ?? null
    if (expected !== undefined && !isSame(expected, now)) {
      results.fail(at, [NOT_EXPECTED], productId)
      return false
    }
    if (quantity === null) states.delete(productId)
    else states.set(productId, { quantity, cost: cost === undefined ? (now?.cost ?? null) : cost })
    return true
  })
}

function isSame(a: Stock | null, b: Stock | null): boolean {
  if (a === null || b === null) return a === b
  return a.quantity === b.quantity && sameDecimal(a.cost, b.cost)
}

/**
 * Writes own stock of a batch of rows {product_id or sku or ean, quantity, cost, expected}. Statements: one finds the products, one
 * locks them, one reads those with several rows, one to three write, one marks.
 */
export async function writeStock(tx: Tx, accountId: number, sent: Rows): Promise<BulkWritten> {
  const results = new Results(sent.length)
  const found = await findProducts(tx, accountId, await results.read(sent, readStock), results)
  const rows = await requireExpected(tx, accountId, found, results)
  const written = await writeOwnStock(
    tx,
    accountId,
    rows.map(({ row: { productId, quantity, cost } }) => ({ productId, quantity, cost })),
  )
  for (const [i, { at, row }] of rows.entries()) results.done(at, written.value[i] ?? 'unchanged', row.productId)
  return { ...written, value: results.list }
}
