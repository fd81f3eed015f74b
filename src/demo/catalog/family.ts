import type { Colour, Gender } from './colours.ts'
import type { Material } from './materials.ts'
import type { Size } from './sizes.ts'
import type { Wording } from './wording.ts'

/** A kind of article a family sells; every series of the family has one. */
export interface Article<Feature extends string = string> {
  id: string
  /** English path, levels joined by `/`. */
  category: string
  /** The noun as a title has it. Its adjectives are part of it: they agree with this noun and no other. */
  noun: Wording
  /** Of the Polish noun, for the colour that follows it. */
  gender: Gender
  /** The opening of the description: a sentence, or a phrase ended by a full stop. */
  lead: Wording
  features: readonly Feature[]
  /** Each model is made of one of them. */
  materials: readonly Material[]
  /** The family's palette where left out; an empty list is an article of no particular colour. */
  colours?: readonly Colour[]
  sizes?: readonly Size[]
  /** In kg, of the first size. */
  weight: number
  /** Lowest and highest purchase cost in EUR, of the first size. */
  cost: readonly [lowest: number, highest: number]
  /** Further numbers, by attribute key. */
  has?: Readonly<Record<string, number>>
}

/** An invented brand. */
export interface Brand {
  name: string
  series: readonly string[]
  /** How the brand's suppliers write titles; the catalogue of a real merchant is never of one hand. */
  style: 'plain' | 'dash' | 'brackets'
}

/** A family of products. */
export interface Family {
  id: string
  brands: readonly Brand[]
  palette: readonly Colour[]
  /** Points of the description's list, without a subject, so that they suit any noun. */
  features: Readonly<Record<string, Wording>>
  /** Second sentences of the description; `{brand}` and `{series}` stand for the names. */
  closings: readonly Wording[]
  articles: readonly Article[]
}

/** A family whose articles may name only its own features. */
export function family<Feature extends string>(
  spec: Omit<Family, 'features' | 'articles'> & {
    features: Readonly<Record<Feature, Wording>>
    articles: readonly Article<NoInfer<Feature>>[]
  },
): Family {
  return spec
}
