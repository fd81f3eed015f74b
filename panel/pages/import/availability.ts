import { isObject } from '../../resources/is-object.ts'
import { withMember, type Doc } from './mapping.ts'

/** The possible meanings of a word about availability, with the default quantity of each. */
export const PIECES = { inStock: 1, low: 1, unlimited: 1, outOfStock: 0, preorder: 0, backorder: 0 } as const
export type Meaning = keyof typeof PIECES
export const MEANINGS = Object.keys(PIECES) as Meaning[]

/** The availability member of a mapping. */
export const availabilityOf = (doc: Doc): Doc => (isObject(doc['availability']) ? doc['availability'] : {})

/** Its definitions of the supplier's own words. */
export function ownWordsOf(doc: Doc): Doc {
  const { words } = availabilityOf(doc)
  return isObject(words) ? words : {}
}

/** The mapping with another value of a member of `availability`; undefined removes the member. */
export function withAvailability(doc: Doc, name: string, value: unknown): Doc {
  const next = withMember(availabilityOf(doc), name, value)
  return withMember(doc, 'availability', Object.keys(next).length === 0 ? undefined : next)
}

/** The mapping with another meaning of a word; an empty meaning removes the definition. */
export function withMeaning(doc: Doc, word: string, meaning: Meaning | ''): Doc {
  const words = withMember(ownWordsOf(doc), word, meaning === '' ? undefined : meaning)
  return withAvailability(doc, 'words', Object.keys(words).length === 0 ? undefined : words)
}

/** Whether a quantity was refused because it is a word, whose meaning the reader may know. */
export const isUnknownWord = (field: string, value: string | null): value is string =>
  field === 'quantity' && value !== null && /\p{L}/u.test(value) && !/\d/.test(value)
