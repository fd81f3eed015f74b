import { suppliersLockShared, type LockedSupplier } from '../../catalog/settings/suppliers/suppliers.sql.ts'
import { writeOfferBatch, type HeldOffers } from '../../catalog/products/offers/offers.ts'
import type { Tx } from '../../db/sql.ts'
import { tooLong } from '../../model/offer-size.ts'
import { LIMITS } from '../../platform/limits.ts'
import { must } from '../../platform/must.ts'
import { readOffer } from './offer-row.ts'
import { ofSuppliers, Results, type BulkWritten } from './results.ts'
import { WHOLE_ROW } from './row.ts'
import type { Rows } from './rows.ts'

/**
 * Writes offers of a batch of rows {supplier, sku, …} like an import: a new offer joins the product with its EAN or
 * creates one, absent members stay unchanged. For each supplier it runs as many statements as one page of an import.
 * @param held the only supplier of the rows and its offers, if the caller has locked and read them
 */
export async function writeOfferRows(
  tx: Tx,
  accountId: number,
  sent: Rows,
  held?: { supplier: LockedSupplier; offers: HeldOffers },
): Promise<BulkWritten> {
  const results = new Results(sent.length)
  const read = await results.read(sent, readOffer)
  const codes = [...new Set(read.map(({ row }) => row.supplier))]
  const suppliers =
    held !== undefined ? [held.supplier] : codes.length === 0 ? [] : await suppliersLockShared(tx, accountId, codes)
  const rows = ofSuppliers(read, suppliers, results)
  const written = await writeOfferBatch(
    tx,
    accountId,
    rows.map(({ row: { supplier, offer } }) => ({ supplier, record: offer })),
    { held: held?.offers },
  )
  for (const [i, { at }] of rows.entries()) {
    const { status, productId, tooLong: characters } = must(written.value.outcomes[i])
    if (characters === undefined) results.done(at, status, productId)
    else results.fail(at, [{ name: WHOLE_ROW, reason: tooLong(characters, LIMITS.offerCharactersMax) }], productId)
  }
  return { ...written, value: results.list }
}
