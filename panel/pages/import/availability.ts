import { isObject, withMember, type Doc } from './mapping.ts'

/** What a word about availability can mean, with the pieces that it counts as unless the mapping says otherwise. */
export const PIECES = { inStock: 1, low: 1, unlimited: 1, outOfStock: 0, preorder: 0, backorder: 0 } as const
export type Meaning = keyof typeof PIECES
export const MEANINGS = Object.keys(PIECES) as Meaning[]

/** What a mapping says about words of availability. */
export const availabilityOf = (doc: Doc): Doc => (isObject(doc['availability']) ? doc['availability'] : {})

/** What it says about words of the supplier's own. */
export function ownWordsOf(doc: Doc): Doc {
  const { words } = availabilityOf(doc)
  return isObject(words) ? words : {}
}

/** The mapping with a member of what it says about availability; undefined takes it out. */
export function withAvailability(doc: Doc, name: string, value: unknown): Doc {
  const next = withMember(availabilityOf(doc), name, value)
  return withMember(doc, 'availability', Object.keys(next).length === 0 ? undefined : next)
}

/** The mapping with what a word means; an empty meaning is none of its own. */
export function withMeaning(doc: Doc, word: string, meaning: Meaning | ''): Doc {
  const words = withMember(ownWordsOf(doc), word, meaning === '' ? undefined : meaning)
  return withAvailability(doc, 'words', Object.keys(words).length === 0 ? undefined : words)
}

/** Whether a quantity was refused because it is a word: whoever knows the supplier can say what it means. */
export const isUnknownWord = (field: string, value: string | null): value is string =>
  field === 'quantity' && value !== null && /\p{L}/u.test(value) && !/\d/.test(value)
