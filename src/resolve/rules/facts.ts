import type { FactOf, PlaceFact } from '../../../contract/rule-conditions.ts'
import type { Exact } from '../../model/money.ts'
import type { FactValue, ProductFacts } from './conditions.ts'
import type { OfferInput, ProductInputs } from '../inputs.ts'

// The facts that conditions of rules test, and how each fact of contract/rule-conditions.ts is read.

/** The facts that conditions of a pricing rule test. */
export interface PriceFacts extends ProductFacts {
  /** The supplier of the offer whose cost is used; null for own cost. */
  supplierId: number | null
  /** In the account's currency; null if unknown or an exchange rate is missing. */
  cost: Exact | null
}

/** The store, group and day that a pricing rule is tried for. */
export interface PricePlace {
  storeId: number
  groupId: number
  /** `YYYY-MM-DD` */
  day: string
}

/** The facts that conditions of an assortment rule test. */
export interface AssortmentFacts extends ProductFacts {
  /** Suppliers that offer the product, in stock or not. */
  supplierIds: readonly number[]
}

/** The facts of rules of all kinds. */
export interface Facts extends PriceFacts, AssortmentFacts {
  /** The supplier of the best offer, whether its cost is used or not. */
  bestSupplierId: number | null
}

/** The resolved values that facts are made from. Manufacturer and category are folded. */
interface Known {
  manufacturer: string | null
  category: string | null
  cost: Exact | null
  costSupplierId: number | null
  bestSupplierId: number | null
  offers: readonly OfferInput[]
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

/** How pricing rules read facts about the place. */
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

/** How pricing rules read facts about the product. */
export const PRICING_FACTS: {
  readonly [F in Exclude<PricingFact, PlaceFact>]: (facts: PriceFacts) => FactValue<F>
} = {
  product: (facts) => facts.productId,
  supplier: (facts) => facts.supplierId,
  manufacturer: (facts) => facts.manufacturer,
  category: (facts) => facts.category,
  cost: (facts) => facts.cost,
}

/** How assortment rules read facts, except for suppliers: a product may have several, and one match is enough. */
export const ASSORTMENT_FACTS: {
  readonly [F in Exclude<FactOf<'assortment'>, 'supplier'>]: (facts: AssortmentFacts) => FactValue<F>
} = {
  manufacturer: (facts) => facts.manufacturer,
  category: (facts) => facts.category,
}
