import type { Tx } from '../../db/sql.ts'
import { slicesBySize } from '../../db/statement-slices.ts'
import { gtinOf } from '../../model/gtin.ts'
import { marksAppend } from '../stale/marks.sql.ts'
import { productsWritten, type Written } from '../stale/written.ts'
import { eansInsert } from './eans.sql.ts'
import { offerHash, type OfferBefore, type OfferContent, type OfferState } from './offer-state.ts'
import {
  offerContents,
  offerContentsUpsert,
  offerEans,
  offerEansDelete,
  offersAbsentSet,
  offersDropGiven,
  offersUpdate,
  type LockedOffer,
} from './offers.sql.ts'
import { contentSize, lockOffers } from './offers.ts'

/** A change of an offer that is to be taken back. */
export interface OfferRestore {
  supplierSku: string
  kind: 'created' | 'changed' | 'zeroed'
  /** What the offer had before; null for one that was created. */
  before: OfferBefore | null
  /** offerHash of the offer as it was left; null for one that was set to 0. */
  afterHash: string | null
}

/** An offer that is given back what it had. */
interface Restoring {
  known: LockedOffer
  before: OfferBefore
}

/**
 * Takes changes of a supplier's offers back: an offer that is still as it was left gets what it had before, and one that was created
 * is deleted. Offers that were written since stay. Marks the products.
 * @returns how many of each kind were taken back, and the keys of those that stay.
 * @throws ShelfwireError unknown-supplier when it was deleted.
 */
export async function restoreOffers(
  tx: Tx,
  accountId: number,
  supplierId: number,
  restores: readonly OfferRestore[],
): Promise<Written<{ dropped: number; restored: number; left: string[] }>> {
  const skus = restores.map(({ supplierSku }) => supplierSku)
  const known = new Map((await lockOffers(tx, accountId, supplierId, skus)).map((row) => [row.supplierSku, row]))
  const states = await statesOf(
    tx,
    accountId,
    supplierId,
    [...known.values()].filter((row) => !row.isDropped),
  )
  const dropped: LockedOffer[] = []
  const restored: Restoring[] = []
  const left: string[] = []
  for (const { supplierSku, kind, before, afterHash } of restores) {
    const row = known.get(supplierSku)
    const state = states.get(supplierSku)
    const isAsLeft =
      row !== undefined &&
      state !== undefined &&
      (kind === 'zeroed' ? row.absentSince !== null : offerHash(state) === afterHash)
    if (!isAsLeft) left.push(supplierSku)
    else if (before === null) dropped.push(row)
    else restored.push({ known: row, before })
  }
  if (dropped.length > 0) await offersDropGiven(tx, accountId, supplierId, dropped)
  await restore(tx, accountId, supplierId, restored)
  const isWhole = ({ before }: Restoring) => before.content !== undefined || before.eans !== undefined
  const whole = new Set(
    [...dropped, ...restored.filter(isWhole).map(({ known: row }) => row)].map(({ productId }) => productId),
  )
  const price = restored.map((each) => each.known.productId).filter((productId) => !whole.has(productId))
  await marksAppend(tx, accountId, [...whole])
  await marksAppend(tx, accountId, price, 'price')
  return productsWritten([...whole, ...price], { dropped: dropped.length, restored: restored.length, left })
}

/** Everything that is known of locked offers, by their keys. */
async function statesOf(
  tx: Tx,
  accountId: number,
  supplierId: number,
  rows: readonly LockedOffer[],
): Promise<ReadonlyMap<string, OfferState>> {
  if (rows.length === 0) return new Map()
  const [contents, eans] = await Promise.all([
    offerContents(tx, accountId, supplierId, rows),
    offerEans(tx, accountId, supplierId, rows),
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
      const { cost, currency, quantity, feedHash } = each.before
      return { ...keyOf(each), cost, currency, quantity, feedHash }
    }),
  )
  const absent = restored.flatMap(({ known: { supplierSku }, before: { absentSince } }) =>
    absentSince === null ? [] : [{ supplierSku, absentSince }],
  )
  if (absent.length > 0) await offersAbsentSet(tx, accountId, supplierId, absent)
  const contents = restored.flatMap((each) =>
    each.before.content === undefined ? [] : [{ ...each.before.content, ...keyOf(each) }],
  )
  for (const slice of slicesBySize(contents, contentSize)) await offerContentsUpsert(tx, accountId, supplierId, slice)
  const eans = restored.filter(({ before }) => before.eans !== undefined)
  if (eans.length === 0) return
  await offerEansDelete(tx, accountId, supplierId, eans.map(keyOf))
  const rows = eans.flatMap((each) =>
    (each.before.eans ?? []).map((ean, position) => ({ ...keyOf(each), supplierId, ean, position, gtin: gtinOf(ean) })),
  )
  if (rows.length > 0) await eansInsert(tx, accountId, rows)
}
