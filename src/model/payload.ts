import type { ContentUnit } from '../../contract/content-units.ts'
import type { ContentBody } from '../../contract/schemas.ts'
import type { Exact } from './money.ts'

/** One entry of `prices`: a customer group's price in one store. */
export interface Price {
  groupId: number
  group: string
  baseCost: Exact
  computedPrice: Exact
  currency: string
  ruleId: number
  /** Whether it is the default group's price; null: the account has not enabled `prices_is_default`. */
  isDefault: boolean | null
  /** In a sale, the price without it; otherwise the list price if that is above this price; null: neither. In the same currency. */
  compareAtPrice: Exact | null
  /** null: not a sale price. */
  sale: PriceSale | null
  /** null: the store has no tax country. */
  tax: PriceTax | null
  /** Prices from a quantity on, by ascending quantity. */
  tiers: readonly Tier[]
  /** The price per kilogram, litre or metre; null: not known, zero, or equal to the price. */
  unitPrice: UnitPrice | null
}

/** A price per quantity, for comparing products. */
export interface UnitPrice {
  value: Exact
  unit: ContentUnit
  /** The quantity of the unit that it refers to: 1, or 100 for 100 ml. */
  referenceQuantity: Exact
}

/** The price of one piece from a quantity on. */
export interface Tier {
  quantity: number
  /** In the price's currency, including tax if the price does. */
  price: Exact
}

/** The sale that a price belongs to. Days are `YYYY-MM-DD` in the account's time zone; both belong to the sale; null: not stated. */
export interface PriceSale {
  beginsOn: string | null
  endsOn: string | null
  /** The lowest price in the 30 days before the sale; null: none is known. */
  lowest: Exact | null
}

/** The tax that a price states, as far as it is known. */
export interface PriceTax {
  /** Whether the price includes the tax. */
  isIncluded: boolean
  /** The key of the product's class; null: none. */
  taxClass: string | null
  /** Today's rate in the country of the prices; null: none. */
  rate: TaxRate | null
}

/** A tax rate. An account has one object per class and country, so that caches can use it as a key. */
export interface TaxRate {
  /** 19 is 19 %. */
  percent: Exact
  /** The price without tax times this factor is the price with tax. */
  factor: Exact
}

/** The two halves of payloads, which are stored, compared, announced and digested separately. */
export type Half = 'content' | 'price'

/** The half that changes often. A `price` change announces it. */
export interface PriceHalf {
  prices: readonly Price[]
  stock: number
}

export type PayloadAttribute = ContentBody['attributes'][number]

/** The half that seldom changes. A `content` change announces it. Its members are those of the contract. */
export type ContentHalf = {
  readonly [Member in keyof ContentBody]: ContentBody[Member] extends (infer Entry)[]
    ? readonly Entry[]
    : ContentBody[Member]
}

/** Everything a client reads about one product in one store. */
export interface Payload {
  content: ContentHalf
  price: PriceHalf
}
