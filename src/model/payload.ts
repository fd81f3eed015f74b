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
  /** The product's list price in the same currency, where it is above this one; null: there is none. */
  compareAtPrice: Exact | null
}

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
