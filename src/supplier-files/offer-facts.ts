import type { OfferRecord, OfferTexts } from '../model/offer.ts'
import { recordText } from '../model/record-text.ts'
import { textHash } from '../platform/text/text-hash.ts'
import type { Accepted } from './conversion/convert.ts'
import type { ReadRow } from './reading.ts'

/** What a record says about a field: `nothing` (it is not in the file), `none` (it is empty) or `some` values. */
export const VALUE_PRESENCES = ['nothing', 'none', 'some'] as const
/** What a record says about a field, as in VALUE_PRESENCES. */
export type ValuePresence = (typeof VALUE_PRESENCES)[number]

/** What an import needs of every offer of a file. For an unchanged offer, it needs nothing else. */
export interface OfferFacts {
  sku: string
  /** textHash of its recordText. */
  hash: string
  /** As a number. As in a record, null: empty; undefined: not in the file. */
  cost: number | null | undefined
  currency: string | null | undefined
  quantity: number | undefined
  /** The quantity is 0 because its cell is empty. */
  isQuantityEmpty: boolean
  /** `none` if the title of any language is empty. */
  titles: ValuePresence
  images: ValuePresence
  eans: ValuePresence
}

/**
 * A row as an import compares it. `text` is the recordText of its offer; in rows from a reader process, `offer` is parsed
 * from `text` when it is first read.
 */
export type ComparedRow = ComparedOffer | Exclude<ReadRow, Accepted>

/** An offer as an import compares it. `line` and `article` as in ReadRow. */
export interface ComparedOffer {
  line: number
  article?: number | undefined
  offer: OfferRecord
  text: string
  facts: OfferFacts
  dropped?: Accepted['dropped'] | undefined
}

/** A row that was read in this process. */
export function comparedOf(row: { line: number; article?: number } & Accepted): ComparedOffer {
  const text = recordText(row.offer)
  const facts = factsOf(row, textHash(text))
  return { line: row.line, article: row.article, offer: row.offer, text, facts, dropped: row.dropped }
}

/** @param hash textHash of its recordText */
export function factsOf({ offer, isQuantityEmpty }: Accepted, hash: string): OfferFacts {
  const { sku, cost, currency, quantity, texts, images, eans } = offer
  return {
    sku,
    hash,
    cost: typeof cost === 'string' ? Number(cost) : cost,
    currency,
    quantity,
    isQuantityEmpty: isQuantityEmpty === true,
    titles: titlesSaid(texts),
    images: said(images),
    eans: said(eans),
  }
}

const said = (values: readonly unknown[] | undefined): ValuePresence =>
  values === undefined ? 'nothing' : values.length === 0 ? 'none' : 'some'

/** A loop, not a list of texts: this runs for every row of a file. */
function titlesSaid(texts: Readonly<Record<string, OfferTexts>> | undefined): ValuePresence {
  let found: ValuePresence = 'nothing'
  for (const locale in texts) {
    const title = texts[locale]?.title
    if (title === null) return 'none'
    if (title !== undefined) found = 'some'
  }
  return found
}
