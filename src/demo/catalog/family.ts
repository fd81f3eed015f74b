import type { Size } from './sizes.ts'
import type { Wording } from './wording.ts'

/**
 * The Polish gender of a noun; `p` is the plural of things. A Polish colour agrees with it; a German one follows the noun
 * undeclined.
 */
export type Gender = 'm' | 'f' | 'n' | 'p'

/** A kind of article a family sells; every series of the family has one. */
export interface Article {
  id: string
  /** English path, levels joined by `/`. */
  category: string
  /** The noun in the title, with its adjectives, because they agree with the noun. */
  noun: Wording
  /** Gender of the Polish noun, for the colour that follows it. */
  gender: Gender
  /** The opening of the description: a sentence, or a phrase ended by a full stop. */
  lead: Wording
  /** Keys of the family's features. */
  features: readonly string[]
  /** One of them is chosen for each model. */
  materials: readonly string[]
  /** Default: the family's palette; empty: the article has no particular colour. */
  colours?: readonly string[]
  sizes?: readonly Size[]
  /** In kg, of the first size. */
  weight: number
  /** Lowest and highest purchase cost in EUR, of the first size. */
  cost: readonly [lowest: number, highest: number]
  /** Further numeric attributes, by key. */
  has?: Readonly<Record<string, number>>
}

/** An invented brand. */
export interface Brand {
  name: string
  series: readonly string[]
  /** How titles of the brand are written; in real catalogs they are not uniform either. */
  style: 'plain' | 'dash' | 'brackets'
}

/** A group of articles sold by the same brands, such as camping or kitchen. */
export interface Family {
  id: string
  brands: readonly Brand[]
  palette: readonly string[]
  /** Items of the description's list, without a subject, so that they suit any noun. */
  features: Readonly<Record<string, Wording>>
  /** Second sentences of the description; `{brand}` and `{series}` are replaced by the names. */
  closings: readonly Wording[]
  articles: readonly Article[]
}
