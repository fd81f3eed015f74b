import { forEachField, NAME_FIELDS, TEXT_FIELDS, type NameField } from '../../../../contract/product-fields.ts'
import { HASHED_NAMES, HASHED_TEXTS, LATER_NAMES, LATER_TEXTS, laterOf } from '../../../model/hashed-fields.ts'
import { altsOfImages, isSameAlts, orderedAlts, type ImageAlts } from '../../../model/image-alts.ts'
import { plainDecimal } from '../../../model/money.ts'
import type { CostTier, OfferGroup, OfferTexts } from '../../../model/offer.ts'
import { isSameGroup, orderedGroup } from '../../../model/offer-group.ts'
import { isSameCostTiers, orderedCostTiers } from '../../../model/cost-tiers.ts'
import { recordText, type OfferWrite } from '../../../model/record-text.ts'
import { textHash } from '../../../platform/text/text-hash.ts'

// Computes an offer from a record; pure. One rule for files, bulks and single writes: an absent field stays, null clears, and an offer that was
// deleted starts again. docs/decisions/068-rows-act-in-the-order-sent.md says why.

export interface OfferContent extends Record<NameField, string | null> {
  texts: Record<string, OfferTexts>
  attributes: { key: string; value: string }[]
  images: string[]
  /** The alternative texts of these images; null: none. */
  imageAlts: ImageAlts | null
  group: OfferGroup | null
}

/** Everything an account knows of an offer. */
export interface OfferState {
  cost: string | null
  /** In order of rising quantity; null: none. */
  costTiers: readonly CostTier[] | null
  currency: string
  quantity: number
  content: OfferContent
  eans: readonly string[]
  /** recordHash of the last record; null: even an equal record is applied again. */
  feedHash: string | null
}

/**
 * The earlier values of an offer that a write changed: cost, currency, quantity and the hash always, cost tiers if it had any; content and EANs only
 * if they changed. `absentSince` (ISO 8601): since when full imports had not contained the offer.
 */
export interface OfferBefore extends Pick<OfferState, 'cost' | 'currency' | 'quantity' | 'feedHash'> {
  absentSince: string | null
  costTiers?: readonly CostTier[]
  content?: OfferContent
  eans?: readonly string[]
}

/** How much a record changed an offer: `nothing`; `price`: only cost, cost tiers, currency or quantity; `whole`: more than that. */
export type Moved = 'nothing' | 'price' | 'whole'

/** An offer without any values yet. @param currency the supplier's, until a record states one. */
export function emptyOffer(currency: string): OfferState {
  return {
    cost: null,
    costTiers: null,
    currency,
    quantity: 0,
    content: {
      ...forEachField(NAME_FIELDS, () => null),
      texts: {},
      attributes: [],
      images: [],
      imageAlts: null,
      group: null,
    },
    eans: [],
    feedHash: null,
  }
}

/** Identifies a record's whole content: equal hashes need no comparison of columns. */
export const recordHash = (record: OfferWrite): string => textHash(recordText(record))

/** Identifies the values of an offer, regardless of the writes that led to them. */
export function offerHash(offer: OfferState): string {
  return textHash(JSON.stringify(valuesOf(offer)))
}

/**
 * Whether an offer still has the values of which `taken` is the hash. Earlier releases also hashed the last record: the stored changes of runs from
 * before an upgrade have such hashes.
 */
export function isOfferOf(offer: OfferState, taken: string): boolean {
  if (offerHash(offer) === taken) return true
  return textHash(JSON.stringify([...valuesOf(offer), offer.feedHash])) === taken
}

const valuesOf = ({ cost, costTiers, currency, quantity, content, eans }: OfferState): unknown[] => [
  cost === null ? null : plainDecimal(cost),
  currency,
  quantity,
  contentKey(content),
  eans,
  // hashes are stored, so an offer without tiers must have the hash that it had before tiers existed
  ...(costTiers === null ? [] : [{ cost_tiers: orderedCostTiers(costTiers) }]),
]

/** Whether an offer has the values again that it had before a write. */
export function hasPreviousValues(offer: OfferState, before: OfferBefore): boolean {
  return (
    sameDecimal(offer.cost, before.cost) &&
    isSameCostTiers(offer.costTiers, before.costTiers ?? null) &&
    offer.currency === before.currency &&
    offer.quantity === before.quantity &&
    (before.content === undefined || isSameContent(offer.content, before.content)) &&
    (before.eans === undefined || isSameEans(offer.eans, before.eans))
  )
}

/** The values that a write replaced. */
export function offerBefore(before: OfferState, after: OfferState, absentSince: Date | null): OfferBefore {
  const { cost, costTiers, currency, quantity, feedHash } = before
  return {
    cost,
    ...(costTiers === null ? {} : { costTiers }),
    currency,
    quantity,
    feedHash,
    absentSince: absentSince?.toISOString() ?? null,
    ...(isSameContent(before.content, after.content) ? {} : { content: contentOf(before.content) }),
    ...(isSameEans(before.eans, after.eans) ? {} : { eans: before.eans }),
  }
}

/** One side of a comparison of two states of an offer: cost, currency and quantity always, other values only where the states differ. */
export interface OfferPart extends Pick<OfferState, 'cost' | 'currency' | 'quantity'> {
  /** Only where they differ; null: none. */
  costTiers?: readonly CostTier[] | null
  content?: Partial<OfferContent>
  eans?: readonly string[]
}

/**
 * Compares two states of an offer. @returns the values that differ, as they are in each. Of attributes and texts only the entries that differ are
 * included; texts are cut after `charactersMax` characters.
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
  const { cost, costTiers, currency, quantity, content, eans } = offer
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
  if (!isSameAlts(content.imageAlts, other.content.imageAlts)) part.imageAlts = content.imageAlts
  if (!isSameGroup(content.group, other.content.group)) part.group = content.group
  return {
    cost: cost === null ? null : plainDecimal(cost),
    ...(isSameCostTiers(costTiers, other.costTiers) ? {} : { costTiers }),
    currency,
    quantity,
    ...(Object.keys(part).length === 0 ? {} : { content: part }),
    ...(isSameEans(eans, other.eans) ? {} : { eans }),
  }
}

type Texts = OfferContent['texts']

/** The texts of an offer that differ from another's; null for a text that it lacks. */
function differentTexts(own: Texts, other: Texts, charactersMax: number): Texts {
  const found: Texts = {}
  for (const locale of new Set([...Object.keys(own), ...Object.keys(other)]))
    for (const field of TEXT_FIELDS) {
      const [text = null, old = null] = [own[locale]?.[field], other[locale]?.[field]]
      if (text === old) continue
      const isLong = text !== null && text.length > charactersMax
      found[locale] = { ...found[locale], [field]: isLong ? `${text.slice(0, charactersMax)}…` : text }
    }
  return found
}

/** Picks the content from a row that may have more columns. Fields that did not exist yet when the content was stored as JSON become null. */
export const contentOf = (content: OfferContent): OfferContent => ({
  ...forEachField(NAME_FIELDS, (field) => content[field] ?? null),
  texts: content.texts,
  attributes: content.attributes,
  images: content.images,
  imageAlts: content.imageAlts ?? null,
  group: content.group ?? null,
})

/** Applies a record to an offer. @param feedHash recordHash of the record. @param currency the supplier's. */
export function applyRecord(
  before: OfferState,
  record: OfferWrite,
  feedHash: string,
  currency: string,
): { after: OfferState; moved: Moved } {
  if (before.feedHash === feedHash) return { after: before, moved: 'nothing' }
  const after: OfferState = {
    cost: record.cost === undefined ? before.cost : record.cost,
    costTiers: record.costTiers === undefined ? before.costTiers : orderedCostTiers(record.costTiers),
    currency: record.currency === undefined ? before.currency : (record.currency ?? currency),
    quantity: record.quantity ?? before.quantity,
    content: mergeContent(before.content, record),
    eans: record.eans === undefined ? before.eans : [...new Set(record.eans)],
    feedHash,
  }
  if (!isSameContent(before.content, after.content) || !isSameEans(before.eans, after.eans))
    return { after, moved: 'whole' }
  const isSamePrice =
    sameDecimal(before.cost, after.cost) &&
    before.currency === after.currency &&
    before.quantity === after.quantity &&
    isSameCostTiers(before.costTiers, after.costTiers)
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
  const images = record.images === undefined ? before.images : [...record.images]
  return {
    ...forEachField(NAME_FIELDS, (field) => {
      const name = record[field]
      return name === undefined ? before[field] : name
    }),
    texts,
    attributes: mergeAttributes(before.attributes, record),
    images,
    imageAlts: mergeAlts(before, record, images),
    group: record.group === undefined ? before.group : record.group,
  }
}

/** Drops the texts of images that are no longer listed: such an image may come back with another text. */
function mergeAlts(before: OfferContent, { imageAlts }: OfferWrite, images: readonly string[]): ImageAlts | null {
  if (imageAlts === null) return null
  const known = before.imageAlts ?? null
  if (imageAlts !== undefined) return altsOfImages({ ...known, ...imageAlts }, images)
  return known === null || images === before.images ? known : altsOfImages(known, images)
}

/**
 * The attributes after a record. If some of the record's values could not be read, the known values of these stay, and known keys keep their
 * positions.
 */
function mergeAttributes(
  before: OfferContent['attributes'],
  { attributes, keptAttributes: kept }: OfferWrite,
): OfferContent['attributes'] {
  if (attributes === undefined) return before
  if (kept === undefined) return [...attributes]
  const stated = new Map(attributes.map((attribute) => [attribute.key, attribute]))
  const known = before.flatMap((old) => {
    const own = stated.get(old.key)
    if (own !== undefined) return [own]
    return kept === 'all' || kept.includes(old.key) ? [old] : []
  })
  const places = new Set(known.map(({ key }) => key))
  return [...known, ...attributes.filter(({ key }) => !places.has(key))]
}

export function isSameContent(a: OfferContent, b: OfferContent): boolean {
  return a === b || (mayBeSame(a, b) && contentKey(a) === contentKey(b))
}

/** A cheap comparison that tells most contents apart, so that the key is not computed for new offers or where a simple value changed. */
function mayBeSame(a: OfferContent, b: OfferContent): boolean {
  if (a.images.length !== b.images.length || a.attributes.length !== b.attributes.length) return false
  for (const field of HASHED_NAMES) if ((a[field] ?? null) !== (b[field] ?? null)) return false
  for (const locale in b.texts) if (a.texts[locale] === undefined) return false
  return true
}

export function isSameEans(a: readonly string[], b: readonly string[]): boolean {
  return a.join() === b.join()
}

/** A canonical text: equal contents have equal keys, although jsonb does not keep the order of members. */
function contentKey(content: OfferContent): string {
  const texts = Object.keys(content.texts)
    .sort()
    .map((locale) => {
      const own = content.texts[locale] ?? {}
      return [locale, ...HASHED_TEXTS.map((field) => own[field] ?? null), ...laterOf(LATER_TEXTS, own, false)]
    })
  const attributes = content.attributes.map(({ key, value }) => [key, value])
  const names = HASHED_NAMES.map((field) => content[field])
  return JSON.stringify([
    ...names,
    texts,
    attributes,
    content.images,
    ...laterOf(LATER_NAMES, content, false),
    // content that was stored before groups existed has none
    ...(content.group ? [{ group: orderedGroup(content.group) }] : []),
    ...(content.imageAlts ? [{ image_alts: orderedAlts(content.imageAlts) }] : []),
  ])
}

/** Compares decimal texts: `numeric` returns costs without trailing zeros, but a record may have them. */
export function sameDecimal(a: string | null, b: string | null): boolean {
  return a === null || b === null ? a === b : plainDecimal(a) === plainDecimal(b)
}
