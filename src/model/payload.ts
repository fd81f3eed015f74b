import type { Exact } from './money.ts'

/** One entry of `prices`: a customer group's price in one store. */
export interface Price {
  groupId: number
  group: string
  baseCost: Exact
  computedPrice: Exact
  currency: string
  ruleId: number
}

/** The half of a payload that changes often; a `price` change announces it. */
export interface PriceHalf {
  prices: readonly Price[]
  stock: number
}

export interface PayloadAttribute {
  key: string
  label: string
  value: string
}

/** The half that seldom changes; a `content` change announces it. */
export interface ContentHalf {
  id: number
  sku: string | null
  ean: string | null
  title: string | null
  description: string | null
  manufacturer: string | null
  images: readonly string[]
  store: string
  excluded: boolean
  exclusionReason: string | null
  attributes: readonly PayloadAttribute[]
}

/** Everything a client reads about one product in one store. */
export interface Payload {
  content: ContentHalf
  price: PriceHalf
}
