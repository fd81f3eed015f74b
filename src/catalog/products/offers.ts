import { forEachField, NAME_FIELDS } from '../../../contract/product-fields.ts'
import { hash } from 'node:crypto'
import type { Tx } from '../../db/sql.ts'
import { slicesBySize } from '../../db/statement-slices.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { OfferRecord } from '../../model/offer.ts'
import { marksAppend } from '../stale/marks.sql.ts'
import { productsWritten, type Written } from '../stale/written.ts'
import { gtinOf } from '../../model/gtin.ts'
import { matchOffers } from './match.ts'
import { type EanRow, eansInsert, gtinHolders } from './eans.sql.ts'
import { productCreatorsLock, productIdsTake, productsInsert } from './products.sql.ts'
import { supplierLockShared } from '../settings/suppliers.sql.ts'
import {
  type OfferContentRow,
  offerContents,
  offerContentsUpsert,
  offerEans,
  offerEansDelete,
  type OfferRow,
  offersDelete,
  offersDrop,
  offersInsert,
  offersLock,
  offersLockNext,
  offersUpdate,
  offersZero,
} from './offers.sql.ts'

export interface OfferSupplier {
  supplierId: number
  /** Default currency, for records without one. */
  currency: string
  /** Whether a cost without currency is in the offer's known currency (a patch), not in the supplier's (a file). */
  keepsCurrency?: boolean
}

export interface OffersWritten {
  created: number
  changed: number
  unchanged: number
  /** What happened to each record, in their order. */
  outcomes: OfferOutcome[]
}

export interface OfferOutcome {
  status: 'created' | 'changed' | 'unchanged'
  productId: number
}

/** An offer to write: as read from a supplier file, or with `texts: null`, which clears the texts of every locale. */
export type OfferWrite = Omit<OfferRecord, 'texts'> & { readonly texts?: OfferRecord['texts'] | null }

/** How much a record changed a known offer: nothing, only cost, currency or quantity, or more. */
type Moved = 'nothing' | 'price' | 'whole'

/** Another transaction inserted one of our keys first; has the SQLSTATE that makes inTransaction retry. */
class KeyTaken extends Error {
  readonly code = '40001'
}

type OfCosts = Pick<OfferSupplier, 'currency' | 'keepsCurrency'>

/** The offer's currency after a record; undefined when the offer keeps its known currency. */
function currencyOf(record: OfferWrite, supplier: OfCosts): string | undefined {
  return (
    record.currency ?? (record.cost === undefined || supplier.keepsCurrency === true ? undefined : supplier.currency)
  )
}

/** Identifies a record's whole content: equal hashes need no comparison of columns. */
export function recordHash(record: OfferWrite, supplier: OfCosts): string {
  const { sku, eans, cost, quantity, texts, attributes, images } = record
  // `undefined` (not in the file) and `null` (empty in the file) must differ, but JSON would write both as null
  const fields = [
    sku,
    eans,
    cost,
    currencyOf(record, supplier),
    quantity,
    texts,
    ...NAME_FIELDS.map((field) => record[field]),
    attributes,
    images,
  ]
  const text = JSON.stringify(fields.map((value) => (value === undefined ? false : value)))
  return hash('sha256', text, 'base64url').slice(0, 22)
}

/**
 * Writes a page of one supplier's offers, each key once: a known offer keeps its product, a new one joins the product
 * that carries its EAN or creates one. Undefined fields stay unchanged. Locks the known offers in key order, then the
 * account's creators; the number of statements depends on the size of the page and not on its rows.
 * @throws ShelfwireError unknown-supplier when it was deleted.
 */
export async function writeOffers(
  tx: Tx,
  accountId: number,
  supplier: OfferSupplier,
  records: readonly OfferWrite[],
): Promise<Written<OffersWritten>> {
  const { supplierId } = supplier
  await requireSupplier(tx, accountId, supplierId)
  const skus = records.map((record) => record.sku).sort()
  const known = await offersLock(tx, accountId, supplierId, skus)
  const knownBySku = new Map(known.map((row) => [row.supplierSku, row]))
  const fresh = records.filter((record) => !knownBySku.has(record.sku))
  const created = fresh.length === 0 ? new Map<string, number>() : await createOffers(tx, accountId, supplier, fresh)
  const repeated = records.filter((record) => knownBySku.has(record.sku))
  const moved =
    repeated.length === 0 ? new Map<string, Moved>() : await updateOffers(tx, accountId, supplier, repeated, knownBySku)
  const wholes = new Set(created.values())
  const prices = new Set<number>()
  const outcomes = records.map(({ sku }): OfferOutcome => {
    const row = knownBySku.get(sku)
    if (row === undefined) return { status: 'created', productId: created.get(sku) ?? 0 }
    const what = moved.get(sku) ?? 'nothing'
    if (what === 'whole') wholes.add(row.productId)
    if (what === 'price') prices.add(row.productId)
    return { status: what === 'nothing' ? 'unchanged' : 'changed', productId: row.productId }
  })
  for (const productId of wholes) prices.delete(productId)
  await marksAppend(tx, accountId, [...wholes])
  await marksAppend(tx, accountId, [...prices], 'price')
  const changed = outcomes.filter((outcome) => outcome.status === 'changed').length
  return productsWritten([...wholes, ...prices], {
    created: fresh.length,
    changed,
    unchanged: repeated.length - changed,
    outcomes,
  })
}

/**
 * Locks offers of a supplier in key order, for a transaction that writes some of them with writeOffers and others with
 * zeroOffers: both at once, before the account's creators.
 * @throws ShelfwireError unknown-supplier when it was deleted.
 */
export async function lockOffers(
  tx: Tx,
  accountId: number,
  supplierId: number,
  skus: readonly string[],
): Promise<void> {
  await requireSupplier(tx, accountId, supplierId)
  await offersLock(tx, accountId, supplierId, skus)
}

async function requireSupplier(tx: Tx, accountId: number, supplierId: number): Promise<void> {
  if (!(await supplierLockShared(tx, accountId, supplierId)))
    throw new ShelfwireError('unknown-supplier', `the account has no supplier ${supplierId}`)
}

/** Sets offers that a full import did not contain to 0 and marks their products. */
export async function zeroOffers(
  tx: Tx,
  accountId: number,
  supplierId: number,
  skus: readonly string[],
): Promise<Written> {
  const written = productsWritten(await offersZero(tx, accountId, supplierId, skus))
  await marksAppend(tx, accountId, written.productIds, 'price')
  return written
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
  await offersDelete(tx, accountId, supplierId, offers)
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
  await marksAppend(
    tx,
    accountId,
    dropped.map((row) => row.productId),
  )
  return dropped.length
}

/** @returns the product of each key. */
async function createOffers(
  tx: Tx,
  accountId: number,
  supplier: OfferSupplier,
  records: readonly OfferWrite[],
): Promise<Map<string, number>> {
  const { supplierId } = supplier
  // before EANs are looked up, so that products committed by an earlier creator are seen
  await productCreatorsLock(tx, accountId)
  const unmatched = records.map((record) => ({
    supplierSku: record.sku,
    gtins: (record.eans ?? []).map(gtinOf).filter((gtin) => gtin !== null),
  }))
  const gtins = [...new Set(unmatched.flatMap((offer) => offer.gtins))]
  const holders = gtins.length === 0 ? [] : await gtinHolders(tx, accountId, supplierId, gtins)
  const assignments = matchOffers(unmatched, holders)
  const newIds = await productIdsTake(tx, accountId, assignments.filter((entry) => entry.productId === null).length)
  let next = 0
  const products: { productId: number; sku: string | null }[] = []
  const rows = records.map((record, i) => {
    let productId = assignments[i]?.productId ?? null
    if (productId === null) {
      productId = newIds[next++] ?? 0
      products.push({ productId, sku: record.sku })
    }
    return { record, productId }
  })
  await productsInsert(tx, accountId, products)
  const inserted = await offersInsert(
    tx,
    accountId,
    supplierId,
    rows.map(({ record, productId }) => ({
      supplierSku: record.sku,
      productId,
      cost: record.cost ?? null,
      currency: record.currency ?? supplier.currency,
      quantity: record.quantity ?? 0,
      feedHash: recordHash(record, supplier),
    })),
  )
  if (inserted < rows.length) throw new KeyTaken('another transaction wrote one of these offers first')
  await writeContents(
    tx,
    accountId,
    supplierId,
    rows.map(({ record, productId }) => mergeContent(record, productId, undefined)),
  )
  await eansInsert(
    tx,
    accountId,
    rows.flatMap(({ record, productId }) => eanRows(supplierId, record, productId)),
  )
  return new Map(rows.map(({ record, productId }) => [record.sku, productId]))
}

/** @returns how much each record changed; keys without an entry changed nothing. */
async function updateOffers(
  tx: Tx,
  accountId: number,
  supplier: OfferSupplier,
  records: readonly OfferWrite[],
  known: ReadonlyMap<string, OfferRow>,
): Promise<Map<string, Moved>> {
  const { supplierId } = supplier
  const pending = records.flatMap((record) => {
    const old = known.get(record.sku)
    const feedHash = recordHash(record, supplier)
    return old === undefined || old.feedHash === feedHash ? [] : [{ record, old, feedHash }]
  })
  const moved = new Map<string, Moved>()
  if (pending.length === 0) return moved
  const olds = pending.map((entry) => entry.old)
  const [contents, eans] = await Promise.all([
    offerContents(tx, accountId, supplierId, olds),
    offerEans(tx, accountId, supplierId, olds),
  ])
  const contentBySku = new Map(contents.map((row) => [row.supplierSku, row]))
  const eansBySku = Map.groupBy(eans, (row) => row.supplierSku)
  const newContents: OfferContentRow[] = []
  const newEans: { record: OfferWrite; productId: number; supplierSku: string }[] = []
  const rows = pending.map(({ record, old, feedHash }) => {
    const row = {
      ...old,
      cost: record.cost === undefined ? old.cost : record.cost,
      currency: currencyOf(record, supplier) ?? old.currency,
      quantity: record.quantity ?? old.quantity,
      feedHash,
    }
    if (!sameDecimal(row.cost, old.cost) || row.currency !== old.currency || row.quantity !== old.quantity) {
      moved.set(record.sku, 'price')
    }
    const before = contentBySku.get(record.sku)
    const after = mergeContent(record, old.productId, before)
    if (before === undefined || contentKey(before) !== contentKey(after)) {
      newContents.push(after)
      moved.set(record.sku, 'whole')
    }
    const eansBefore = (eansBySku.get(record.sku) ?? []).map((entry) => entry.ean)
    if (record.eans !== undefined && uniqueEans(record).join() !== eansBefore.join()) {
      newEans.push({ record, productId: old.productId, supplierSku: record.sku })
      moved.set(record.sku, 'whole')
    }
    return row
  })
  await offersUpdate(tx, accountId, supplierId, rows)
  await writeContents(tx, accountId, supplierId, newContents)
  if (newEans.length > 0) {
    await offerEansDelete(tx, accountId, supplierId, newEans)
    await eansInsert(
      tx,
      accountId,
      newEans.flatMap(({ record, productId }) => eanRows(supplierId, record, productId)),
    )
  }
  return moved
}

/** Writes contents of offers that are locked, or that this transaction inserted. */
async function writeContents(
  tx: Tx,
  accountId: number,
  supplierId: number,
  contents: readonly OfferContentRow[],
): Promise<void> {
  for (const slice of slicesBySize(contents, sizeOf)) await offerContentsUpsert(tx, accountId, supplierId, slice)
}

/** Characters of a content's texts, attributes and images. */
function sizeOf({ texts, attributes, images }: OfferContentRow): number {
  let size = 0
  for (const { title, description } of Object.values(texts)) size += (title?.length ?? 0) + (description?.length ?? 0)
  for (const { key, value } of attributes) size += key.length + value.length
  for (const url of images) size += url.length
  return size
}

/** An offer's content after a record: the record's fields over the known ones. */
function mergeContent(record: OfferWrite, productId: number, before: OfferContentRow | undefined): OfferContentRow {
  const texts: OfferContentRow['texts'] = record.texts === null ? {} : { ...before?.texts }
  for (const [locale, fields] of Object.entries(record.texts ?? {})) {
    const merged = { ...texts[locale], ...fields }
    // null values are not stored
    const kept = Object.fromEntries(Object.entries(merged).filter(([, text]) => text !== null))
    if (Object.keys(kept).length === 0) delete texts[locale]
    else texts[locale] = kept
  }
  return {
    supplierSku: record.sku,
    productId,
    ...forEachField(NAME_FIELDS, (field) => {
      const name = record[field]
      return name === undefined ? (before?.[field] ?? null) : name
    }),
    texts,
    attributes: record.attributes === undefined ? (before?.attributes ?? []) : [...record.attributes],
    images: record.images === undefined ? (before?.images ?? []) : [...record.images],
  }
}

/** Equal text for equal contents, because jsonb does not keep the order of members. */
function contentKey(row: OfferContentRow): string {
  const texts = Object.keys(row.texts)
    .sort()
    .map((locale) => [locale, row.texts[locale]?.title ?? null, row.texts[locale]?.description ?? null])
  const attributes = row.attributes.map(({ key, value }) => [key, value])
  return JSON.stringify([...NAME_FIELDS.map((field) => row[field]), texts, attributes, row.images])
}

function uniqueEans(record: OfferWrite): string[] {
  return [...new Set(record.eans ?? [])]
}

function eanRows(supplierId: number, record: OfferWrite, productId: number): EanRow[] {
  return uniqueEans(record).map((ean, position) => ({
    productId,
    supplierId,
    supplierSku: record.sku,
    ean,
    position,
    gtin: gtinOf(ean),
  }))
}

/** numeric returns costs without trailing zeros; a record may have them. */
function sameDecimal(a: string | null, b: string | null): boolean {
  const plain = (text: string) => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)
  return a === null || b === null ? a === b : plain(a) === plain(b)
}
