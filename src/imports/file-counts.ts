import { offersHave } from '../catalog/products/offers.sql.ts'
import type { Db } from '../db/sql.ts'
import type { OfferRecord } from '../model/offer.ts'
import type { OfferFacts } from '../supplier-files/offer-facts.ts'
import { isJump, isSwapped } from './safety/compare.ts'
import type { RunCounts } from './safety/judge.ts'

/** A known offer, as the import compares it. */
interface KnownRow {
  supplierSku: string
  productId: number
  quantity: number
  hasCost: boolean
  cost: number | null
  currency: string
}

/** Counts how the rows of a file differ from the offers that are known, page by page. */
export class FileCounts {
  readonly counts = {
    zeroed: 0,
    priced: 0,
    pricesLost: 0,
    pricesZero: 0,
    pricesJumped: 0,
    paired: 0,
    swapped: 0,
    emptied: {
      titles: { known: 0, count: 0 },
      images: { known: 0, count: 0 },
      eans: { known: 0, count: 0 },
      quantities: { known: 0, count: 0 },
    },
  } satisfies Partial<RunCounts>
  readonly #db: Db
  readonly #request: { accountId: number; supplier: { supplierId: number; currency: string } }
  readonly #factor: number
  /** Offers of the page that the file empties something of. */
  #emptied: { old: KnownRow; facts: OfferFacts; record: OfferRecord }[] = []

  constructor(
    db: Db,
    request: { accountId: number; supplier: { supplierId: number; currency: string } },
    factor: number,
  ) {
    this.#db = db
    this.#request = request
    this.#factor = factor
  }

  /** @param isEqual the row has the values of the last import: it is not written, so it empties nothing */
  add(old: KnownRow, row: { facts: OfferFacts; offer: OfferRecord }, isEqual: boolean): void {
    const { counts } = this
    const { facts } = row
    const { quantity, titles, images, eans } = facts
    if (old.quantity > 0 && quantity === 0) counts.zeroed++
    if (old.quantity > 0 && quantity !== undefined) {
      counts.emptied.quantities.known++
      if (facts.isQuantityEmpty) counts.emptied.quantities.count++
    }
    if (old.hasCost && facts.cost !== undefined) this.#addCost(old, facts.cost, facts)
    // what the file states, the offer has afterwards; whether it had it before is asked only where the file empties it
    if (titles === 'some') counts.emptied.titles.known++
    if (images === 'some') counts.emptied.images.known++
    if (eans === 'some') counts.emptied.eans.known++
    const isEmptied = titles === 'none' || images === 'none' || eans === 'none'
    if (isEmptied && !isEqual) this.#emptied.push({ old, facts, record: row.offer })
  }

  #addCost(old: KnownRow, after: number | null, { currency, quantity }: OfferFacts): void {
    const { counts } = this
    counts.priced++
    if (after === null) {
      counts.pricesLost++
      return
    }
    if (after === 0) counts.pricesZero++
    const stated = currency === undefined ? old.currency : (currency ?? this.#request.supplier.currency)
    // an amount in another currency cannot be compared with the one before
    const { cost } = old
    if (cost === null || stated !== old.currency) return
    if (isJump(cost, after, this.#factor)) counts.pricesJumped++
    if (quantity === undefined) return
    counts.paired++
    if (isSwapped({ cost, quantity: old.quantity }, { cost: after, quantity })) counts.swapped++
  }

  /** Asks what the offers of the page have that the file empties: one statement, and none where it empties nothing. */
  async endPage(): Promise<void> {
    const emptied = this.#emptied
    this.#emptied = []
    if (emptied.length === 0) return
    const { accountId, supplier } = this.#request
    const rows = await offersHave(
      this.#db,
      accountId,
      supplier.supplierId,
      emptied.map(({ old }) => old),
    )
    const had = new Map(rows.map((row) => [row.supplierSku, row]))
    const count = (what: 'titles' | 'images' | 'eans') => {
      this.counts.emptied[what].known++
      this.counts.emptied[what].count++
    }
    for (const { old, facts, record } of emptied) {
      const known = had.get(old.supplierSku)
      if (known === undefined) continue
      const locales = Object.entries(record.texts ?? {}).flatMap(([locale, { title }]) =>
        title === null ? [locale] : [],
      )
      if (facts.titles === 'none' && locales.some((locale) => known.titled.includes(locale))) count('titles')
      if (facts.images === 'none' && known.hasImages) count('images')
      if (facts.eans === 'none' && known.hasEans) count('eans')
    }
  }
}
