import type { FactOf, PlaceFact } from '../../../contract/rule-conditions.ts'
import type { Exact } from '../../model/money.ts'
import type { FactValue, ProductFacts } from './conditions.ts'
import type { OfferInput, ProductInputs } from '../inputs.ts'

// What the conditions of rules look at, and where each fact of contract/rule-conditions.ts is found.

/** What the conditions of a pricing rule look at. */
export interface PriceFacts extends ProductFacts {
  /** The supplier of the offer whose cost is used; null for own cost. */
  supplierId: number | null
  /** In the account's currency; null without a rate. */
  cost: Exact | null
}

/** Where and when a pricing rule is tried. */
export interface PricePlace {
  storeId: number
  groupId: number
  /** `YYYY-MM-DD` */
  day: string
}

/** What the conditions of an assortment rule look at. */
export interface AssortmentFacts extends ProductFacts {
  /** Suppliers that offer the product, in stock or not. */
  supplierIds: readonly number[]
}

/** What rules of any kind look at. */
export interface Facts extends PriceFacts, AssortmentFacts {
  /** The supplier of the best offer, whether its cost is used or not. */
  bestSupplierId: number | null
}

/** What is known of a product where its rules are tried. Manufacturer and category are folded. */
interface Known {
  manufacturer: string | null
  category: string | null
  cost: Exact | null
  costSupplierId: number | null
  bestSupplierId: number | null
  offers: readonly OfferInput[]
  /** As stores read it. */
  stock: number
}

export const factsOf = (product: ProductInputs, known: Known): Facts => ({
  productId: product.productId,
  manufacturer: known.manufacturer,
  category: known.category,
  supplierId: known.costSupplierId,
  bestSupplierId: known.bestSupplierId,
  cost: known.cost,
  supplierIds: known.offers.map((offer) => offer.supplierId),
})

type PricingFact = FactOf<'pricing'>

/** Where pricing rules find a fact about the place. */
export const PLACE_FACTS: {
  readonly [F in Extract<PricingFact, PlaceFact>]: {
    of: keyof PricePlace
    read: (place: PricePlace) => FactValue<F>
  }
} = {
  store: { of: 'storeId', read: (place) => place.storeId },
  group: { of: 'groupId', read: (place) => place.groupId },
  day: { of: 'day', read: (place) => place.day },
}

/** Where pricing rules find a fact about the product. */
export const PRICING_FACTS: {
  readonly [F in Exclude<PricingFact, PlaceFact>]: (facts: PriceFacts) => FactValue<F>
} = {
  product: (facts) => facts.productId,
  supplier: (facts) => facts.supplierId,
  manufacturer: (facts) => facts.manufacturer,
  category: (facts) => facts.category,
  cost: (facts) => facts.cost,
}

/** Where assortment rules find a fact; a product may have several suppliers, and one that matches is enough. */
export const ASSORTMENT_FACTS: {
  readonly [F in Exclude<FactOf<'assortment'>, 'supplier'>]: (facts: AssortmentFacts) => FactValue<F>
} = {
  manufacturer: (facts) => facts.manufacturer,
  category: (facts) => facts.category,
}
