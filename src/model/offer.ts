import type { NameField, TextField } from '../../contract/product-fields.ts'
import type { ImageAlts } from './image-alts.ts'

/** A category is a path with levels joined by `/`. */
type OfferNames = Readonly<Partial<Record<NameField, string | null>>>

/**
 * An offer as a supplier's file states it, whatever the format. An `undefined` field was not in the file and keeps its stored
 * value; `null` or an empty list was in the file and clears the value.
 */
export interface OfferRecord extends OfferNames {
  /** The supplier's key of the article, unique per supplier. */
  sku: string
  /** Digits only; gtinOf checks length and check digit later. */
  eans?: readonly string[]
  /** Purchase cost of one piece: plain decimal text such as `12.50`; never negative. */
  cost?: string | null
  /** Costs per piece from a quantity on, in the currency of the cost and including tax if it does; null: none. */
  costTiers?: readonly CostTier[] | null
  /** ISO 4217; null: the supplier's currency, which is also the default of a new offer. */
  currency?: string | null
  /** Whole pieces on hand, 0 or more. */
  quantity?: number
  /** By BCP 47 locale. */
  texts?: Readonly<Record<string, OfferTexts>>
  /** In file order; keys are unique. */
  attributes?: readonly OfferAttribute[]
  /** Keys whose values could not be read, or `all` keys that are not in `attributes`: their stored values are kept. */
  keptAttributes?: readonly string[] | 'all'
  /** Absolute http or https URLs in order, without duplicates. */
  images?: readonly string[]
  /** A named locale is replaced as a whole, even by no texts; other locales are kept. null: removed in all locales. */
  imageAlts?: ImageAlts | null
  /** The variant group of the article; null: none. */
  group?: OfferGroup | null
}

/** The cost of a piece from a quantity on. Stored tiers have ascending quantities and descending costs. */
export interface CostTier {
  /** Pieces, 2 or more. */
  quantity: number
  /** Plain decimal text above 0. */
  cost: string
}

export type OfferTexts = Partial<Record<TextField, string | null>>

export interface OfferAttribute {
  key: string
  value: string
}

/** A variant group as a supplier states it for one of its articles. */
export interface OfferGroup {
  /** The supplier's key of the group, unique per supplier. */
  key: string
  /** By BCP 47 locale. */
  title: Readonly<Record<string, string>>
  /** The options that distinguish the variants, in order; keys are unique. */
  options: readonly GroupOption[]
  /** The article's position among the variants, lowest first; null: not stated. */
  position: number | null
}

export interface GroupOption {
  key: string
  /** null: the key is shown, unless the account defines an attribute with this key. */
  label: string | null
  value: string
}
