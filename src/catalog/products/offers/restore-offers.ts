import { changeUse } from '../../../accounts/limits/use.ts'
import type { Reader, Tx } from '../../../db/sql.ts'
import { slicesBySize } from '../../../db/statements/statement-slices.ts'
import { mapYielding } from '../../../platform/turns/yielding.ts'
import { isSameCostTiers } from '../../../model/cost-tiers.ts'
import { gtinOf } from '../../../model/gtin.ts'
import { offerCharacters } from '../../../model/offer-size.ts'
import { marksAppend } from '../../stale/marks.sql.ts'
import { productsWritten, type Written } from '../../stale/written.ts'
import { eansInsert } from '../keys/eans.sql.ts'
import {
  contentOf,
  hasPreviousValues,
  isOfferOf,
  sameDecimal,
  type OfferBefore,
  type OfferContent,
  type OfferState,
} from './offer-state.ts'
import {
  offerContents,
  offerContentsUpsert,
  offerEans,
  offerEansDelete,
  offersAbsentSet,
  offersDropLocked,
  offersReadUnlocked,
  offersUpdate,
  type LockedOffer,
} from './offers.sql.ts'
import { lockOffers } from './offers.ts'

/** A change of an offer that is to be undone. */
export interface OfferRestore {
  supplierSku: string
  kind: 'created' | 'changed' | 'zeroed'
  /** The offer's values before the change; null if the change created it. */
  before: OfferBefore | null
  /** offerHash of the offer after the change; null if the change set it to 0. */
  afterHash: string | null
}

/** A known offer with the values that it gets back. */
interface Restoring {
  known: LockedOffer
  before: OfferBefore
}

/**
 * What an undo does with an offer: restores its earlier values (`restore`), deletes it (`drop`), or leaves it alone
 * because it has its earlier values already (`as_before`), was changed since (`changed`) or was deleted since
 * (`deleted`).
 */
export type Restoration = 'restore' | 'drop' | 'as_before' | 'changed' | 'deleted'

/** Decides what an undo does with an offer. @param state its current state; undefined: it was deleted, or never existed */
function restorationOf(
  { kind, before, afterHash }: OfferRestore,
  isAbsent: boolean,
  state: OfferState | undefined,
  isForced: boolean,
): Restoration {
  if (state === undefined) return kind === 'created' ? 'as_before' : 'deleted'
  const isAsLeft =
    kind === 'zeroed'
      ? isAbsent || (before !== null && isZeroOf(state, before))
      : afterHash !== null && isOfferOf(state, afterHash)
  if (!isAsLeft && before !== null && hasPreviousValues(state, before)) return 'as_before'
  if (!isAsLeft && !isForced) return 'changed'
  return before === null ? 'drop' : 'restore'
}

/**
 * Whether an offer that was set to 0, and has been written since, still has the values that it had then. Setting it to 0 changed nothing but the
 * quantity.
 */
const isZeroOf = (state: OfferState, before: OfferBefore) =>
  state.quantity === 0 &&
  sameDecimal(state.cost, before.cost) &&
  isSameCostTiers(state.costTiers, before.costTiers ?? null) &&
  state.currency === before.currency

/** An offer that is not restored, and why. */
export interface SkippedRestore extends OfferRestore {
  reason: 'changed' | 'deleted'
  /** Its current values; null: it is deleted. */
  now: Pick<OfferState, 'cost' | 'currency' | 'quantity'> | null
}

/**
 * Undoes changes of a supplier's offers: an offer that is unchanged since gets its earlier values back, and one that the run created is deleted.
 * Offers that were changed since stay. Marks the products.
 * @param isForced whether offers that were changed since are restored, too; deleted ones stay deleted
 * @returns how many of each kind were undone or had their earlier values already, and the keys of those that stay.
 * @throws ShelfwireError unknown-supplier when it was deleted.
 */
export async function restoreOffers(
  tx: Tx,
  accountId: number,
  supplierId: number,
  restores: readonly OfferRestore[],
  isForced: boolean,
): Promise<Written<{ dropped: number; restored: number; asBefore: number; left: string[] }>> {
  const skus = restores.map(({ supplierSku }) => supplierSku)
  const known = await lockOffers(tx, accountId, supplierId, skus)
  const judged = await judge(tx, accountId, supplierId, restores, known, isForced)
  const dropped: LockedOffer[] = []
  const restored: Restoring[] = []
  const left: string[] = []
  let asBefore = 0
  for (const { restore: change, known: row, restoration } of judged) {
    if (restoration === 'changed' || restoration === 'deleted') left.push(change.supplierSku)
    else if (restoration === 'as_before') asBefore++
    else if (row === undefined) throw new Error('an offer that is taken back is there')
    else if (change.before === null) dropped.push(row)
    else restored.push({ known: row, before: change.before })
  }
  if (dropped.length > 0) {
    await offersDropLocked(tx, accountId, supplierId, dropped)
    await changeUse(tx, accountId, { offers: -dropped.length })
  }
  await restore(tx, accountId, supplierId, restored)
  const isWhole = ({ before }: Restoring) => before.content !== undefined || before.eans !== undefined
  const whole = new Set(
    [...dropped, ...restored.filter(isWhole).map(({ known: row }) => row)].map(({ productId }) => productId),
  )
  const price = restored.map((each) => each.known.productId).filter((productId) => !whole.has(productId))
  await marksAppend(tx, accountId, [...whole])
  await marksAppend(tx, accountId, price, 'price')
  return productsWritten([...whole, ...price], { dropped: dropped.length, restored: restored.length, asBefore, left })
}

/** Tells what restoreOffers would do now with each change, without a lock. */
export async function previewRestores(
  reader: Reader,
  accountId: number,
  supplierId: number,
  restores: readonly OfferRestore[],
): Promise<{ restore: OfferRestore; restoration: Restoration; now: SkippedRestore['now'] }[]> {
  const skus = restores.map(({ supplierSku }) => supplierSku)
  const known = await offersReadUnlocked(reader, accountId, supplierId, skus)
  const judged = await judge(reader, accountId, supplierId, restores, known, false)
  return judged.map(({ restore: change, restoration, state }) => ({
    restore: change,
    restoration,
    // without the content, which may be long
    now: state === undefined ? null : { cost: state.cost, currency: state.currency, quantity: state.quantity },
  }))
}

interface Judged {
  restore: OfferRestore
  known: LockedOffer | undefined
  state: OfferState | undefined
  restoration: Restoration
}

async function judge(
  reader: Reader,
  accountId: number,
  supplierId: number,
  restores: readonly OfferRestore[],
  rows: readonly LockedOffer[],
  isForced: boolean,
): Promise<Judged[]> {
  const known = new Map(rows.map((row) => [row.supplierSku, row]))
  const present = rows.filter((row) => !row.isDropped)
  const states = await statesOf(reader, accountId, supplierId, present)
  // hashing long offers takes time: requests are answered between them
  return mapYielding(restores, (change): Judged => {
    const row = known.get(change.supplierSku)
    const state = states.get(change.supplierSku)
    const isAbsent = row !== undefined && row.absentSince !== null
    return { restore: change, known: row, state, restoration: restorationOf(change, isAbsent, state, isForced) }
  })
}

/** The complete states of offers, by their keys. */
async function statesOf(
  reader: Reader,
  accountId: number,
  supplierId: number,
  rows: readonly LockedOffer[],
): Promise<ReadonlyMap<string, OfferState>> {
  if (rows.length === 0) return new Map()
  const [contents, eans] = await Promise.all([
    offerContents(reader, accountId, supplierId, rows),
    offerEans(reader, accountId, supplierId, rows),
  ])
  const contentOf = new Map<string, OfferContent>(contents.map((row) => [row.supplierSku, row]))
  const eansOf = Map.groupBy(eans, (row) => row.supplierSku)
  return new Map(
    rows.flatMap((row) => {
      const content = contentOf.get(row.supplierSku)
      if (content === undefined) return []
      const state = { ...row, content, eans: (eansOf.get(row.supplierSku) ?? []).map(({ ean }) => ean) }
      return [[row.supplierSku, state] as const]
    }),
  )
}

async function restore(tx: Tx, accountId: number, supplierId: number, restored: readonly Restoring[]): Promise<void> {
  if (restored.length === 0) return
  const keyOf = ({ known: { supplierSku, productId } }: Restoring) => ({ supplierSku, productId })
  await offersUpdate(
    tx,
    accountId,
    supplierId,
    restored.map((each) => {
      const { cost, costTiers = null, currency, quantity, feedHash } = each.before
      return { ...keyOf(each), cost, costTiers, currency, quantity, feedHash }
    }),
  )
  const absent = restored.flatMap(({ known: { supplierSku }, before: { absentSince } }) =>
    absentSince === null ? [] : [{ supplierSku, absentSince }],
  )
  if (absent.length > 0) await offersAbsentSet(tx, accountId, supplierId, absent)
  const contents = restored.flatMap((each) =>
    each.before.content === undefined ? [] : [{ ...contentOf(each.before.content), ...keyOf(each) }],
  )
  for (const slice of slicesBySize(contents, offerCharacters))
    await offerContentsUpsert(tx, accountId, supplierId, slice)
  const eans = restored.filter(({ before }) => before.eans !== undefined)
  if (eans.length === 0) return
  await offerEansDelete(tx, accountId, supplierId, eans.map(keyOf))
  const rows = eans.flatMap((each) =>
    (each.before.eans ?? []).map((ean, position) => ({ ...keyOf(each), supplierId, ean, position, gtin: gtinOf(ean) })),
  )
  if (rows.length > 0) await eansInsert(tx, accountId, rows)
}
