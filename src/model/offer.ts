import type { NameField, TextField } from '../../contract/product-fields.ts'
import type { ImageAlts } from './image-alts.ts'

/** A category is a path, its levels joined by `/`. */
type OfferNames = Readonly<Partial<Record<NameField, string | null>>>

/**
 * One offer as a supplier's file gives it, whatever the format. A field that is `undefined` was not in the file and keeps
 * its stored value; `null` (or an empty list) was in the file and is empty, which clears it.
 */
export interface OfferRecord extends OfferNames {
  /** The supplier's own key of the article; unique within the supplier. */
  sku: string
  /** Digits only; length and check digit are checked later, by gtinOf. */
  eans?: readonly string[]
  /** Purchase cost of one piece: plain decimal text such as `12.50`; never negative. */
  cost?: string | null
  /** Costs of a piece from a quantity on, in the currency of the cost, and with its tax where it has tax in it; null: none. */
  costTiers?: readonly CostTier[] | null
  /** ISO 4217; null is the supplier's own currency, which a new offer has as well. */
  currency?: string | null
  /** Whole pieces on hand, 0 or more. */
  quantity?: number
  /** By BCP 47 locale. */
  texts?: Readonly<Record<string, OfferTexts>>
  /** In file order; keys are unique. */
  attributes?: readonly OfferAttribute[]
  /** Keys whose values could not be read, or `all` that are not among `attributes`: what is known of them stays. */
  keptAttributes?: readonly string[] | 'all'
  /** Absolute http(s) URLs in order, without duplicates. */
  images?: readonly string[]
  /** A locale that is named is replaced as a whole, also by no texts; others stay. null: none in any locale. */
  imageAlts?: ImageAlts | null
  /** The group of variants that the article belongs to; null: none. */
  group?: OfferGroup | null
}

/** What a piece costs from a quantity on. Of an offer they are kept by rising quantity, and fall. */
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

/** A group of variants, one article in several versions, as a supplier states it of one of them. */
export interface OfferGroup {
  /** The supplier's own key of the group; unique within the supplier. */
  key: string
  /** By BCP 47 locale. */
  title: Readonly<Record<string, string>>
  /** In what the variants differ, in order; keys are unique. */
  options: readonly GroupOption[]
  /** Of the article among the variants, lowest first; null: not stated. */
  position: number | null
}

export interface GroupOption {
  key: string
  /** null: the key is shown, unless the account defines an attribute with this key. */
  label: string | null
  value: string
}
