/** A new offer without a product yet. */
export interface UnmatchedOffer {
  supplierSku: string
  /** Valid GTINs in the order given. */
  gtins: readonly string[]
}

/** A product that already carries a GTIN. */
export interface GtinHolder {
  gtin: string
  productId: number
  /** Whether the supplier in question already has an offer on the product. */
  hasOfferOfSupplier: boolean
}

/** The product for an offer: an existing or a new one. */
export type Assignment = { supplierSku: string; productId: number } | { supplierSku: string; productId: null }

/**
 * Assigns a product to every new offer of one supplier. GTINs are tried in order; the first that a product carries
 * decides, and of several products the lowest id wins. A product that the supplier already offers is skipped:
 * its two articles stay two products. Nothing is merged or split here; only the owner does that.
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
