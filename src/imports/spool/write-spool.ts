import type { OfferBefore } from '../../catalog/products/offers/offer-state.ts'
import type { OfferRecord } from '../../model/offer.ts'
import {
  lockOffers,
  writeOffers,
  zeroOffers,
  type OfferChange,
  type OfferSupplier,
} from '../../catalog/products/offers/offers.ts'
import { offerWeights } from '../../catalog/products/offers/offer-weights.ts'
import { offersStale } from '../../catalog/products/offers/offers.sql.ts'
import { inTransaction, type Db, type Tx } from '../../db/sql.ts'
import { slicesBySize } from '../../db/statements/statement-slices.ts'
import type { Wake } from '../../db/wake.ts'
import { faultPoint } from '../../platform/process/fault-point.ts'
import { LIMITS } from '../../platform/limits.ts'
import { BitSet } from '../keys/bit-set.ts'
import type { ImportLease } from '../lease/import-lease.ts'
import type { Spool, Spooled } from './spool.ts'

/** The changes of a written page. */
export interface WrittenPage {
  entries: number
  changes: readonly OfferChange[]
  /** Missing offers that were set to 0. */
  zeroed: readonly { supplierSku: string; before: OfferBefore }[]
  /** Marked products that no earlier page of the run has marked. */
  products: number
}

/** The changes that a page of a dry run would make. */
export interface ComparedPage {
  created: readonly OfferRecord[]
  changes: readonly OfferChange[]
  /** Keys of missing offers. */
  absent: readonly string[]
}

export interface PageCounts {
  created: number
  changed: number
  zeroed: number
}

/** What writing a run needs; its counts go to `report`. */
export interface Writing {
  db: Db
  wake: Wake
  lease: ImportLease
  request: { accountId: number; supplier: OfferSupplier }
  report: PageCounts & { isDryRun: boolean; unchanged: number; products: number }
  kept:
    | {
        pageWritten(tx: Tx, page: WrittenPage): Promise<PageCounts>
        pageCompared(page: ComparedPage): Promise<void>
        pageRows(max: number): number
        beforePage(rows: number): Promise<void>
      }
    | undefined
  /** Whether a valid row of the file was about the offer with this number; it is then not stale. */
  isSeen: (offerNumber: number) => boolean
}

/** Writes the entries of the spool page by page, each in one transaction, under the lease. In a dry run every transaction is rolled back. */
export async function writeSpool(
  writing: Writing,
  spool: Spool,
  onProgress: (progress: { phase: 'writing'; done: number; total: number }) => void,
): Promise<void> {
  const { wake, request, report, kept } = writing
  const products = new BitSet()
  let done = 0
  const isPaced = kept !== undefined && !report.isDryRun
  for await (const page of pagesByKnown(
    writing,
    spool,
    isPaced ? kept.pageRows(LIMITS.importPageRows) : LIMITS.importPageRows,
  )) {
    if (report.isDryRun) await comparePage(writing, page)
    else {
      if (isPaced) await kept.beforePage(page.length)
      const { productIds } = await writePage(writing, page, products)
      for (const productId of productIds) if (products.add(productId)) report.products++
      wake.notify('mark', request.accountId)
    }
    done += page.length
    onProgress({ phase: 'writing', done, total: spool.size })
  }
}

/** Pages that are small enough to be held in memory together with the known contents of their offers. */
async function* pagesByKnown({ db, request }: Writing, spool: Spool, rows: number): AsyncGenerator<readonly Spooled[]> {
  const { accountId, supplier } = request
  for await (const page of spool.pages(rows)) {
    const skus = page.flatMap((entry) => ('offer' in entry && entry.isNew !== true ? [entry.offer.sku] : []))
    const weights = await offerWeights(db, accountId, supplier.supplierId, skus)
    const weightOf = (entry: Spooled) => ('offer' in entry ? (weights.get(entry.offer.sku) ?? 0) : 0)
    yield* slicesBySize(page, weightOf, LIMITS.importPageCharacters)
  }
}

/** Compares a page of a dry run. Only known offers are written and rolled back: the result for new and missing offers is certain. */
async function comparePage(writing: Writing, page: readonly Spooled[]): Promise<void> {
  const known = page.filter((entry) => 'offer' in entry && entry.isNew !== true)
  const { changes } = known.length === 0 ? { changes: [] } : await writePage(writing, known, new BitSet())
  await writing.kept?.pageCompared({
    created: page.flatMap((entry) => ('offer' in entry && entry.isNew === true ? [entry.offer] : [])),
    changes,
    absent: page.flatMap((entry) => ('absent' in entry ? [entry.absent] : [])),
  })
}

/** T1: writes offers, sets missing ones to 0, marks stale ones, and stores the changes of the run. @returns the marked products, and the changes. */
async function writePage(
  { db, lease, request, report, kept, isSeen }: Writing,
  page: readonly Spooled[],
  marked: BitSet,
): Promise<{ productIds: number[]; changes: readonly OfferChange[] }> {
  const { accountId, supplier } = request
  const { supplierId } = supplier
  const entries = page.flatMap((entry) => ('offer' in entry ? [entry] : []))
  const offers = entries.map(({ offer }) => offer)
  const hashes = entries.map(({ hash }) => hash)
  const equal = page.filter((entry) => 'isEqual' in entry).length
  const absent = page.flatMap((entry) => ('absent' in entry ? [entry.absent] : []))
  const stale = page.flatMap((entry) => ('stale' in entry && !isSeen(entry.offerNumber) ? [entry.stale] : []))
  if (absent.length > 0) faultPoint('import:before-absent')
  const write = async (tx: Tx) => {
    await lease.lock(tx)
    const skus = offers.map((offer) => offer.sku)
    const locked =
      absent.length + stale.length === 0
        ? []
        : await lockOffers(tx, accountId, supplierId, [...skus, ...absent, ...stale])
    if (stale.length > 0) await offersStale(tx, accountId, supplierId, stale)
    const result = offers.length === 0 ? null : await writeOffers(tx, accountId, supplier, offers, hashes)
    const zeroed = absent.length === 0 ? null : await zeroOffers(tx, accountId, supplierId, absent)
    const productIds = [...new Set([...(result?.productIds ?? []), ...(zeroed?.productIds ?? [])])]
    // equal offers were counted when the file was read
    const unchanged = (result?.value.unchanged ?? 0) - equal
    let counts: PageCounts = {
      created: result?.value.created ?? 0,
      changed: result?.value.changed ?? 0,
      zeroed: zeroed?.value.length ?? 0,
    }
    if (kept !== undefined && !report.isDryRun) {
      const rows = new Map(locked.map((row) => [row.supplierSku, row]))
      counts = await kept.pageWritten(tx, {
        entries: page.length,
        changes: result?.value.changes ?? [],
        zeroed: (zeroed?.value ?? []).flatMap((supplierSku) => {
          const row = rows.get(supplierSku)
          if (row === undefined) return []
          const { cost, costTiers, currency, quantity, feedHash } = row
          const figures = { cost, currency, quantity, feedHash, absentSince: null }
          return [{ supplierSku, before: costTiers === null ? figures : { ...figures, costTiers } }]
        }),
        products: productIds.filter((productId) => !marked.has(productId)).length,
      })
    }
    faultPoint('import:page-before-commit')
    return { productIds, changes: result?.value.changes ?? [], unchanged, counts }
  }
  const written = await (report.isDryRun ? rolledBack(db, write) : inTransaction(db, write))
  faultPoint('import:page-after-commit')
  report.created += written.counts.created
  report.changed += written.counts.changed
  report.zeroed += written.counts.zeroed
  report.unchanged += written.unchanged
  return written
}

/** Runs `work` in a transaction that is rolled back. @returns its result. */
async function rolledBack<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  const done: T[] = []
  const end = new Error('rolled back on purpose')
  await inTransaction(db, async (tx) => {
    done.splice(0, 1, await work(tx))
    throw end
  }).catch((error: unknown) => {
    if (error !== end) throw error
  })
  const [result] = done
  if (result === undefined) throw end
  return result
}
