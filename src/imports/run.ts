import { offersAfter, offersCompare } from '../catalog/products/offers.sql.ts'
import { recordHash } from '../catalog/products/offer-state.ts'
import type { OfferSupplier } from '../catalog/products/offers.ts'
import type { Db, Tx } from '../db/sql.ts'
import type { Wake } from '../db/wake.ts'
import { ShelfwireError, type Fault } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import type { OfferRecord } from '../model/offer.ts'
import type { ReadRow } from '../supplier-files/reading.ts'
import { BitSet } from './bit-set.ts'
import { takeImportLease, type ImportLease } from './import-lease.ts'
import { openSpool, type Spool } from './spool.ts'
import { writeSpool, type PageCounts, type WrittenPage } from './write-spool.ts'

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
  /** An earlier attempt has judged the file, and may have written some of it: thresholds are not judged again. */
  isJudged?: boolean
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
  changed: number
  unchanged: number
  /** Offers that a full file no longer contains; their quantity is set to 0. */
  zeroed: number
  /**
   * Known offers that keep what they had, because a refused row is about them, or may be: in a full file, a row without a readable key may be
   * about any offer that is missing.
   */
  stale: number
  /** The keys of the first LIMITS.importReportedErrorsMax of them. */
  staleSkus: string[]
  refusedTotal: number
  /** The first LIMITS.importReportedErrorsMax refused rows. */
  refused: RefusedRow[]
  /** Products marked for shelving. */
  products: number
  /** What is odd about the file as a whole. */
  warnings: string[]
}

export interface ImportProgress {
  phase: 'reading' | 'writing'
  done: number
  /** Rows to write; null while reading. */
  total: number | null
}

/** How a run that is kept follows what is done. */
export interface KeptRun {
  lease: ImportLease
  /** A row was refused. */
  refused(row: RefusedRow): void
  /** An offer keeps what it had, because a refused row is about it or may be. */
  stale(sku: string): void
  /** After each page that was read: what was refused is put away. @throws when the run was canceled, or is another's by now */
  read(report: ImportReport): Promise<void>
  /** The file is judged, and `total` entries are going to be written. */
  judged(report: ImportReport, total: number): Promise<void>
  /**
   * In the transaction of a page, after its offers. @returns what counts: an offer that was written twice, because the run was
   * interrupted, counts once.
   */
  pageWritten(tx: Tx, page: WrittenPage): Promise<PageCounts>
}

/**
 * Imports one file of one supplier. The file is read, checked and compared as a whole before its first row is written, so
 * that a truncated or unsafe file changes nothing. Then the offers are written in pages, each with its marks in one transaction (T1). A
 * dry run writes what may have changed as well, and rolls it back: its counts are those of the import. An import that is interrupted is
 * simply run again.
 * @param warnings takes warnings from the reading of `pages`
 * @param kept follows the run, and has taken the supplier's lease; without it the run leaves no trace but the offers
 * @throws ShelfwireError `source-unreadable`, `import-refused`, `import-running`
 */
export async function runImport(
  db: Db,
  wake: Wake,
  request: ImportRequest,
  pages: AsyncIterable<readonly ReadRow[]>,
  onProgress: (progress: ImportProgress) => void = () => {},
  warnings: string[] = [],
  kept?: KeptRun,
): Promise<ImportReport> {
  const { accountId, supplier } = request
  await using own = kept === undefined ? await takeImportLease(db, accountId, supplier.supplierId) : null
  const lease = own ?? kept?.lease
  if (lease === undefined) throw new Error('a run has a lease, its own or the one given')
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
    stale: 0,
    staleSkus: [],
    refusedTotal: 0,
    refused: [],
    products: 0,
    warnings,
  }
  const named = await classifyRows(db, request, pages, spool, report, onProgress, kept)
  if (request.mode === 'full') await spoolAbsent(db, request, named, spool, report, kept)
  await kept?.judged(report, spool.size)
  // offers may have changed since they were compared, so what becomes of them is counted again as they are written
  Object.assign(report, report.isDryRun ? { changed: 0 } : { created: 0, changed: 0, zeroed: 0 })
  await writeSpool({ db, wake, lease, request, report, kept }, spool, onProgress)
  return report
}

/** What a file says about the known offers, by their number. */
interface NamedOffers {
  /** A valid row is about it. */
  isSeen: (offerNumber: number) => boolean
  /** A refused row is, or may be. */
  isRefused: (offerNumber: number) => boolean
  /** Refused rows that show no key: they may be about any offer. */
  withoutKey: number
  /** How many offers in stock the file sets to 0. */
  soldOut: number
}

/**
 * Reads the file to its end, classifies its rows as new, changed, unchanged, skipped or refused, and spools the new and changed
 * ones; in a dry run, only those that may have changed.
 * @throws ShelfwireError `import-refused` for a full file without a valid row, and for one after which most prices would be lost
 */
async function classifyRows(
  db: Db,
  request: ImportRequest,
  pages: AsyncIterable<readonly ReadRow[]>,
  spool: Spool,
  report: ImportReport,
  onProgress: (progress: ImportProgress) => void,
  kept: KeptRun | undefined,
): Promise<NamedOffers> {
  const { accountId, supplier } = request
  // known offers that a valid row names; a second such row is a duplicate
  const seen = new BitSet()
  // known offers of refused rows: they are not set to 0, and a later valid row with the same key still counts
  const named = new BitSet()
  let soldOut = 0
  let withoutKey = 0
  let priced = 0
  let pricesLost = 0
  /** Line by sku, of offers not known before. */
  const created = new Map<string, number>()
  const refuse = (row: RefusedRow) => {
    report.refusedTotal++
    kept?.refused(row)
    if (report.refused.length < LIMITS.importReportedErrorsMax) report.refused.push(row)
  }
  for await (const page of pages) {
    report.rows += page.length
    const skus = page.flatMap((row) => ('offer' in row ? [row.offer.sku] : 'about' in row ? (row.about ?? []) : []))
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
        for (const sku of row.about ?? []) {
          const offer = known.get(sku)
          if (offer !== undefined) named.add(offer.offerNumber)
        }
        if (row.about === null) withoutKey++
        refuse({ line: row.line, sku: row.sku, faults: row.faults })
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
      if (old !== undefined && old.hasCost && offer.cost !== undefined) {
        priced++
        if (offer.cost === null || offer.cost === '0') pricesLost++
      }
      if (old === undefined || old.isDropped) {
        if (old === undefined) created.set(offer.sku, line)
        report.created++
        if (!report.isDryRun) found.push({ offer })
      } else if (old.feedHash === recordHash(offer)) report.unchanged++
      else {
        report.changed++
        found.push({ offer })
      }
    }
    await spool.add(found)
    await kept?.read(report)
    onProgress({ phase: 'reading', done: report.rows, total: null })
  }
  const accepted = report.created + report.changed + report.unchanged
  if (request.mode === 'full' && accepted === 0 && isJudging(request)) {
    throw new ShelfwireError('import-refused', refusedEmpty(report), {
      faults: report.refused.flatMap((row) => row.faults).slice(0, 20),
    })
  }
  if (pricesLost > priced * LIMITS.importPricesLostShareMax && isJudging(request)) {
    throw new ShelfwireError(
      'import-refused',
      `the file would leave ${pricesLost} of ${priced} offers without a cost, more than half; nothing was written. Confirm it if that is intended`,
    )
  }
  return { isSeen: (number) => seen.has(number), isRefused: (number) => named.has(number), withoutKey, soldOut }
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
  { isSeen, isRefused, withoutKey, soldOut }: NamedOffers,
  spool: Spool,
  report: ImportReport,
  kept: KeptRun | undefined,
): Promise<void> {
  const { accountId, supplier } = request
  // the missing offers may be those of rows without a key
  const isHeld = withoutKey > 0 && request.isConfirmed !== true
  let offersInStock = 0
  let zeroedInStock = soldOut
  const page: { absent: string }[] = []
  for (let after = ''; ;) {
    const offers = await offersAfter(db, accountId, supplier.supplierId, after, LIMITS.importPageRows)
    for (const offer of offers) {
      if (offer.quantity > 0) offersInStock++
      if (offer.isAbsent || isSeen(offer.offerNumber)) continue
      if (isHeld || isRefused(offer.offerNumber)) {
        report.stale++
        kept?.stale(offer.supplierSku)
        if (report.staleSkus.length < LIMITS.importReportedErrorsMax) report.staleSkus.push(offer.supplierSku)
        continue
      }
      if (offer.quantity > 0) zeroedInStock++
      report.zeroed++
      if (!report.isDryRun) page.push({ absent: offer.supplierSku })
    }
    await spool.add(page.splice(0))
    await kept?.read(report)
    if (offers.length < LIMITS.importPageRows) break
    after = offers.at(-1)?.supplierSku ?? after
  }
  if (isHeld && report.stale > 0) {
    report.warnings.push(
      `${withoutKey} refused ${withoutKey === 1 ? 'row has' : 'rows have'} no readable key and may be about any of the ${report.stale} offers that are missing: these keep their quantities. Mend the rows, leave them out with "skip", or confirm that the missing offers are gone`,
    )
  }
  if (zeroedInStock > offersInStock * LIMITS.importZeroedShareMax && isJudging(request)) {
    throw new ShelfwireError(
      'import-refused',
      `the file would set ${zeroedInStock} of ${offersInStock} offers in stock to 0, more than half; nothing was written. Confirm it if that is intended`,
    )
  }
}

const isJudging = ({ isConfirmed, isJudged }: ImportRequest) => isConfirmed !== true && isJudged !== true
