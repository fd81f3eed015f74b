import { writeOfferPrices } from '../../catalog/products/offers/write-offer-prices.ts'
import { supplierActivityRecord, suppliersLockShared } from '../../catalog/settings/suppliers/suppliers.sql.ts'
import type { Tx } from '../../db/sql.ts'
import { readOfferCurrency, readOfferKey } from './offer-row.ts'
import { ofSuppliers, Results, type BulkWritten } from './results.ts'
import { Row } from './row.ts'
import type { Rows } from './rows.ts'

const MEMBERS = new Set(['supplier', 'sku', 'cost', 'currency', 'quantity'])

interface PriceRow {
  members: Row
  supplier: string
  sku: string
  /** For this and the following members undefined means unchanged. */
  cost: string | null | undefined
  currency: string | null | undefined
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

/** Writes cost, currency and quantity of existing offers: a batch of rows {supplier, sku, cost, currency, quantity}. */
export async function writePrices(tx: Tx, accountId: number, sent: Rows): Promise<BulkWritten> {
  const results = new Results(sent.length)
  const read = await results.read(sent, readPrice)
  const codes = [...new Set(read.map(({ row }) => row.supplier))]
  const suppliers = codes.length === 0 ? [] : await suppliersLockShared(tx, accountId, codes)
  const rows = ofSuppliers(read, suppliers, results)
  const written = await writeOfferPrices(
    tx,
    accountId,
    rows.map(({ row: { supplier, sku, cost, currency, quantity } }) => ({
      supplierId: supplier.supplierId,
      supplierSku: sku,
      cost,
      currency: currency === null ? supplier.currency : currency,
      quantity,
    })),
  )
  const quiet = rows.flatMap(({ row: { supplier } }) => (supplier.isQuiet ? [supplier.supplierId] : []))
  await supplierActivityRecord(tx, accountId, quiet)
  for (const [i, { at, row }] of rows.entries()) {
    const outcome = written.value[i]
    if (outcome === undefined)
      results.fail(at, [
        { name: 'sku', reason: `supplier ${row.supplier.code} has no such offer; bulk offers bring new ones` },
      ])
    else results.done(at, outcome.status, outcome.productId)
  }
  return { ...written, value: results.list }
}
