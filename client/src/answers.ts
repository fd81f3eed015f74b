import type { Schemas } from './api.ts'

// What the read API answers. The tests compare each type with the schema of contract/ from which the service answers (test/client/answers.test.ts).

export interface Attribute {
  key: string
  /** In the store's language, with the unit in parentheses where one applies. */
  label: string
  value: string
  /** This and the members below are present only where the account's definition of the attribute states a type. */
  type?: 'text' | 'number' | 'boolean' | 'list'
  value_number?: number
  unit?: string
  value_boolean?: boolean
  values?: string[]
}

/** Gallons, pints, quarts and ounces are those of the United States. */
export type ContentUnit =
  | 'mg'
  | 'g'
  | 'kg'
  | 't'
  | 'oz'
  | 'lb'
  | 'ml'
  | 'cl'
  | 'dl'
  | 'l'
  | 'm3'
  | 'fl oz'
  | 'pt'
  | 'qt'
  | 'gal'
  | 'mm'
  | 'cm'
  | 'm'
  | 'km'
  | 'in'
  | 'ft'
  | 'yd'
  | 'cm2'
  | 'm2'
  | 'sq ft'
  | 'piece'

export interface Price {
  customer_group_id: number
  customer_group: string
  /** In the store's currency. Absent with a token that may not see purchase prices. */
  base_cost: number
  /** In the store's currency. */
  computed_price: number
  /** ISO 4217. */
  currency: string
  applied_rule_id: number
  /** Whether it is the public price, of the default customer group. Only where the account's `additional_members` name `prices_is_default`. */
  is_default?: boolean
  /** The list price, in the store's currency. Absent unless it is above computed_price. */
  compare_at_price?: number
  /** computed_price is that of a sale, and compare_at_price the price without it. */
  is_sale?: true
  lowest_price_30_days?: number
  sale_begins_on?: string
  sale_ends_on?: string
  /** Whether computed_price includes tax. This and the two members below are present only in stores that have a `tax_country`. */
  tax_included?: boolean
  /** In percent, such as 19 or 25.5. Absent where no rate is known. */
  tax_rate?: number
  /** The key of the product's tax class. Absent where it has none. */
  tax_class?: string
  /** Quantity prices, by ascending quantity. Absent where there are none. */
  tiers?: PriceTier[]
  /** computed_price per kilogram, litre or metre. Absent where the product states no content, and where it would equal the price itself. */
  unit_price?: {
    /** In the store's currency. */
    value: number
    unit: ContentUnit
    /** How many of the unit `value` is for: 1, or 100 for a price per 100 ml. */
    reference_quantity: number
  }
}

/** The price of one piece where at least `quantity` are bought. */
export interface PriceTier {
  /** 2 or more. */
  quantity: number
  /** In the store's currency; includes tax where computed_price does. */
  price: number
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

/** A category of the account that a product is in. */
export interface ProductCategory {
  id: number
  /** Names from the top, in the store's language, joined by ` > `, which no name has in it. */
  path: string
  /** The shop's own ID of the category, if one is set. */
  external_id: string | null
}

/** A category in the list of categories. */
export interface ListedCategory extends ProductCategory {
  /** The nearest category above it. */
  parent_id: number | null
  name: string
  /** Among those with the same parent. */
  position: number
}

/** A group of variants in the list of groups. */
export interface ListedGroup {
  /** Matches `group.id` of products. */
  id: number
  key: string
  title: string | null
  /** How many products of the group the store lists; at most 1,000 are counted. */
  products: number
  leading_product_id: number
  /** Of the first product. */
  description: string | null
  /** The first picture of the first product. */
  image: string | null
}

/** A group of variants with its products. */
export interface GroupProducts<P = Product> {
  id: number
  key: string
  title: string | null
  /** Those that the store lists, in their order. */
  products: P[]
  /** Of the first product. */
  description: string | null
  /** The options in which the variants differ, with each value once. */
  options: { key: string; label: string; values: string[] }[]
  /** The pictures of all its products, each once, with the ids of the products that show it and of those that show it first; at most 1,000. */
  images: { url: string; product_ids: number[]; first_of: number[]; details?: ImageDetails }[]
}

/** Details of one picture of a product. */
export interface ImageDetails {
  /** What it shows, in the store's locale or the first of its fallbacks that has it. */
  alt: string | null
  /** Pixels; null, like type and hash, where the URL is not that of a copy. */
  width: number | null
  height: number | null
  /** Media type. */
  type: string | null
  /** SHA-256 of the bytes, in hexadecimal. */
  hash: string | null
  is_mirrored: boolean
}

/**
 * A finished product of one store: text in its language, prices in its currency. An excluded one stays in the list and must not be sold there. With
 * `locales: 'all'` it has `texts`, by the locale of each active store that lists it.
 */
export type Product = Schemas['Product']

/** The members of a product that depend on the language, as a store of one locale shows them. */
export type ProductTexts = Schemas['ProductTexts']

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
  /** Every kind of change after the request's cursor, the latest last. */
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

/** Where a reader of the change feed continues: `next_since` and `next_id` of the previous answer. */
export interface Cursor {
  since: string
  since_id: number
}

/** The digests of a block of 1,024 product ids, of which the first is 1,024 times the block's number. */
export interface DigestBlock {
  block: number
  /** How many products of the block the store lists. */
  products: number
  /** 128 bits in hexadecimal; absent where only the other half was requested. */
  content?: string
  price?: string
}

export interface DigestList {
  data: DigestBlock[]
  store: string
  /** The cursor as of which all digests of the answer are valid. */
  next_since: string
  next_id: number
  meta: { next_after_block: number | null }
}

export interface ProductTag {
  id: number
  content?: string
  price?: string
}

export interface ProductTags {
  data: ProductTag[]
  store: string
  next_since: string
  next_id: number
  meta: { next_after_id: number | null }
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
