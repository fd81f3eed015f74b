// What the read API answers. The tests compare each type with the schema of contract/ from which the service answers (test/client/answers.test.ts).

export interface Attribute {
  key: string
  /** In the store's language, with the unit in parentheses where one applies. */
  label: string
  value: string
}

export interface Price {
  customer_group_id: number
  customer_group: string
  /** In the store's currency. Not there with a token that sees no purchase prices. */
  base_cost: number
  /** In the store's currency. */
  computed_price: number
  /** ISO 4217. */
  currency: string
  applied_rule_id: number
}

/** The group of variants that a product belongs to: one article in several versions. */
export interface VariantGroup {
  /** The same for all variants of the group, whichever suppliers have them. */
  id: number
  key: string
  title: string | null
  position: number
  options: { key: string; label: string; value: string; position: number }[]
}

/** A group of variants in the list of groups. */
export interface ListedGroup {
  /** Matches `group.id` of products. */
  id: number
  key: string
  title: string | null
  /** How many the store lists; at most 1,000 are counted. */
  products: number
  leading_product_id: number
}

/** A group of variants with its products. */
export interface GroupProducts<P = Product> {
  id: number
  key: string
  title: string | null
  /** Those that the store lists, in their order. */
  products: P[]
}

/** A finished product of one store: text in its language, prices in its currency. */
export interface Product {
  id: number
  sku: string | null
  ean: string | null
  title: string | null
  /** May hold HTML. */
  description: string | null
  manufacturer: string | null
  images: string[]
  store: string
  /** A product that is excluded stays in the list and must not be sold in this store. */
  excluded: boolean
  exclusion_reason: string | null
  attributes: Attribute[]
  mpn?: string
  condition?: string
  country_of_origin?: string
  hs_code?: string
  /** In kilograms. */
  weight?: string
  delivery_time?: string
  seo_title?: string
  seo_description?: string
  group?: VariantGroup
  /** One for each customer group; empty where no cost is known. */
  prices: Price[]
  stock: number
}

/** The half of a product that changes often. */
export interface ProductPrices {
  id: number
  sku: string | null
  prices: Price[]
  stock: number
}

export interface Store {
  id: number
  slug: string
  name: string
  /** BCP 47. */
  locale: string
  /** ISO 4217. */
  currency: string
  is_default: boolean
}

export interface CustomerGroup {
  id: number
  name: string
  is_default: boolean
}

export type ChangeType = 'price' | 'content' | 'removed'

export interface Change {
  product_id: number
  change_type: ChangeType
  /** Every kind that changed after the cursor that was sent, the latest last. */
  change_types: ChangeType[]
  created_at: string
}

export interface ChangeList<P = Product> {
  changes: Change[]
  next_since: string
  next_id: number
  has_more: boolean
  store: string
  /** With `expand`: the products of the changes, without those that the store no longer lists. */
  products?: P[]
}

/** Where a reader of the change feed goes on: `next_since` and `next_id` of the answer before. */
export interface Cursor {
  since: string
  since_id: number
}

export interface Meta {
  current_page: number
  per_page: number
  last_page: number
  total: number
  next_after_id?: number | null
}

export interface List<T> {
  data: T[]
  store: string
  meta: Meta
}
