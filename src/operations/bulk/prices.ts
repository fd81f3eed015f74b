import { writeOfferPrices } from '../../catalog/products/write-offer-prices.ts'
import { suppliersLockShared } from '../../catalog/settings/suppliers.sql.ts'
import type { Tx } from '../../db/sql.ts'
import { readOfferCurrency, readOfferKey } from './offer-row.ts'
import { Results, type BulkWritten } from './results.ts'
import { Row } from './row.ts'
import type { Rows } from './rows.ts'

const MEMBERS = new Set(['supplier', 'sku', 'cost', 'currency', 'quantity'])

interface PriceRow {
  members: Row
  supplier: string
  sku: string
  /** Here and below, undefined: unchanged. */
  cost: string | null | undefined
  currency: string | undefined
  quantity: number | undefined
}

function readPrice(sent: unknown): PriceRow {
  const members = new Row(sent, MEMBERS)
  const { supplier, sku } = readOfferKey(members)
  if (!members.has('cost') && !members.has('quantity') && !members.has('currency')) members.need('cost')
  return {
    members,
    supplier,
    sku,
    cost: members.has('cost') ? (members.amount('cost') ?? null) : undefined,
    currency: readOfferCurrency(members),
    quantity: members.has('quantity') ? (members.pieces('quantity') ?? 0) : undefined,
  }
}

/**
 * Writes cost, currency and quantity of known offers: a batch of rows {supplier, sku, cost, currency, quantity}.
 */
export async function writePrices(tx: Tx, accountId: number, sent: Rows, firstRow: number): Promise<BulkWritten> {
  const results = new Results(sent.length, firstRow)
  const read = results.firstOfEach(
    await results.read(sent, readPrice),
    (row) => `${row.supplier}\0${row.sku}`,
    () => 'sku',
  )
  const suppliers =
    read.length === 0 ? [] : await suppliersLockShared(tx, accountId, [...new Set(read.map(({ row }) => row.supplier))])
  const supplierOf = new Map(suppliers.map((row) => [row.code, row]))
  const named = read.flatMap(({ at, row }) => {
    const supplier = supplierOf.get(row.supplier)
    if (supplier !== undefined) return [{ at, row, supplierId: supplier.supplierId, supplierSku: row.sku }]
    results.fail(at, [{ name: 'supplier', reason: `the account has no supplier "${row.supplier}"` }])
    return []
  })
  const written = await writeOfferPrices(
    tx,
    accountId,
    named.map(({ row: { cost, currency, quantity }, supplierId, supplierSku }) => ({
      supplierId,
      supplierSku,
      cost,
      currency,
      quantity,
    })),
  )
  for (const [i, { at, row }] of named.entries()) {
    const outcome = written.value[i]
    if (outcome === undefined)
      results.fail(at, [
        { name: 'sku', reason: `supplier ${row.supplier} has no such offer; bulk offers bring new ones` },
      ])
    else results.done(at, outcome.status, outcome.productId)
  }
  return { ...written, value: results.list }
}
