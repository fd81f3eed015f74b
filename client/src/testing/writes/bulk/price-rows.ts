import { offerKey, type Offer, type Supplier } from '../written.ts'
import { failed, Row, type Bulk, type Result, type RowsWriter } from './row.ts'

// Cost, currency and quantity of existing offers.

const MEMBERS = ['supplier', 'sku', 'cost', 'currency', 'quantity']

export const writePriceRows: RowsWriter = (bulk, rows) => rows.map((sent) => written(bulk, sent))

function written(bulk: Bulk, sent: unknown): Result {
  const row = new Row(sent, MEMBERS)
  const key = readOfferKey(row)
  if (!row.has('cost') && !row.has('quantity') && !row.has('currency')) row.need('cost')
  const cost = row.get('cost') === null ? null : row.has('cost') ? row.amount('cost') : undefined
  const currency = row.get('currency') === null ? null : row.has('currency') ? row.text('currency') : undefined
  const quantity = row.get('quantity') === null ? 0 : row.has('quantity') ? row.pieces('quantity') : undefined
  if (!row.isGood || key === undefined) return failed(row.faults)

  const supplier = findSupplier(bulk, key.supplier)
  if ('status' in supplier) return supplier
  const before = bulk.draft.offers.get(offerKey(supplier.code, key.sku))
  if (before === undefined)
    return failed([{ name: 'sku', reason: `supplier ${supplier.code} has no such offer; bulk offers bring new ones` }])
  return keep(bulk, before, {
    ...before,
    ...(cost === undefined ? {} : { cost }),
    ...(currency === undefined ? {} : { currency: currency ?? supplier.currency }),
    ...(quantity === undefined ? {} : { quantity }),
  })
}

/** The supplier's code, and its own SKU of the article; undefined where either is at fault. */
export function readOfferKey(row: Row): { supplier: string; sku: string } | undefined {
  row.need('supplier')
  row.need('sku')
  const sku = row.has('sku') ? row.text('sku') : undefined
  if (sku !== undefined && sku !== sku.trim()) row.note('sku', 'must not begin or end with a blank')
  const supplier = row.has('supplier') ? row.text('supplier') : undefined
  return supplier === undefined || sku === undefined ? undefined : { supplier, sku }
}

export const findSupplier = ({ call }: Bulk, code: string): Supplier | Result =>
  call.written.suppliers.get(code) ?? failed([{ name: 'supplier', reason: `the account has no supplier "${code}"` }])

/** Writes an offer as a row has changed it. @param before null: it is new */
export function keep({ call, draft, writes }: Bulk, before: Offer | null, now: Offer): Result {
  const { supplier, sku, product_id: productId } = now
  if (before !== null && JSON.stringify(before) === JSON.stringify(now))
    return { status: 'unchanged', product_id: productId }
  draft.offers.set(offerKey(supplier, sku), now)
  if (!call.catalog.has(productId) && !draft.made.has(productId)) draft.made.set(productId, sku)
  writes.push({ kind: 'offer', productId, supplier, sku, before, now })
  return { status: before === null ? 'created' : 'changed', product_id: productId }
}
