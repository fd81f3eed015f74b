import { offersAfter, offersCompare } from '../catalog/products/offers.sql.ts'
import { recordHash } from '../catalog/products/offer-state.ts'
import { lockOffers, writeOffers, zeroOffers, type OfferSupplier } from '../catalog/products/offers.ts'
import { inTransaction, type Db } from '../db/sql.ts'
import type { Wake } from '../db/wake.ts'
import { ShelfwireError, type Fault } from '../platform/errors.ts'
import { faultPoint } from '../platform/fault-point.ts'
import { LIMITS } from '../platform/limits.ts'
import type { OfferRecord } from '../model/offer.ts'
import type { ReadRow } from '../supplier-files/read-offers.ts'
import { BitSet } from './bit-set.ts'
import { takeImportLease, type ImportLease } from './import-lease.ts'
import { openSpool, type Spool } from './spool.ts'

/** `full`: the file contains all offers of the supplier; `delta`: only those that changed. */
export type ImportMode = 'full' | 'delta'

export interface ImportRequest {
  accountId: number
  supplier: OfferSupplier
  mode: ImportMode
  /** Check and report, write nothing. */
  isDryRun?: boolean
  /** Accept a full file that is empty or would set more than half of the offers in stock to 0. */
  isConfirmed?: boolean
}

export interface RefusedRow {
  line: number
  sku: string | null
  faults: readonly Fault[]
}

export interface ImportReport {
  mode: ImportMode
  isDryRun: boolean
  /** Rows read, including refused and skipped ones. */
  rows: number
  /** Left out by the mapping's `skip`. */
  skipped: number
  /** Offers not known before, or deleted. */
  created: number
  /** Known offers that changed; in a dry run, those whose record differs from the last imported one. */
  changed: number
  unchanged: number
  /** Offers that a full file no longer contains; their quantity is set to 0. */
  zeroed: number
  refusedTotal: number
  /** The first LIMITS.importReportedErrorsMax refused rows. */
  refused: RefusedRow[]
  /** Products marked for shelving. */
  products: number
}

export interface ImportProgress {
  phase: 'reading' | 'writing'
  done: number
  /** Rows to write; null while reading. */
  total: number | null
}

/**
 * Imports one file of one supplier. The file is read, checked and compared as a whole before its first row is written, so
 * that a truncated or unsafe file changes nothing, and a dry run makes the same checks as the import. Then the offers are
 * written in pages, each with its marks in one transaction (T1). An import that is interrupted is simply run again.
 * @throws ShelfwireError `source-unreadable`, `import-refused`, `import-running`
 */
export async function runImport(
  db: Db,
  wake: Wake,
  request: ImportRequest,
  pages: AsyncIterable<readonly ReadRow[]>,
  onProgress: (progress: ImportProgress) => void = () => {},
): Promise<ImportReport> {
  const { accountId, supplier } = request
  await using lease: ImportLease = await takeImportLease(db, accountId, supplier.supplierId)
  await using spool = await openSpool()
  const report: ImportReport = {
    mode: request.mode,
    isDryRun: request.isDryRun ?? false,
    rows: 0,
    skipped: 0,
    created: 0,
    changed: 0,
    unchanged: 0,
    zeroed: 0,
    refusedTotal: 0,
    refused: [],
    products: 0,
  }
  const { isNamed, soldOut } = await classifyRows(db, request, pages, spool, report, onProgress)
  if (request.mode === 'full') await spoolAbsent(db, request, isNamed, soldOut, spool, report)
  if (report.isDryRun) return report
  const products = new BitSet()
  // offers may have changed since they were compared, so what becomes of them is counted again as they are written
  Object.assign(report, { created: 0, changed: 0, zeroed: 0 })
  let done = 0
  for await (const page of spool.pages(LIMITS.importPageRows)) {
    for (const productId of await writePage(db, lease, request, page, report))
      if (products.add(productId)) report.products++
    wake.notify('mark', accountId)
    done += page.length
    onProgress({ phase: 'writing', done, total: spool.size })
  }
  return report
}

/**
 * Reads the file to its end, classifies its rows as new, changed, unchanged, skipped or refused, and spools the new and changed
 * ones.
 * @returns which known offers the file names (by their number), and how many offers in stock it sets to 0
 */
async function classifyRows(
  db: Db,
  request: ImportRequest,
  pages: AsyncIterable<readonly ReadRow[]>,
  spool: Spool,
  report: ImportReport,
  onProgress: (progress: ImportProgress) => void,
): Promise<{ isNamed: (offerNumber: number) => boolean; soldOut: number }> {
  const { accountId, supplier } = request
  // known offers that a valid row names; a second such row is a duplicate
  const seen = new BitSet()
  // known offers of refused rows: they are not set to 0, and a later valid row with the same key still counts
  const named = new BitSet()
  let soldOut = 0
  /** Line by sku, of offers not known before. */
  const created = new Map<string, number>()
  const refuse = (row: RefusedRow) => {
    report.refusedTotal++
    if (report.refused.length < LIMITS.importReportedErrorsMax) report.refused.push(row)
  }
  for await (const page of pages) {
    report.rows += page.length
    const skus = page.flatMap((row) =>
      'offer' in row ? [row.offer.sku] : 'sku' in row && row.sku !== null ? [row.sku] : [],
    )
    const known = new Map(
      (await offersCompare(db, accountId, supplier.supplierId, skus)).map((row) => [row.supplierSku, row]),
    )
    const firstLines = new Map<string, number>()
    const found: { offer: OfferRecord }[] = []
    for (const row of page) {
      if ('skipped' in row) {
        report.skipped++
        continue
      }
      if ('faults' in row) {
        // a row that cannot be read still shows that the supplier has the article
        const offer = row.sku === null ? undefined : known.get(row.sku)
        if (offer !== undefined) named.add(offer.offerNumber)
        refuse(row)
        continue
      }
      const { offer, line } = row
      const old = known.get(offer.sku)
      const isDuplicate = old === undefined ? created.has(offer.sku) : !seen.add(old.offerNumber)
      if (isDuplicate) {
        const first = created.get(offer.sku) ?? firstLines.get(offer.sku)
        const original = first === undefined ? 'an earlier row' : `line ${first}`
        refuse({
          line,
          sku: offer.sku,
          faults: [{ name: 'sku', reason: `"${offer.sku.slice(0, 60)}" is a duplicate of ${original}, which is used` }],
        })
        continue
      }
      firstLines.set(offer.sku, line)
      if (old !== undefined && old.quantity > 0 && offer.quantity === 0) soldOut++
      if (old === undefined) {
        created.set(offer.sku, line)
        report.created++
        found.push({ offer })
      } else if (old.feedHash === recordHash(offer)) report.unchanged++
      else {
        if (old.isDropped) report.created++
        else report.changed++
        found.push({ offer })
      }
    }
    await spool.add(found)
    onProgress({ phase: 'reading', done: report.rows, total: null })
  }
  const accepted = report.created + report.changed + report.unchanged
  if (request.mode === 'full' && accepted === 0 && request.isConfirmed !== true) {
    throw new ShelfwireError('import-refused', refusedEmpty(report), {
      faults: report.refused.flatMap((row) => row.faults).slice(0, 20),
    })
  }
  return { isNamed: (offerNumber) => seen.has(offerNumber) || named.has(offerNumber), soldOut }
}

function refusedEmpty(report: ImportReport): string {
  const [first] = report.refused
  const why =
    first === undefined
      ? ''
      : ` (the first of ${report.refusedTotal} refused rows: line ${first.line}, ${first.faults[0]?.name} ${first.faults[0]?.reason})`
  return `a full file without a valid offer would set all offers of the supplier to 0${why}; nothing was written. Confirm it if that is intended`
}

/**
 * Spools the known offers that a full file does not contain. Refuses a file after which more than half of the offers in stock
 * would be out of stock, because they are missing or have quantity 0 (as when a column was left empty): that is more often a
 * mistake than a sell-out.
 * @throws ShelfwireError `import-refused`
 */
async function spoolAbsent(
  db: Db,
  request: ImportRequest,
  isNamed: (offerNumber: number) => boolean,
  soldOut: number,
  spool: Spool,
  report: ImportReport,
): Promise<void> {
  const { accountId, supplier } = request
  let offersInStock = 0
  let zeroedInStock = soldOut
  const page: { absent: string }[] = []
  for (let after = ''; ;) {
    const offers = await offersAfter(db, accountId, supplier.supplierId, after, LIMITS.importPageRows)
    for (const offer of offers) {
      if (offer.quantity > 0) offersInStock++
      if (offer.isAbsent || isNamed(offer.offerNumber)) continue
      if (offer.quantity > 0) zeroedInStock++
      report.zeroed++
      page.push({ absent: offer.supplierSku })
    }
    await spool.add(page.splice(0))
    if (offers.length < LIMITS.importPageRows) break
    after = offers.at(-1)?.supplierSku ?? after
  }
  if (zeroedInStock > offersInStock * LIMITS.importZeroedShareMax && request.isConfirmed !== true) {
    throw new ShelfwireError(
      'import-refused',
      `the file would set ${zeroedInStock} of ${offersInStock} offers in stock to 0, more than half; nothing was written. Confirm it if that is intended`,
    )
  }
}

/** T1: writes one page in one transaction, under the lease: offers, absent offers, and their marks. @returns the marked products. */
async function writePage(
  db: Db,
  lease: ImportLease,
  request: ImportRequest,
  page: readonly ({ offer: OfferRecord } | { absent: string })[],
  report: ImportReport,
): Promise<number[]> {
  const { accountId, supplier } = request
  const offers = page.flatMap((entry) => ('offer' in entry ? [entry.offer] : []))
  const absent = page.flatMap((entry) => ('absent' in entry ? [entry.absent] : []))
  if (absent.length > 0) faultPoint('import:before-absent')
  const written = await inTransaction(db, async (tx) => {
    await lease.lock(tx)
    if (offers.length > 0 && absent.length > 0)
      await lockOffers(tx, accountId, supplier.supplierId, [...offers.map((offer) => offer.sku), ...absent])
    const result = offers.length === 0 ? null : await writeOffers(tx, accountId, supplier, offers)
    const zeroed = absent.length === 0 ? null : await zeroOffers(tx, accountId, supplier.supplierId, absent)
    faultPoint('import:page-before-commit')
    return { result, zeroed }
  })
  faultPoint('import:page-after-commit')
  const counts = written.result?.value
  report.created += counts?.created ?? 0
  report.changed += counts?.changed ?? 0
  report.unchanged += counts?.unchanged ?? 0
  report.zeroed += absent.length
  return [...(written.result?.productIds ?? []), ...(written.zeroed?.productIds ?? [])]
}
