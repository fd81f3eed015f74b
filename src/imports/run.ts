import { say } from '../../contract/remarks/remarks.ts'
import { offerOf } from '../catalog/products/offers/offer-resource.sql.ts'
import { KNOWN, offersAfter, offersCompare, type KnownOffer } from '../catalog/products/offers/offers.sql.ts'
import type { OfferSupplier } from '../catalog/products/offers/offers.ts'
import { recordSupplierImport } from '../catalog/settings/suppliers/suppliers.ts'
import { inTransaction, type Db, type Tx } from '../db/sql.ts'
import type { Wake } from '../db/wake.ts'
import { quoted } from '../input/verdict.ts'
import type { Fault } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import { openYielding } from '../platform/turns/yielding.ts'
import type { OfferRecord } from '../model/offer.ts'
import { comparedOf, type ComparedOffer, type ComparedRow } from '../supplier-files/offer-facts.ts'
import type { FileDoubts, ReadRow } from '../supplier-files/reading.ts'
import { firstCells, articleSuffix } from '../supplier-files/rows.ts'
import { BitSet } from './keys/bit-set.ts'
import { ImportExceeded } from './exceeded.ts'
import { takeImportLease, type ImportLease } from './lease/import-lease.ts'
import { truncatedValue } from './safety/cut.ts'
import { FileCounts } from './file-counts.ts'
import { KeyLines } from './keys/key-lines.ts'
import { openRoomForNew } from './room-for-new.ts'
import { RowGroups, type RowGroup } from './row-groups.ts'
import { RefusalGroups } from './runs/refusals/refusal-groups.ts'
import type { RefusalGroup } from './runs/runs.sql.ts'
import { reasonsToHold, type RunCounts } from './safety/judge.ts'
import { openSpool, type Spool, type SpoolEntry } from './spool/spool.ts'
import { requireRoom } from './spool/spool-room.ts'
import { thresholdsOf } from './thresholds.sql.ts'
import { writeSpool, type ComparedPage, type PageCounts, type WrittenPage } from './spool/write-spool.ts'

/** `full`: the file contains all offers of the supplier; `delta`: only those that changed. */
export type ImportMode = 'full' | 'delta'

export interface ImportRequest {
  accountId: number
  supplier: OfferSupplier
  mode: ImportMode
  /** Checks and reports, but writes nothing. */
  isDryRun?: boolean
  /**
   * Accepts a file that exceeds the supplier's thresholds (safety/judge.ts); missing offers are then set to 0 even if rows without a key may be about
   * them.
   */
  isConfirmed?: boolean
  /** An earlier attempt has judged the file, and may have written a part of it: thresholds are not judged again. */
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
  /** Rows left out by the mapping's `skip`. */
  skipped: number
  /** Rows that were left out, with the reason, and offers whose cost is empty; the most frequent group first. */
  rowGroups: RowGroup[]
  /**
   * Values of optional fields that could not be read, by field and reason. Their rows are imported; the offers keep their earlier values of these
   * fields.
   */
  dropped: RefusalGroup[]
  /** Offers that were not known before, or had been deleted. */
  created: number
  changed: number
  unchanged: number
  /** Offers that a full file no longer contains; their quantity is set to 0. */
  zeroed: number
  /**
   * Known offers that keep their values because a refused row is, or may be, about them: in a full file, a row without a readable key may be about
   * any missing offer. They are marked as stale until a row of theirs can be read again.
   */
  stale: number
  /** The keys of the first LIMITS.importReportedErrorsMax stale offers. */
  staleSkus: string[]
  refusedTotal: number
  /** The first LIMITS.importReportedErrorsMax refused rows. */
  refused: RefusedRow[]
  /** Products marked for shelving. */
  products: number
  /** Doubts about the file as a whole, for people. */
  warnings: string[]
}

export interface ImportProgress {
  phase: 'reading' | 'writing'
  done: number
  /** Rows to write; null while reading. */
  total: number | null
}

/** Records the progress of an import as a run. */
export interface KeptRun {
  lease: ImportLease
  /** Called for each refused row. */
  refused(row: RefusedRow): void
  /** Called for each stale offer: it keeps its values, because a refused row is or may be about it. */
  stale(sku: string): void
  /** Called after each page that was read; stores the refused rows. @throws when the run was canceled, or belongs to another process by now */
  read(report: ImportReport): Promise<void>
  /** Called when the file has been judged, before `total` entries are written. */
  judged(report: ImportReport, total: number): Promise<void>
  /** The most entries that a page may have, within the account's budget of rows. */
  pageRows(max: number): number
  /** Waits until the account's budget has room for a page. @throws when the run was canceled, or its process ends */
  beforePage(rows: number): Promise<void>
  /**
   * Called in the transaction of a page, after its offers are written. @returns the counts without offers that an interrupted attempt of the run had
   * counted already.
   */
  pageWritten(tx: Tx, page: WrittenPage): Promise<PageCounts>
  /** Called in a dry run, with the changes that a page would make. */
  pageCompared(page: ComparedPage): Promise<void>
}

/**
 * Imports one file of one supplier. The whole file is read, checked and compared before its first row is written, so that a truncated or unsafe file
 * changes nothing. Then the offers are written in pages, each with its marks in one transaction (T1). A dry run also writes offers that may have
 * changed, and rolls back: its counts are those of the import. An interrupted import is simply run again.
 * @param warnings the list of warnings of the report, to which whatever reads `pages` may add
 * @param kept records the run, and holds the supplier's lease; without it, only the offers are written
 * @throws ImportExceeded when the file exceeds a threshold of the supplier
 * @throws ShelfwireError `source-unreadable`, `import-running`, `unknown-supplier`
 */
export async function runImport(
  db: Db,
  wake: Wake,
  request: ImportRequest,
  pages: ReadPages,
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
    rowGroups: [],
    dropped: [],
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
  const stock =
    request.mode === 'full' ? await spoolAbsent(db, request, named, spool, report, kept) : { inStock: 0, zeroed: 0 }
  await judgeFile(db, request, { ...named.counts, ...stock })
  // a dry run does not write the new and missing offers that it lists
  const listed = isListing(request, kept) ? listedOf(report.created) + listedOf(report.zeroed) : 0
  await kept?.judged(report, spool.size - listed)
  // offers may have changed since they were compared, so the results are counted again while writing
  Object.assign(report, report.isDryRun ? { changed: 0 } : { created: 0, changed: 0, zeroed: 0 })
  await writeSpool({ db, wake, lease, request, report, kept, isSeen: named.isSeen }, spool, onProgress)
  if (!report.isDryRun) await inTransaction(db, (tx) => recordSupplierImport(tx, accountId, supplier.supplierId))
  return report
}

/** Whether this is a dry run whose comparison is stored. */
const isListing = (request: ImportRequest, kept: KeptRun | undefined) => request.isDryRun === true && kept !== undefined

/** How many of `count` offers of one kind are listed. */
const listedOf = (count: number) => Math.min(count, LIMITS.importComparedOffersMax)

type FileRow = ReadRow | ComparedRow
/** The rows of a file in pages; `doubts`: what is suspicious about the file; `read`: how many of its bytes have been read, if known. */
export type ReadPages = AsyncIterable<readonly FileRow[]> & { doubts?: () => FileDoubts; read?: () => number }

/** Adds what comparisons need to a row; rows from reading processes have it already. */
const compared = (row: FileRow): ComparedRow => ('offer' in row && !('facts' in row) ? comparedOf(row) : row)

const entryOf = ({ text, facts: { hash } }: ComparedOffer) => ({ text, hash })

const hasBit = ({ known }: KnownOffer, bit: number): boolean => (known & bit) !== 0

/** The keys of the offers that a page names. A loop, because this runs for every row of a file. */
function skusOf(page: readonly ComparedRow[]): string[] {
  const skus: string[] = []
  for (const row of page)
    if ('offer' in row) skus.push(row.facts.sku)
    else if ('about' in row && row.about !== undefined && row.about !== null) skus.push(...row.about)
  return skus
}

/** Fields without which a file is useless. */
const REQUIRED = ['sku', 'quantity', 'cost']

/** @throws ImportExceeded unless the file is within the supplier's thresholds, confirmed, or was judged before */
async function judgeFile(db: Db, request: ImportRequest, counts: RunCounts): Promise<void> {
  const { accountId, supplier } = request
  if (request.isConfirmed === true || request.isJudged === true) return
  const excesses = reasonsToHold(counts, await thresholdsOf(db, accountId, supplier.supplierId))
  if (excesses.length > 0) throw new ImportExceeded(excesses)
}

/** Which known offers the rows of a file are about, by offer number. */
interface NamedOffers {
  /** Whether a valid row is about it. */
  isSeen: (offerNumber: number) => boolean
  /** Whether a refused row is, or may be, about it. */
  isRefused: (offerNumber: number) => boolean
  /** The counts to be judged; `zeroed` are the offers in stock that the file itself sets to 0. */
  counts: RunCounts
}

/**
 * Reads the whole file, classifies its rows as new, changed, unchanged, skipped or refused, and spools the new and changed ones; in a dry run, only
 * those that may have changed. In a delta file, also the stale offers of refused rows.
 */
async function classifyRows(
  db: Db,
  request: ImportRequest,
  pages: ReadPages,
  spool: Spool,
  report: ImportReport,
  onProgress: (progress: ImportProgress) => void,
  kept: KeptRun | undefined,
): Promise<NamedOffers> {
  const { accountId, supplier } = request
  // known offers that a valid row names; a second row that names one is a duplicate
  const seen = new BitSet()
  // known offers of refused rows: they are not set to 0, and a later valid row with the same key is still accepted
  const named = new BitSet()
  const counted = new FileCounts(db, request, (await thresholdsOf(db, accountId, supplier.supplierId)).pricesJumpFactor)
  const room = await openRoomForNew(db, accountId)
  let accepted = 0
  let withoutKey = 0
  const isDelta = request.mode === 'delta'
  const staleSkus = new Set<string>()
  /** Keys of offers that were not known before, with their lines. */
  const created = new KeyLines()
  const groups = new RowGroups()
  const dropped = new RefusalGroups()
  const yielding = openYielding()
  const refuse = (row: RefusedRow) => {
    report.refusedTotal++
    kept?.refused(row)
    if (report.refused.length < LIMITS.importReportedErrorsMax) report.refused.push(row)
  }
  for await (const read of withoutCutRow(db, request, pages)) {
    const page = read.map(compared)
    report.rows += page.length
    const known = new Map<string, KnownOffer>()
    for (const offer of await offersCompare(db, accountId, supplier.supplierId, supplier.currency, skusOf(page)))
      known.set(offer.supplierSku, offer)
    await room.look(page.filter((row): row is ComparedOffer => 'offer' in row && !known.has(row.facts.sku)))
    const firstLines = new Map<string, number>()
    const found: SpoolEntry[] = []
    /** Notes the known offers of a row that cannot be read or looks like a sum: it still shows that the supplier has them. */
    const keep = (about: readonly string[]) => {
      for (const sku of about) {
        const offer = known.get(sku)
        if (offer === undefined || !named.add(offer.offerNumber)) continue
        if (!isDelta || hasBit(offer, KNOWN.isAbsent) || seen.has(offer.offerNumber)) continue
        report.stale++
        if (staleSkus.size < LIMITS.importReportedErrorsMax) staleSkus.add(sku)
        if (!report.isDryRun && !hasBit(offer, KNOWN.isStale))
          found.push({ stale: sku, offerNumber: offer.offerNumber })
      }
    }
    for (const row of page) {
      // yields, because fifty rows with as many faults as a row may have take a millisecond
      const pause = yielding()
      if (pause !== null) await pause
      if ('skipped' in row) {
        report.skipped++
        const { condition, line, row: left, remark = 'part', about = [] } = row
        groups.add(condition === null ? remark : 'left-out', condition, line, () => firstCells(left))
        keep(about)
        continue
      }
      if ('faults' in row) {
        keep(row.about ?? [])
        if (row.about === null) withoutKey++
        refuse({ line: row.line, sku: row.sku, faults: row.faults })
        continue
      }
      const { line, article, facts } = row
      const { sku } = facts
      const old = known.get(sku)
      const createdAt = old === undefined ? created.get(sku) : undefined
      const isDuplicate = old === undefined ? createdAt !== undefined : !seen.add(old.offerNumber)
      if (isDuplicate) {
        const first = createdAt ?? firstLines.get(sku)
        const original = first === undefined ? 'an earlier row' : `line ${first}`
        refuse({
          line,
          sku,
          faults: [
            {
              name: 'sku',
              reason: `"${sku.slice(0, 60)}" is a duplicate of ${original}, which is used${articleSuffix(article)}`,
            },
          ],
        })
        continue
      }
      firstLines.set(sku, line)
      const fault = old === undefined || hasBit(old, KNOWN.isDropped) ? room.take(row, old !== undefined) : null
      if (fault !== null) {
        // its key is not recorded as seen: a second row with it is refused for the same reason
        refuse({ line, sku, faults: [fault] })
        continue
      }
      if (facts.cost === null) groups.add('without-cost', null, line, () => shownOf(row.offer))
      if (row.dropped !== undefined) dropped.add(line, sku, row.dropped)
      accepted++
      if (isDelta && old !== undefined && !hasBit(old, KNOWN.isAbsent) && named.has(old.offerNumber)) {
        report.stale--
        staleSkus.delete(sku)
      }
      const isEqual = old !== undefined && old.feedHash === facts.hash
      if (old !== undefined) counted.add(old, row, isEqual)
      if (old === undefined || hasBit(old, KNOWN.isDropped)) {
        if (old === undefined) created.set(sku, line)
        report.created++
        if (!report.isDryRun) found.push(entryOf(row))
        else if (isListing(request, kept) && report.created <= LIMITS.importComparedOffersMax)
          found.push({ ...entryOf(row), isNew: true })
      } else if (isEqual) {
        report.unchanged++
        // a stale offer is written although it is equal, because its row could be read again
        if (hasBit(old, KNOWN.isStale)) found.push({ ...entryOf(row), isEqual: true })
      } else {
        report.changed++
        found.push(entryOf(row))
      }
    }
    await counted.endPage()
    report.rowGroups = groups.groups()
    report.dropped = dropped.groups()
    await spool.add(found)
    requireRoom(spool, pages.read?.(), page.at(-1)?.line)
    await kept?.read(report)
    onProgress({ phase: 'reading', done: report.rows, total: null })
  }
  if (isDelta) report.staleSkus.push(...staleSkus)
  for (const sku of staleSkus) kept?.stale(sku)
  const doubts = pages.doubts?.()
  return {
    isSeen: (number) => seen.has(number),
    isRefused: (number) => named.has(number),
    counts: {
      mode: request.mode,
      rows: report.rows - report.skipped,
      accepted,
      refused: report.refusedTotal,
      withoutKey,
      firstRefused: firstRefused(report),
      inStock: 0,
      ...counted.counts,
      misread: doubts?.misread ?? null,
      missing: doubts?.missing.filter(({ field }) => REQUIRED.includes(field)) ?? [],
    },
  }
}

/** The key and the titles by which an owner recognizes an offer. */
const shownOf = ({ sku, texts = {} }: OfferRecord): string[] =>
  [sku, ...Object.values(texts).flatMap(({ title }) => (title === null || title === undefined ? [] : [title]))]
    .slice(0, LIMITS.importRowExampleCells)
    .map((text) => text.slice(0, LIMITS.importRowExampleCharacters))

/**
 * The pages of a file, but a cut last row is refused: it has no line end, and differs from the known offer in only one value, which is the beginning
 * of the known value. The file may be truncated there, so the offer keeps its values.
 */
async function* withoutCutRow(db: Db, request: ImportRequest, pages: ReadPages): AsyncGenerator<readonly FileRow[]> {
  let held: readonly FileRow[] = []
  for await (const page of readAhead(pages)) {
    if (held.length > 0) yield held
    held = page
  }
  const last = held.at(-1)
  if (last === undefined) return
  const isOpen = 'offer' in last && last.line === pages.doubts?.().openEndLine && request.isConfirmed !== true
  const known = isOpen ? await offerOf(db, request.accountId, request.supplier.supplierId, last.offer.sku) : undefined
  const cut = isOpen && known !== undefined ? truncatedValue(known, last.offer) : null
  if (!isOpen || cut === null) {
    yield held
    return
  }
  const { field, value, before } = cut
  const reason = `${quoted(value)} is only the beginning of ${quoted(before)}, which is known, and the file ends here without a line end: it may be cut off. Fetch it again, or confirm it`
  const { line, offer } = last
  yield [...held.slice(0, -1), { line, sku: offer.sku, faults: [{ name: field, reason }], about: [offer.sku] }]
}

/** The same pages; the next one is read while the database looks up the offers of the current one. */
async function* readAhead(pages: ReadPages): AsyncGenerator<readonly FileRow[]> {
  const source = pages[Symbol.asyncIterator]()
  const read = () => {
    const next = source.next()
    // its error is thrown when it is awaited, which does not happen if the import ends first
    next.catch(() => {})
    return next
  }
  try {
    for (let next = await read(); next.done !== true;) {
      const following = read()
      yield next.value
      next = await following
    }
  } finally {
    await source.return?.()
  }
}

function firstRefused({ refused: [first] }: ImportReport): string | null {
  return first === undefined ? null : `line ${first.line}, ${first.faults[0]?.name} ${first.faults[0]?.reason}`
}

/**
 * Spools the known offers that a full file does not contain, and the stale offers of refused rows.
 * @returns how many offers are in stock, and how many of these the import would set to 0, because they are missing or the file says so.
 */
async function spoolAbsent(
  db: Db,
  request: ImportRequest,
  { isSeen, isRefused, counts: { withoutKey, zeroed: soldOut } }: NamedOffers,
  spool: Spool,
  report: ImportReport,
  kept: KeptRun | undefined,
): Promise<{ inStock: number; zeroed: number }> {
  const { accountId, supplier } = request
  // rows without a key may be about the missing offers
  const isHeld = withoutKey > 0 && request.isConfirmed !== true
  let offersInStock = 0
  let zeroedInStock = soldOut
  const page: SpoolEntry[] = []
  for (let after = ''; ;) {
    const offers = await offersAfter(db, accountId, supplier.supplierId, after, LIMITS.importPageRows)
    for (const offer of offers) {
      if (offer.quantity > 0) offersInStock++
      if (offer.isAbsent || isSeen(offer.offerNumber)) continue
      if (isHeld || isRefused(offer.offerNumber)) {
        report.stale++
        kept?.stale(offer.supplierSku)
        if (report.staleSkus.length < LIMITS.importReportedErrorsMax) report.staleSkus.push(offer.supplierSku)
        if (!report.isDryRun && !offer.isStale) page.push({ stale: offer.supplierSku, offerNumber: offer.offerNumber })
        continue
      }
      if (offer.quantity > 0) zeroedInStock++
      report.zeroed++
      if (!report.isDryRun || (isListing(request, kept) && report.zeroed <= LIMITS.importComparedOffersMax))
        page.push({ absent: offer.supplierSku })
    }
    await spool.add(page.splice(0))
    await kept?.read(report)
    if (offers.length < LIMITS.importPageRows) break
    after = offers.at(-1)?.supplierSku ?? after
  }
  if (isHeld && report.stale > 0) {
    report.warnings.push(say('offers_kept', { rows: withoutKey, offers: report.stale }))
  }
  return { inStock: offersInStock, zeroed: zeroedInStock }
}
