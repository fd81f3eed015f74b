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
  /** Whether it is the default group's; null: the account has not chosen that prices say so. */
  isDefault: boolean | null
  /** In a sale the price without it, else the product's list price where it is above this one; null: there is none. In the same currency. */
  compareAtPrice: Exact | null
  /** null: it is no price of a sale. */
  sale: PriceSale | null
  /** What it says of tax; null: the store says nothing of it. */
  tax: PriceTax | null
  /** Prices from a quantity on, by rising quantity; [] where there are none. */
  tiers: readonly Tier[]
  /** What it comes to per kilogram, litre or metre; null: it says nothing, or nothing else than the price. */
  unitPrice: UnitPrice | null
}

/** A price per quantity, by which products are compared. */
export interface UnitPrice {
  value: Exact
  unit: ContentUnit
  /** How much of the unit it is for: 1, or 100 for 100 ml. */
  referenceQuantity: Exact
}

/** What one piece costs from a quantity on. */
export interface Tier {
  quantity: number
  /** In the currency of the price, with its tax. */
  price: Exact
}

/** What a price says of the sale that it is of. Days are `YYYY-MM-DD`, the account's, both within the sale. */
export interface PriceSale {
  beginsOn: string | null
  endsOn: string | null
  /** The lowest price in the 30 days before it began; null: none is known. */
  lowest: Exact | null
}

/** What a price says of tax, as far as it is known. */
export interface PriceTax {
  /** Whether it is in the price. */
  isIncluded: boolean
  /** The key of the product's class. */
  taxClass: string | null
  /** In the store's country, today. */
  rate: TaxRate | null
}

/** A rate of tax; an account has one object per class and country, so that prices can be kept by it. */
export interface TaxRate {
  /** 19 is 19 %. */
  percent: Exact
  /** A price without tax times it is the price with tax. */
  factor: Exact
}

/** Of which payloads are made: stored, compared, announced and digested each for itself. */
export type Half = 'content' | 'price'

/** The half of a payload that changes often; a `price` change announces it. */
export interface PriceHalf {
  prices: readonly Price[]
  stock: number
}

export type PayloadAttribute = ContentBody['attributes'][number]

/** The half that seldom changes: what a `content` change announces. Members and names are those of the contract. */
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
