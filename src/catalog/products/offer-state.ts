import { hash } from 'node:crypto'
import { forEachField, NAME_FIELDS, type NameField } from '../../../contract/product-fields.ts'
import { plainDecimal } from '../../model/money.ts'
import type { OfferRecord } from '../../model/offer.ts'

// What a record makes of an offer; pure. One rule for files, bulks and single writes: an absent field stays, null
// clears, and an offer that was deleted begins anew.

/** An offer to write: as read from a supplier file, or with `texts: null`, which clears the texts of every locale. */
export type OfferWrite = Omit<OfferRecord, 'texts'> & { readonly texts?: OfferRecord['texts'] | null }

export interface OfferContent extends Record<NameField, string | null> {
  texts: Record<string, { title?: string | null; description?: string | null }>
  attributes: { key: string; value: string }[]
  images: string[]
}

/** Everything an account knows of an offer. */
export interface OfferState {
  cost: string | null
  currency: string
  quantity: number
  content: OfferContent
  eans: readonly string[]
  /** recordHash of the last record; null: an equal record may still change something. */
  feedHash: string | null
}

/**
 * The part of an offer that a write changed, as it was before: cost, currency, quantity and the hash always; content and EANs only where
 * they changed. `absentSince` (ISO 8601): since when a full import missed it.
 */
export interface OfferBefore extends Pick<OfferState, 'cost' | 'currency' | 'quantity' | 'feedHash'> {
  absentSince: string | null
  content?: OfferContent
  eans?: readonly string[]
}

/** How much a record changed an offer: nothing, only cost, currency or quantity, or more. */
export type Moved = 'nothing' | 'price' | 'whole'

/** An offer of which nothing was said yet. @param currency of its supplier, for as long as none is stated. */
export function emptyOffer(currency: string): OfferState {
  return {
    cost: null,
    currency,
    quantity: 0,
    content: { ...forEachField(NAME_FIELDS, () => null), texts: {}, attributes: [], images: [] },
    eans: [],
    feedHash: null,
  }
}

/** Identifies a record's whole content: equal hashes need no comparison of columns. */
export function recordHash(record: OfferWrite): string {
  const { sku, eans, cost, currency, quantity, texts, attributes, images } = record
  const fields = [
    sku,
    eans,
    cost,
    currency,
    quantity,
    texts,
    ...NAME_FIELDS.map((field) => record[field]),
    attributes,
    images,
  ]
  // `undefined` (absent) and `null` (cleared) must differ, but JSON would write both as null
  const text = JSON.stringify(fields.map((value) => (value === undefined ? false : value)))
  return hash('sha256', text, 'base64url').slice(0, 22)
}

/** Identifies what an offer says, and by which record: equal after the same writes only. */
export function offerHash({ cost, currency, quantity, content, eans, feedHash }: OfferState): string {
  const text = JSON.stringify([
    cost === null ? null : plainDecimal(cost),
    currency,
    quantity,
    contentKey(content),
    eans,
    feedHash,
  ])
  return hash('sha256', text, 'base64url').slice(0, 22)
}

/** What a write took from an offer. */
export function offerBefore(before: OfferState, after: OfferState, absentSince: Date | null): OfferBefore {
  const { cost, currency, quantity, feedHash } = before
  return {
    cost,
    currency,
    quantity,
    feedHash,
    absentSince: absentSince?.toISOString() ?? null,
    ...(isSameContent(before.content, after.content) ? {} : { content: contentOf(before.content) }),
    ...(isSameEans(before.eans, after.eans) ? {} : { eans: before.eans }),
  }
}

/** What a write makes of an offer, without what it leaves as it is; cost, currency and quantity always. */
export interface OfferPart extends Pick<OfferState, 'cost' | 'currency' | 'quantity'> {
  content?: Partial<OfferContent>
  eans?: readonly string[]
}

/**
 * The part of an offer in which two states of it differ, in both. Of attributes and texts only those that differ; texts are cut after
 * `charactersMax` characters.
 */
export function offerDifference(
  before: OfferState,
  after: OfferState,
  charactersMax: number,
): { before: OfferPart; after: OfferPart } {
  const [own, other] = [partOf(before, after, charactersMax), partOf(after, before, charactersMax)]
  return { before: own, after: other }
}

function partOf(offer: OfferState, other: OfferState, charactersMax: number): OfferPart {
  const { cost, currency, quantity, content, eans } = offer
  const part: Partial<OfferContent> = {}
  for (const field of NAME_FIELDS) if (content[field] !== other.content[field]) part[field] = content[field]
  const texts = differentTexts(content.texts, other.content.texts, charactersMax)
  if (Object.keys(texts).length > 0) part.texts = texts
  const different = (a: OfferContent['attributes'], b: OfferContent['attributes']) => {
    const known = new Set(b.map(({ key, value }) => JSON.stringify([key, value])))
    return a.filter(({ key, value }) => !known.has(JSON.stringify([key, value])))
  }
  const attributes = different(content.attributes, other.content.attributes)
  if (attributes.length > 0 || different(other.content.attributes, content.attributes).length > 0)
    part.attributes = attributes
  if (JSON.stringify(content.images) !== JSON.stringify(other.content.images)) part.images = content.images
  return {
    cost: cost === null ? null : plainDecimal(cost),
    currency,
    quantity,
    ...(Object.keys(part).length === 0 ? {} : { content: part }),
    ...(isSameEans(eans, other.eans) ? {} : { eans }),
  }
}

type Texts = OfferContent['texts']

/** The texts in which an offer differs from another; null where it has none. */
function differentTexts(own: Texts, other: Texts, charactersMax: number): Texts {
  const found: Texts = {}
  for (const locale of new Set([...Object.keys(own), ...Object.keys(other)]))
    for (const field of ['title', 'description'] as const) {
      const [text = null, old = null] = [own[locale]?.[field], other[locale]?.[field]]
      if (text === old) continue
      const isLong = text !== null && text.length > charactersMax
      found[locale] = { ...found[locale], [field]: isLong ? `${text.slice(0, charactersMax)}…` : text }
    }
  return found
}

/** Without what a row of the database has besides. */
const contentOf = (content: OfferContent): OfferContent => ({
  ...forEachField(NAME_FIELDS, (field) => content[field]),
  texts: content.texts,
  attributes: content.attributes,
  images: content.images,
})

/** The offer after a record. @param feedHash recordHash of the record. @param currency of its supplier. */
export function applyRecord(
  before: OfferState,
  record: OfferWrite,
  feedHash: string,
  currency: string,
): { after: OfferState; moved: Moved } {
  if (before.feedHash === feedHash) return { after: before, moved: 'nothing' }
  const after: OfferState = {
    cost: record.cost === undefined ? before.cost : record.cost,
    currency: record.currency === undefined ? before.currency : (record.currency ?? currency),
    quantity: record.quantity ?? before.quantity,
    content: mergeContent(before.content, record),
    eans: record.eans === undefined ? before.eans : [...new Set(record.eans)],
    feedHash,
  }
  if (!isSameContent(before.content, after.content) || !isSameEans(before.eans, after.eans))
    return { after, moved: 'whole' }
  const isSamePrice =
    sameDecimal(before.cost, after.cost) && before.currency === after.currency && before.quantity === after.quantity
  return { after, moved: isSamePrice ? 'nothing' : 'price' }
}

/** An offer's content after a record: the record's fields over the known ones. */
function mergeContent(before: OfferContent, record: OfferWrite): OfferContent {
  const texts: OfferContent['texts'] = record.texts === null ? {} : { ...before.texts }
  for (const [locale, fields] of Object.entries(record.texts ?? {})) {
    const merged = { ...texts[locale], ...fields }
    // null values are not stored
    const kept = Object.fromEntries(Object.entries(merged).filter(([, text]) => text !== null))
    if (Object.keys(kept).length === 0) delete texts[locale]
    else texts[locale] = kept
  }
  return {
    ...forEachField(NAME_FIELDS, (field) => {
      const name = record[field]
      return name === undefined ? before[field] : name
    }),
    texts,
    attributes: record.attributes === undefined ? before.attributes : [...record.attributes],
    images: record.images === undefined ? before.images : [...record.images],
  }
}

export function isSameContent(a: OfferContent, b: OfferContent): boolean {
  return a === b || contentKey(a) === contentKey(b)
}

export function isSameEans(a: readonly string[], b: readonly string[]): boolean {
  return a.join() === b.join()
}

/** Equal text for equal contents, because jsonb does not keep the order of members. */
function contentKey(content: OfferContent): string {
  const texts = Object.keys(content.texts)
    .sort()
    .map((locale) => [locale, content.texts[locale]?.title ?? null, content.texts[locale]?.description ?? null])
  const attributes = content.attributes.map(({ key, value }) => [key, value])
  return JSON.stringify([...NAME_FIELDS.map((field) => content[field]), texts, attributes, content.images])
}

/** numeric returns costs without trailing zeros; a record may have them. */
export function sameDecimal(a: string | null, b: string | null): boolean {
  return a === null || b === null ? a === b : plainDecimal(a) === plainDecimal(b)
}
