import { KNOWN, offerFigures, offersHaveTexts, type KnownOffer } from '../catalog/products/offers/offers.sql.ts'
import type { Db } from '../db/sql.ts'
import type { OfferRecord } from '../model/offer.ts'
import type { OfferFacts } from '../supplier-files/offer-facts.ts'
import { isJump, isSwapped } from './safety/compare.ts'
import type { RunCounts } from './safety/judge.ts'

/** A row of a file. `offer` is parsed from its text on first access, which few rows need. */
interface Row {
  readonly facts: OfferFacts
  readonly offer: OfferRecord
}

/** Counts how the rows of a file differ from the known offers, page by page. */
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
  /** Offers of the page whose changes can be counted only when their stored values are read. */
  #changed: { old: KnownOffer; row: Row }[] = []

  constructor(
    db: Db,
    request: { accountId: number; supplier: { supplierId: number; currency: string } },
    factor: number,
  ) {
    this.#db = db
    this.#request = request
    this.#factor = factor
  }

  /** @param isEqual the row has the same values as in the last import: it is not written, so it changes no cost and empties nothing */
  add(old: KnownOffer, row: Row, isEqual: boolean): void {
    const { counts } = this
    const { facts } = row
    const { cost, quantity, titles, images, eans } = facts
    if (old.quantity > 0 && quantity === 0) counts.zeroed++
    if (old.quantity > 0 && quantity !== undefined) {
      counts.emptied.quantities.known++
      if (facts.isQuantityEmpty) counts.emptied.quantities.count++
    }
    const isPriced = (old.known & KNOWN.hasCost) !== 0 && cost !== undefined
    if (isPriced) {
      counts.priced++
      if (cost === null) counts.pricesLost++
      else if (cost === 0) counts.pricesZero++
      if (isEqual && cost !== null && quantity !== undefined && isCurrencyKept(old, facts)) counts.paired++
    }
    // an offer has what the file states; whether it had it before is read only if the file empties it
    if (titles === 'some') counts.emptied.titles.known++
    if (images === 'some') counts.emptied.images.known++
    if (eans === 'some') counts.emptied.eans.known++
    if (!isEqual && (isEmptied(facts) || (isPriced && cost !== null))) this.#changed.push({ old, row })
  }

  /** Reads the stored values of the page's changed offers: at most two statements, and none if nothing changed. */
  async endPage(): Promise<void> {
    const changed = this.#changed
    this.#changed = []
    if (changed.length === 0) return
    const { accountId, supplier } = this.#request
    const skus = changed.map(({ old }) => old.supplierSku)
    const figures = await offerFigures(this.#db, accountId, supplier.supplierId, skus)
    const before = new Map(figures.map((row) => [row.supplierSku, row]))
    for (const { old, row } of changed) {
      const known = before.get(old.supplierSku)
      if (known !== undefined) this.#addFigures(known, row.facts)
    }
    await this.#addEmptied(
      changed.flatMap(({ old: { supplierSku }, row }) => {
        const known = isEmptied(row.facts) ? before.get(supplierSku) : undefined
        return known === undefined ? [] : [{ supplierSku, productId: known.productId, row }]
      }),
    )
  }

  /** Counts an offer whose row states another cost, quantity or currency, or another change. */
  #addFigures(
    old: { cost: string | null; currency: string; quantity: number },
    { cost: after, currency, quantity }: OfferFacts,
  ): void {
    const cost = Number(old.cost)
    if (cost <= 0 || after === null || after === undefined) return
    const stated = currency === undefined ? old.currency : (currency ?? this.#request.supplier.currency)
    // amounts in different currencies cannot be compared
    if (stated !== old.currency) return
    const { counts } = this
    if (isJump(cost, after, this.#factor)) counts.pricesJumped++
    if (quantity === undefined) return
    counts.paired++
    if (isSwapped({ cost, quantity: old.quantity }, { cost: after, quantity })) counts.swapped++
  }

  async #addEmptied(emptied: readonly { supplierSku: string; productId: number; row: Row }[]): Promise<void> {
    if (emptied.length === 0) return
    const { accountId, supplier } = this.#request
    const had = new Map(
      (await offersHaveTexts(this.#db, accountId, supplier.supplierId, emptied)).map((row) => [row.supplierSku, row]),
    )
    const count = (what: 'titles' | 'images' | 'eans') => {
      this.counts.emptied[what].known++
      this.counts.emptied[what].count++
    }
    for (const { supplierSku, row } of emptied) {
      const { facts } = row
      const known = had.get(supplierSku)
      if (known === undefined) continue
      const locales = Object.entries(row.offer.texts ?? {}).flatMap(([locale, { title }]) =>
        title === null ? [locale] : [],
      )
      if (facts.titles === 'none' && locales.some((locale) => known.titled.includes(locale))) count('titles')
      if (facts.images === 'none' && known.hasImages) count('images')
      if (facts.eans === 'none' && known.hasEans) count('eans')
    }
  }
}

const isEmptied = ({ titles, images, eans }: OfferFacts): boolean =>
  titles === 'none' || images === 'none' || eans === 'none'

/** Whether an equal row has the same currency as the offer: a row without one means the supplier's currency, which may have been changed since. */
const isCurrencyKept = (old: KnownOffer, { currency }: OfferFacts): boolean =>
  currency !== null || (old.known & KNOWN.isOwnCurrency) !== 0
