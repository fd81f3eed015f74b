import { offersLock } from '../../catalog/products/offers.sql.ts'
import { suppliersLockShared } from '../../catalog/settings/suppliers.sql.ts'
import { writeOffers } from '../../catalog/products/offers.ts'
import { productsWritten } from '../../catalog/stale/written.ts'
import type { Tx } from '../../db/sql.ts'
import { readOffer } from './offer-row.ts'
import { Results, type BulkWritten } from './results.ts'
import type { Rows } from './rows.ts'

/**
 * Writes offers of a batch of rows {supplier, sku, …} like an import: a new one joins the product with its EAN or
 * creates one, absent members stay unchanged. For each supplier it runs as many statements as one import page.
 */
export async function writeOfferRows(tx: Tx, accountId: number, sent: Rows, firstRow: number): Promise<BulkWritten> {
  const results = new Results(sent.length, firstRow)
  const read = results.firstOfEach(
    await results.read(sent, readOffer),
    (row) => `${row.supplier}\0${row.offer.sku}`,
    () => 'sku',
  )
  const bySupplier = Map.groupBy(read, ({ row }) => row.supplier)
  const suppliers = read.length === 0 ? [] : await suppliersLockShared(tx, accountId, [...bySupplier.keys()])
  const known = new Set(suppliers.map((row) => row.code))
  for (const { at, row } of read) {
    if (!known.has(row.supplier))
      results.fail(at, [{ name: 'supplier', reason: `the account has no supplier "${row.supplier}"` }])
  }
  // lock known offers of all suppliers before the account's creators: docs/lock-order.md
  if (suppliers.length > 1) {
    for (const { supplierId, code } of suppliers)
      await offersLock(
        tx,
        accountId,
        supplierId,
        (bySupplier.get(code) ?? []).map(({ row }) => row.offer.sku),
      )
  }
  const productIds = new Set<number>()
  for (const supplier of suppliers) {
    const rows = bySupplier.get(supplier.code) ?? []
    const written = await writeOffers(
      tx,
      accountId,
      { ...supplier, keepsCurrency: true },
      rows.map(({ row }) => row.offer),
    )
    written.value.outcomes.forEach(({ status, productId }, i) => results.done(rows[i]?.at ?? 0, status, productId))
    for (const id of written.productIds) productIds.add(id)
  }
  return productsWritten([...productIds], results.list)
}
