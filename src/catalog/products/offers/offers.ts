import { changeUse } from '../../../accounts/limits/use.ts'
import type { Tx } from '../../../db/sql.ts'
import { slicesBySize } from '../../../db/statements/statement-slices.ts'
import { joiningGtinOf, gtinOf } from '../../../model/gtin.ts'
import { offerCharacters, withoutContent } from '../../../model/offer-size.ts'
import type { OfferWrite } from '../../../model/record-text.ts'
import { ShelfwireError } from '../../../platform/errors.ts'
import { LIMITS } from '../../../platform/limits.ts'
import { mapYielding } from '../../../platform/turns/yielding.ts'
import { marksAppend } from '../../stale/marks.sql.ts'
import { productsWritten, type Written } from '../../stale/written.ts'
import { supplierLockShared, supplierActivityRecord } from '../../settings/suppliers/suppliers.sql.ts'
import { type EanRow, eansInsert } from '../keys/eans.sql.ts'
import { gtinHolders, suppliersOffering } from './match.sql.ts'
import { matchOffers, type Match, type MatchRow } from './match.ts'
import {
  applyRecord,
  emptyOffer,
  isSameContent,
  isSameEans,
  recordHash,
  type Moved,
  type OfferState,
} from './offer-state.ts'
import { productCreatorsLock, productIdsTake, productsInsert } from '../products.sql.ts'
import {
  offerContents,
  offerContentsUpsert,
  offerEans,
  offerEansDelete,
  type LockedOffer,
  type OfferContentRow,
  offersDelete,
  offersDrop,
  offersInsert,
  offersLock,
  offersLockNext,
  offersUpdate,
  offersZero,
} from './offers.sql.ts'
import { must } from '../../../platform/must.ts'
import { offerWeights } from './offer-weights.ts'

export interface OfferSupplier {
  supplierId: number
  /** The currency of costs that state none. */
  currency: string
  /** Whether the supplier sent nothing within the last hour, read when it was locked. */
  isQuiet?: boolean
}

export interface OffersWritten {
  created: number
  changed: number
  unchanged: number
  /** What happened to each record, in the order of the records. */
  outcomes: OfferOutcome[]
  /** The offers that were created or changed, each once. */
  changes: OfferChange[]
}

/** How a write changed an offer. */
export interface OfferChange {
  supplierSku: string
  kind: 'created' | 'changed'
  before: OfferState
  after: OfferState
  /** Since when full imports had not contained it. */
  absentSince: Date | null
}

export interface OfferOutcome {
  status: 'created' | 'changed' | 'unchanged'
  productId: number
  /** The characters that the offer would have with the record, if these are too many. What is not written then: see BatchOptions.isPage. */
  tooLong?: number
}

/** A record of one of the suppliers of a batch. */
export interface SuppliedRecord {
  supplier: OfferSupplier
  record: OfferWrite
  /** recordHash of the record, where it is known. */
  hash?: string | undefined
}

/** Another transaction inserted one of our keys first; has the SQLSTATE that makes inTransaction retry. */
class KeyTaken extends Error {
  readonly code = '40001'
}

/**
 * Writes a page of one supplier's offers.
 * @param hashes recordHash of each record, where they are known
 * @throws ShelfwireError unknown-supplier when it was deleted.
 */
export async function writeOffers(
  tx: Tx,
  accountId: number,
  supplier: OfferSupplier,
  records: readonly OfferWrite[],
  hashes?: readonly string[],
): Promise<Written<OffersWritten>> {
  const { isQuiet } = await requireSupplier(tx, accountId, supplier.supplierId)
  const locked = { ...supplier, isQuiet }
  const rows = records.map((record, i) => ({ supplier: locked, record, hash: hashes?.[i] }))
  return writeOfferBatch(tx, accountId, rows, { isPage: true })
}

/** The known offers of a batch of one supplier that the caller has locked and read. */
export interface HeldOffers {
  known: readonly LockedOffer[]
  contents: readonly OfferContentRow[]
  /** In the order of each offer's EANs. */
  eans: readonly { supplierSku: string; ean: string }[]
}

interface BatchOptions {
  /** The offers that the caller has locked and read already. */
  held?: HeldOffers | undefined
  /**
   * The records are a page of a file. If an offer would become too long, its content stays and the rest of the record is written; `changes` are
   * filled; and the caller has limited how much content the known offers have (offer-weights.ts). Otherwise such a record is skipped, which its
   * outcome says, and `changes` are empty.
   */
  isPage?: boolean
}

/** One offer of a batch: how it was found, and how the records of the batch change it. */
interface Writing {
  supplier: OfferSupplier
  supplierSku: string
  /** undefined: the offer is new. */
  known: LockedOffer | undefined
  productId: number
  before: OfferState
  after: OfferState
  /** Whether a record of the batch differs from the last one that was written, or shows that the offer is no longer stale. */
  isPending: boolean
}

/**
 * Writes offers of any suppliers, whom the caller has locked, as if the records were written one after the other: a known offer keeps its product; a
 * new one joins the product that carries its EAN at that moment, or creates a product. Undefined fields stay, null clears, and a deleted offer starts
 * again on its product. Locks the known offers by supplier and key, then the account's creators; the number of statements depends on the suppliers,
 * not on the records. The last statements are sent without being awaited.
 */
export async function writeOfferBatch(
  tx: Tx,
  accountId: number,
  records: readonly SuppliedRecord[],
  { held, isPage = false }: BatchOptions = {},
): Promise<Written<OffersWritten>> {
  const known = await lockKnown(tx, accountId, records, held)
  const { productIds: matches, created: newProducts } = await matchRecords(tx, accountId, records, known)
  // a record may have hundreds of values: requests are answered between records
  const hashes = await mapYielding(records, ({ record, hash }) => hash ?? recordHash(record))
  const writings = new Map<string, Writing>()
  records.forEach(({ supplier, record }, i) => {
    const key = keyOf(supplier.supplierId, record.sku)
    const writing = writings.get(key) ?? startWriting(supplier, record.sku, known.get(key), must(matches[i]))
    if (writing.before.feedHash !== hashes[i] || writing.known?.isStale === true) writing.isPending = true
    writings.set(key, writing)
  })
  const wholes = new Set<number>()
  const prices = new Set<number>()
  const changes = new Map<Writing, OfferChange>()
  const outcomes: OfferOutcome[] = []
  let newOffers = 0
  const rowsOf = Map.groupBy(records.keys(), (i) => must(writings.get(keyOfRecord(must(records[i])))))
  const isSplit = held === undefined && !isPage
  for (const part of isSplit ? await partsByKnown(tx, accountId, writings.values()) : [[...writings.values()]]) {
    const bySupplier = Map.groupBy(part, ({ supplier }) => supplier.supplierId)
    for (const [supplierId, offers] of bySupplier) await readContents(tx, accountId, supplierId, offers, held)
    const rows = part.flatMap((writing) => (rowsOf.get(writing) ?? []).map((i) => [i, writing] as const))
    await mapYielding(rows, ([i, writing]) => {
      const { productId, supplierSku, known } = writing
      const applied = apply(writing, must(records[i]).record, must(hashes[i]), isPage)
      const { status, moved, tooLong } = applied
      outcomes[i] = tooLong === undefined ? { status, productId } : { status, productId, tooLong }
      if (status === 'created') newOffers++
      if (status !== 'unchanged' && isPage) {
        const { before, after } = writing
        const kind = changes.get(writing)?.kind ?? status
        changes.set(writing, { supplierSku, kind, before, after, absentSince: known?.absentSince ?? null })
      }
      if (moved === 'whole') wholes.add(productId)
      if (moved === 'price') prices.add(productId)
    })
    for (const [supplierId, offers] of bySupplier) await store(tx, accountId, supplierId, offers)
    // frees the states of written offers before the next part is read
    if (!isPage) for (const writing of part) writing.before = writing.after = emptyOffer('')
  }
  await changeUse(tx, accountId, { products: newProducts, offers: newOffers })
  for (const productId of wholes) prices.delete(productId)
  void marksAppend(tx, accountId, [...wholes])
  void marksAppend(tx, accountId, [...prices], 'price')
  const quiet = records.flatMap(({ supplier: { supplierId, isQuiet } }) => (isQuiet === true ? [supplierId] : []))
  await supplierActivityRecord(tx, accountId, quiet)
  const count = (status: OfferOutcome['status']) => outcomes.filter((outcome) => outcome.status === status).length
  const written: OffersWritten = {
    created: count('created'),
    changed: count('changed'),
    unchanged: count('unchanged'),
    outcomes,
    changes: [...changes.values()],
  }
  return productsWritten([...wholes, ...prices], written, wholes.size === 0 ? 'price' : undefined)
}

const keyOfRecord = ({ supplier, record }: SuppliedRecord) => keyOf(supplier.supplierId, record.sku)
const keyOf = (supplierId: number, supplierSku: string) => `${supplierId} ${supplierSku}`

/** Locks the known offers of a batch by supplier and key. @returns them by keyOf. */
async function lockKnown(
  tx: Tx,
  accountId: number,
  records: readonly SuppliedRecord[],
  held: HeldOffers | undefined,
): Promise<ReadonlyMap<string, LockedOffer>> {
  const bySupplier = Map.groupBy(records, ({ supplier }) => supplier.supplierId)
  const known = new Map<string, LockedOffer>()
  for (const [supplierId, of] of [...bySupplier].sort(([a], [b]) => a - b)) {
    const skus = [...new Set(of.map(({ record }) => record.sku))].sort()
    for (const row of held?.known ?? (await offersLock(tx, accountId, supplierId, skus)))
      known.set(keyOf(supplierId, row.supplierSku), row)
  }
  return known
}

/**
 * Finds the product of every record, and creates those that are missing; locks the account's creators if a record is of
 * a new offer.
 */
async function matchRecords(
  tx: Tx,
  accountId: number,
  records: readonly SuppliedRecord[],
  known: ReadonlyMap<string, LockedOffer>,
): Promise<Matched> {
  const rows = records.map(({ supplier: { supplierId }, record }): MatchRow => {
    const row = known.get(keyOf(supplierId, record.sku))
    return {
      supplierId,
      supplierSku: record.sku,
      productId: row?.productId ?? null,
      isDropped: row?.isDropped ?? false,
      gtins: record.eans?.map(joiningGtinOf).filter((gtin) => gtin !== null),
    }
  })
  const fresh = rows.filter(({ productId }) => productId === null)
  if (fresh.length === 0) return { productIds: rows.map(({ productId }) => must(productId)), created: 0 }
  // before EANs are looked up, so that products which an earlier creator has committed are seen
  await productCreatorsLock(tx, accountId)
  const gtins = new Set(fresh.flatMap((row) => row.gtins ?? []))
  const holders = gtins.size === 0 ? [] : await gtinHolders(tx, accountId, [...gtins])
  // products that may be joined: they carry one of the GTINs, or an earlier row gives them one
  const joinable = new Set(holders.map(({ productId }) => productId))
  for (const { productId, gtins: given } of rows)
    if (productId !== null && given?.some((gtin) => gtins.has(gtin)) === true) joinable.add(productId)
  const supplierIds = [...new Set(rows.map(({ supplierId }) => supplierId))]
  const offered = joinable.size === 0 ? [] : await suppliersOffering(tx, accountId, [...joinable], supplierIds)
  return createProducts(tx, accountId, records, matchOffers(rows, holders, offered))
}

/** The product of every record, and how many of them are new. */
interface Matched {
  productIds: number[]
  created: number
}

/** Creates the products that records need, in their order. */
async function createProducts(
  tx: Tx,
  accountId: number,
  records: readonly SuppliedRecord[],
  matches: readonly Match[],
): Promise<Matched> {
  const creating = [...new Set(matches.flatMap((match) => ('newProduct' in match ? [match.newProduct] : [])))]
  if (creating.length === 0)
    return { productIds: matches.map((match) => ('productId' in match ? match.productId : 0)), created: 0 }
  const ids = await productIdsTake(tx, accountId, creating.length)
  const idOf = new Map(creating.map((at, i) => [at, must(ids[i])]))
  await productsInsert(
    tx,
    accountId,
    creating.map((at) => ({ productId: must(idOf.get(at)), sku: records[at]?.record.sku ?? null })),
  )
  const productIds = matches.map((match) => ('productId' in match ? match.productId : must(idOf.get(match.newProduct))))
  return { productIds, created: creating.length }
}

function startWriting(
  supplier: OfferSupplier,
  supplierSku: string,
  known: LockedOffer | undefined,
  productId: number,
): Writing {
  const empty = emptyOffer(supplier.currency)
  const before = known === undefined || known.isDropped ? empty : { ...empty, ...known }
  return { supplier, supplierSku, known, productId, before, after: before, isPending: false }
}

/** Splits the offers of a batch into parts whose known contents are about as long as those of a page may be. */
async function partsByKnown(tx: Tx, accountId: number, writings: Iterable<Writing>): Promise<Writing[][]> {
  const all = [...writings]
  const read = all.filter(({ known, isPending }) => known !== undefined && !known.isDropped && isPending)
  if (read.length * LIMITS.offerCharactersMax <= LIMITS.importPageCharacters) return [all]
  const weights = new Map<Writing, number>()
  for (const [supplierId, offers] of Map.groupBy(read, ({ supplier }) => supplier.supplierId)) {
    const of = await offerWeights(
      tx,
      accountId,
      supplierId,
      offers.map(({ supplierSku }) => supplierSku),
    )
    for (const writing of offers) weights.set(writing, of.get(writing.supplierSku) ?? 0)
  }
  return [...slicesBySize(all, (writing) => weights.get(writing) ?? 0, LIMITS.importPageCharacters)]
}

/** Reads content and EANs of those offers of one supplier that may change. */
async function readContents(
  tx: Tx,
  accountId: number,
  supplierId: number,
  offers: readonly Writing[],
  held: HeldOffers | undefined,
): Promise<void> {
  const rows = offers.flatMap(({ known, isPending }) =>
    known === undefined || known.isDropped || !isPending ? [] : [known],
  )
  if (rows.length === 0) return
  const { contents, eans } = held ?? (await contentsOf(tx, accountId, supplierId, rows))
  const contentOf = new Map(contents.map((row) => [row.supplierSku, row]))
  const eansOf = Map.groupBy(eans, (row) => row.supplierSku)
  for (const writing of offers) {
    const { before, supplierSku } = writing
    const content = contentOf.get(supplierSku)
    if (content !== undefined) before.content = content
    before.eans = (eansOf.get(supplierSku) ?? []).map(({ ean }) => ean)
  }
}

async function contentsOf(tx: Tx, accountId: number, supplierId: number, rows: readonly LockedOffer[]) {
  const [contents, eans] = await Promise.all([
    offerContents(tx, accountId, supplierId, rows),
    offerEans(tx, accountId, supplierId, rows),
  ])
  return { contents, eans }
}

/**
 * Applies a record to the offer as the records before it left it.
 * @param isPage if the offer would become too long: true writes the record without its content, false writes nothing
 */
function apply(
  writing: Writing,
  record: OfferWrite,
  feedHash: string,
  isPage: boolean,
): { status: OfferOutcome['status']; moved: Moved; tooLong?: number } {
  const isFirst = writing.after === writing.before
  const applied = applyRecord(writing.after, record, feedHash, writing.supplier.currency)
  const tooLong = excessOf(writing.after, applied.after)
  if (tooLong !== undefined && !isPage) return { status: 'unchanged', moved: 'nothing', tooLong }
  const { after, moved } =
    tooLong === undefined
      ? applied
      : applyRecord(writing.after, withoutContent(record), feedHash, writing.supplier.currency)
  writing.after = after
  if (isFirst && (writing.known === undefined || writing.known.isDropped)) return { status: 'created', moved: 'whole' }
  return { status: moved === 'nothing' ? 'unchanged' : 'changed', moved }
}

/** The characters that an offer would have after a record, if these are too many and more than before; otherwise undefined. */
function excessOf(before: OfferState, after: OfferState): number | undefined {
  if (before.content === after.content) return undefined
  const characters = offerCharacters(after.content)
  if (characters <= LIMITS.offerCharactersMax || characters <= offerCharacters(before.content)) return undefined
  return characters
}

/** Writes the offers of one supplier as the records left them; long texts in slices, each after the one before has been written. */
async function store(tx: Tx, accountId: number, supplierId: number, offers: readonly Writing[]): Promise<void> {
  const rowOf = ({ supplierSku, productId, after: { cost, costTiers, currency, quantity, feedHash } }: Writing) => ({
    supplierSku,
    productId,
    cost,
    costTiers,
    currency,
    quantity,
    feedHash,
  })
  const pending = offers.filter(({ isPending }) => isPending)
  const fresh = pending.filter(({ known }) => known === undefined)
  const repeated = pending.filter(({ known }) => known !== undefined)
  if (fresh.length > 0 && (await offersInsert(tx, accountId, supplierId, fresh.map(rowOf))) < fresh.length)
    throw new KeyTaken('another transaction wrote one of these offers first')
  if (repeated.length > 0) void offersUpdate(tx, accountId, supplierId, repeated.map(rowOf)).execute()
  const isWhole = ({ known }: Writing) => known === undefined || known.isDropped
  // contents may have a megabyte each: requests are answered between comparisons
  const differs = await mapYielding(
    pending,
    (writing) => isWhole(writing) || !isSameContent(writing.before.content, writing.after.content),
  )
  const contents = pending
    .filter((_, i) => differs[i])
    .map(({ supplierSku, productId, after }) => ({ ...after.content, supplierSku, productId }))
  let before: Promise<unknown> = Promise.resolve()
  for (const slice of slicesBySize(contents, offerCharacters)) {
    await before
    before = offerContentsUpsert(tx, accountId, supplierId, slice).execute()
  }
  const eans = pending.filter(({ before, after }) => !isSameEans(before.eans, after.eans))
  const replaced = eans.filter((writing) => !isWhole(writing))
  if (replaced.length > 0) void offerEansDelete(tx, accountId, supplierId, replaced).execute()
  if (eans.length > 0) void eansInsert(tx, accountId, eans.flatMap(eanRows)).execute()
}

function eanRows({ supplier: { supplierId }, supplierSku, productId, after }: Writing): EanRow[] {
  return after.eans.map((ean, position) => ({
    productId,
    supplierId,
    supplierSku,
    ean,
    position,
    gtin: gtinOf(ean),
  }))
}

/**
 * Locks offers of a supplier in key order, for a transaction that writes some of them with writeOffers and others with zeroOffers: all are locked
 * together, before the account's creators. @returns those that are known.
 * @throws ShelfwireError unknown-supplier when it was deleted.
 */
export async function lockOffers(
  tx: Tx,
  accountId: number,
  supplierId: number,
  skus: readonly string[],
): Promise<LockedOffer[]> {
  await requireSupplier(tx, accountId, supplierId)
  return await offersLock(tx, accountId, supplierId, skus)
}

async function requireSupplier(tx: Tx, accountId: number, supplierId: number): Promise<{ isQuiet: boolean }> {
  const supplier = await supplierLockShared(tx, accountId, supplierId)
  if (supplier === undefined) throw new ShelfwireError('unknown-supplier', `the account has no supplier ${supplierId}`)
  return supplier
}

/** Sets offers that a full import did not contain to quantity 0 and marks their products. @returns the keys of those that were not absent before. */
export async function zeroOffers(
  tx: Tx,
  accountId: number,
  supplierId: number,
  skus: readonly string[],
): Promise<Written<string[]>> {
  const zeroed = await offersZero(tx, accountId, supplierId, skus)
  const productIds = zeroed.map((row) => row.productId)
  await marksAppend(tx, accountId, productIds, 'price')
  return productsWritten(
    productIds,
    zeroed.map((row) => row.supplierSku),
  )
}

/** Deletes the next offers of a supplier and marks their products. @returns how many. */
export async function deleteSupplierOffers(
  tx: Tx,
  accountId: number,
  supplierId: number,
  limit: number,
): Promise<number> {
  const offers = await offersLockNext(tx, accountId, supplierId, limit)
  if (offers.length === 0) return 0
  const live = await offersDelete(tx, accountId, supplierId, offers)
  await changeUse(tx, accountId, { offers: -live })
  await marksAppend(
    tx,
    accountId,
    offers.map((row) => row.productId),
  )
  return offers.length
}

/** Drops the next offers that have been absent too long and marks their products. @returns how many. */
export async function dropAbsentOffers(tx: Tx, accountId: number): Promise<number> {
  const dropped = await offersDrop(tx, accountId, LIMITS.offerAbsentDaysMax, LIMITS.offersDroppedPerStep)
  await changeUse(tx, accountId, { offers: -dropped.length })
  await marksAppend(
    tx,
    accountId,
    dropped.map((row) => row.productId),
  )
  return dropped.length
}
