import type { NameField } from '../../contract/product-fields.ts'

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
  /** ISO 4217; null is the supplier's own currency, which a new offer has as well. */
  currency?: string | null
  /** Whole pieces on hand, 0 or more. */
  quantity?: number
  /** By BCP 47 locale. */
  texts?: Readonly<Record<string, OfferTexts>>
  /** In file order; keys are unique. */
  attributes?: readonly OfferAttribute[]
  /** Absolute http(s) URLs in order, without duplicates. */
  images?: readonly string[]
}

export interface OfferTexts {
  title?: string | null
  description?: string | null
}

export interface OfferAttribute {
  key: string
  value: string
}
