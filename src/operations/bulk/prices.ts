import { marksAppend } from '../../catalog/stale/marks.sql.ts'
import { offerPricesLock, offerPricesUpdate } from '../../catalog/products/offers.sql.ts'
import { suppliersHold } from '../../catalog/settings/suppliers.sql.ts'
import type { Tx } from '../../db/sql.ts'
import { readOfferCurrency, readOfferKey } from './offer-row.ts'
import { Results, type BulkWritten } from './results.ts'
import { Row } from './row.ts'

const MEMBERS = new Set(['supplier', 'sku', 'cost', 'currency', 'quantity'])

interface PriceRow {
  members: Row
  supplier: string
  sku: string
  /** undefined: what is known stays, here and in what follows. */
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
 * Writes cost, currency and quantity of known offers, rows {supplier, sku, cost, currency, quantity}, and nothing else of
 * them: a fixed number of statements whatever suppliers they are of. Only prices and stock of payloads follow from it.
 */
export async function writePrices(
  tx: Tx,
  accountId: number,
  sent: readonly unknown[],
  firstRow: number,
): Promise<BulkWritten> {
  const results = new Results(sent.length, firstRow)
  const read = results.firstOfEach(
    results.read(sent.map(readPrice)),
    (row) => `${row.supplier}\0${row.sku}`,
    () => 'sku',
  )
  const suppliers =
    read.length === 0 ? [] : await suppliersHold(tx, accountId, [...new Set(read.map(({ row }) => row.supplier))])
  const supplierOf = new Map(suppliers.map((row) => [row.code, row]))
  const named = read.flatMap(({ at, row }) => {
    const supplier = supplierOf.get(row.supplier)
    if (supplier !== undefined) return [{ at, row, supplierId: supplier.supplierId, supplierSku: row.sku }]
    results.fail(at, [{ name: 'supplier', reason: `the account has no supplier «${row.supplier}»` }])
    return []
  })
  const known = named.length === 0 ? [] : await offerPricesLock(tx, accountId, named)
  const knownOf = new Map(known.map((offer) => [`${offer.supplierId} ${offer.supplierSku}`, offer]))
  const written: (typeof known)[number][] = []
  const productIds = new Set<number>()
  for (const { at, row, supplierId, supplierSku } of named) {
    const offer = knownOf.get(`${supplierId} ${supplierSku}`)
    if (offer === undefined) {
      results.fail(at, [
        { name: 'sku', reason: `supplier ${row.supplier} has no such offer; bulk offers bring new ones` },
      ])
      continue
    }
    const next = {
      ...offer,
      cost: row.cost === undefined ? offer.cost : row.cost,
      currency: row.currency ?? offer.currency,
      quantity: row.quantity ?? offer.quantity,
    }
    const isMoved = next.cost !== offer.cost || next.currency !== offer.currency || next.quantity !== offer.quantity
    // what a full feed missed and is stated here is there again, even as it was
    if (isMoved || offer.isAbsent) written.push(next)
    if (isMoved) productIds.add(offer.productId)
    results.done(at, isMoved ? 'changed' : 'unchanged', offer.productId)
  }
  if (written.length > 0) await offerPricesUpdate(tx, accountId, written)
  await marksAppend(tx, accountId, [...productIds], 'price')
  return { results: results.list, productIds: [...productIds] }
}
