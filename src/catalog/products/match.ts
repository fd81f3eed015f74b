/** A new offer looking for its product. */
export interface UnmatchedOffer {
  supplierSku: string
  /** Valid GTINs in the order given. */
  gtins: readonly string[]
}

/** A product that carries a GTIN already. */
export interface GtinHolder {
  gtin: string
  productId: number
  /** Whether the supplier in question already has an offer on the product. */
  hasOfferOfSupplier: boolean
}

/** Where an offer goes: an existing product, or a new one. */
export type Assignment = { supplierSku: string; productId: number } | { supplierSku: string; productId: null }

/**
 * Gives every new offer of one supplier its product: the lowest-numbered product of the first of its GTINs that one
 * carries, unless this supplier already offers that product (its own two articles stay two products). Nothing is ever
 * merged or split here; the owner does that.
 */
export function matchOffers(offers: readonly UnmatchedOffer[], holders: readonly GtinHolder[]): Assignment[] {
  const byGtin = new Map<string, GtinHolder[]>()
  for (const holder of holders) {
    const list = byGtin.get(holder.gtin)
    if (list === undefined) byGtin.set(holder.gtin, [holder])
    else list.push(holder)
  }
  const taken = new Set(holders.filter((holder) => holder.hasOfferOfSupplier).map((holder) => holder.productId))
  return offers.map(({ supplierSku, gtins }) => {
    for (const gtin of gtins) {
      const free = (byGtin.get(gtin) ?? []).map((holder) => holder.productId).filter((id) => !taken.has(id))
      if (free.length > 0) {
        const productId = Math.min(...free)
        taken.add(productId)
        return { supplierSku, productId }
      }
    }
    return { supplierSku, productId: null }
  })
}
