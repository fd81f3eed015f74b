/** A row of a batch of offers, by any suppliers, in the order in which the rows act. */
export interface MatchRow {
  supplierId: number
  supplierSku: string
  /** The product of a known offer; null: the offer is new, or an earlier row of the batch creates it. */
  productId: number | null
  /** The known offer was deleted: from this row on its supplier offers the product again. */
  isDropped: boolean
  /** The GTINs by which the offer joins a product, in the order given; undefined: the row leaves its EANs unchanged. */
  gtins: readonly string[] | undefined
}

/** Who states the EAN that gives a product its GTIN: an offer, or the owner (supplier 0). */
export interface GtinHolder {
  gtin: string
  productId: number
  supplierId: number
  supplierSku: string
}

/** A product to be created, by the number of the row that creates it, counted from 0. */
export type Match = { productId: number } | { newProduct: number }

/** Only the order of product ids matters here: products that are to be created come after all that exist. */
const FIRST_NEW = Number.MAX_SAFE_INTEGER - 1_000_000

/**
 * Gives every row its product, as if the rows were written one after the other. A known offer keeps its product. For a
 * new one the GTINs are tried in order; the first that a product carries decides, and of several products the lowest id
 * wins. A product that the supplier already offers is skipped: its two articles stay two products. Nothing is merged or
 * split here; only the owner does that.
 * @param offered products and the suppliers of the batch that offer them.
 */
export function matchOffers(
  rows: readonly MatchRow[],
  holders: readonly GtinHolder[],
  offered: readonly { productId: number; supplierId: number }[],
): Match[] {
  const carriers = new Carriers(holders)
  const taken = new Set(offered.map(takenKey))
  const placed = new Map<string, number>()
  return rows.map((row, at) => {
    const key = `${row.supplierId} ${row.supplierSku}`
    let productId = placed.get(key) ?? row.productId
    if (productId === null) {
      const free = (id: number) => !taken.has(takenKey({ productId: id, supplierId: row.supplierId }))
      productId = carriers.first(row.gtins ?? [], free) ?? FIRST_NEW + at
    }
    if (!placed.has(key)) {
      placed.set(key, productId)
      if (row.productId === null || row.isDropped) taken.add(takenKey({ productId, supplierId: row.supplierId }))
    }
    if (row.gtins !== undefined) carriers.replace(key, productId, row.gtins)
    return productId >= FIRST_NEW ? { newProduct: productId - FIRST_NEW } : { productId }
  })
}

function takenKey({ productId, supplierId }: { productId: number; supplierId: number }): string {
  return `${productId} ${supplierId}`
}

/** Tracks which products carry which GTINs while the rows of a batch change them. */
class Carriers {
  /** By GTIN: the offers that state it, with their products. */
  readonly #byGtin = new Map<string, Map<string, number>>()
  readonly #byOffer = new Map<string, string[]>()

  constructor(holders: readonly GtinHolder[]) {
    for (const { gtin, productId, supplierId, supplierSku } of holders)
      // the owner's EANs belong to no offer, so they are kept by product
      this.#add(supplierId === 0 ? `0 ${productId}` : `${supplierId} ${supplierSku}`, productId, gtin)
  }

  /** Tries the GTINs in order. @returns the lowest free product of the first GTIN that a free product carries. */
  first(gtins: readonly string[], isFree: (productId: number) => boolean): number | undefined {
    for (const gtin of gtins) {
      const free = [...(this.#byGtin.get(gtin)?.values() ?? [])].filter(isFree)
      if (free.length > 0) return free.reduce((lowest, id) => Math.min(lowest, id))
    }
    return undefined
  }

  replace(offer: string, productId: number, gtins: readonly string[]): void {
    for (const gtin of this.#byOffer.get(offer) ?? []) this.#byGtin.get(gtin)?.delete(offer)
    this.#byOffer.delete(offer)
    for (const gtin of gtins) this.#add(offer, productId, gtin)
  }

  #add(offer: string, productId: number, gtin: string): void {
    const offers = this.#byGtin.get(gtin) ?? new Map<string, number>()
    this.#byGtin.set(gtin, offers.set(offer, productId))
    const stated = this.#byOffer.get(offer) ?? []
    stated.push(gtin)
    this.#byOffer.set(offer, stated)
  }
}
