import { isDeepStrictEqual } from 'node:util'
import { gapsIn, NO_GAPS, type GapBits } from '../../model/gaps.ts'
import type { ContentHalf, Payload } from '../../model/payload.ts'
import { encodeContent, encodePrice, shownPrices, tagOf, withUpdatedAt } from '../encode.ts'
import type { ShelvedRow } from './payloads.sql.ts'
import { must } from '../../platform/must.ts'

/** A resolved payload, or its content half, in encoded form; `halves` is null if the store does not list the product. */
export interface Encoded<Halves> {
  storeId: number
  productId: number
  halves: Halves | null
}

/** A payload without the time when its content last changed. */
export type WithoutUpdatedAt = Encoded<UndatedHalves>

interface UndatedHalves {
  content: string
  price: string
  priceTag: string
  sku: string | null
  exclusion: string | null
  gaps: GapBits
  /** The prices alone, as shownPrices writes them. */
  shown: string
}

/** A content half's tag and time. */
interface Dated {
  contentTag: string
  /** The value of `updated_at`; null: the content has no such member. */
  updatedAt: string | null
}

/** A payload with everything that is stored. */
export type Fresh = Encoded<UndatedHalves & Dated>

/**
 * Encodes a payload that `resolve` returned for one store.
 * @param encode the product's contentEncoder, if it is encoded for several stores.
 */
export function encodeResolved(
  storeId: number,
  productId: number,
  payload: Payload | null,
  gaps: GapBits,
  encode: (content: ContentHalf) => string = encodeContent,
): WithoutUpdatedAt {
  if (payload === null) return { storeId, productId, halves: null }
  const content = encode(payload.content)
  const price = encodePrice(payload.price)
  const { sku, exclusion_reason: exclusion } = payload.content
  return {
    storeId,
    productId,
    halves: { content, price, priceTag: tagOf(price), sku, exclusion, gaps, shown: shownPrices(payload.price.prices) },
  }
}

/** Which halves of a payload are written, and which change is logged. */
export interface PayloadDiff {
  fresh: Fresh
  writeContent: boolean
  writePrice: boolean
  /** The prices alone, as shownPrices writes them; null if the price half is not written. */
  shown: string | null
  /** Whether a row is added to the price history: the prices differ from the stored ones, or the product leaves. */
  isRepriced: boolean
  change: { price: boolean; content: boolean; removed: boolean } | null
  /** +1: the product enters the store's catalog; -1: it leaves; 0: neither. */
  delta: -1 | 0 | 1
  /** How the store's count of each gap changes, in the order of GAPS; null: not at all. */
  gapDeltas: readonly number[] | null
  /** The stored tags; null: not stored. */
  before: StoredTags | null
}

/** Tags of both halves. */
export interface StoredTags {
  contentTag: string
  priceTag: string
}

const UNCHANGED = {
  writeContent: false,
  writePrice: false,
  shown: null,
  isRepriced: false,
  change: null,
  delta: 0,
  gapDeltas: null,
} as const

/**
 * Compares a fresh payload with the stored one. A change is logged if and only if a client would read something different: `price` and
 * `content` for a product that enters, `removed` for one that leaves.
 * @param oldBodies the stored bodies if an older resolver wrote them: members that this release added are written without logging a change,
 * because everything that clients knew is the same.
 * @param time the time of this transaction, if payloads have `updated_at`; otherwise null.
 */
export function diffPayload(
  undated: WithoutUpdatedAt,
  stored: ShelvedRow | undefined,
  oldBodies: { content: string; price: string } | undefined,
  time: string | null = null,
): PayloadDiff {
  const before = stored ?? null
  const fresh = time === null ? dated(undated, null) : withStoredUpdatedAt(undated, stored, oldBodies, time)
  if (fresh.halves === null) {
    if (stored === undefined) return { fresh, before, ...UNCHANGED }
    return {
      fresh,
      before,
      ...UNCHANGED,
      isRepriced: true,
      change: { price: false, content: false, removed: true },
      delta: -1,
      gapDeltas: gapDeltas(stored.gaps, NO_GAPS),
    }
  }
  if (stored === undefined) {
    const { shown } = fresh.halves
    return {
      fresh,
      before,
      writeContent: true,
      writePrice: true,
      shown,
      isRepriced: true,
      change: { price: true, content: true, removed: false },
      delta: 1,
      gapDeltas: gapDeltas(NO_GAPS, fresh.halves.gaps),
    }
  }
  const contentDiffers = stored.contentTag !== fresh.halves.contentTag
  const priceDiffers = stored.priceTag !== fresh.halves.priceTag
  const content = contentDiffers && !(oldBodies !== undefined && readsTheSame(oldBodies.content, fresh.halves.content))
  const price = priceDiffers && !(oldBodies !== undefined && readsTheSame(oldBodies.price, fresh.halves.price))
  // both halves of an older resolver's row are written, so that it carries the new version
  const isOlder = oldBodies !== undefined
  // gaps can differ while clients read the same: a supplier's category is not part of the payload
  const writeContent = contentDiffers || isOlder || stored.gaps.content !== fresh.halves.gaps.content
  const writePrice =
    priceDiffers ||
    isOlder ||
    stored.exclusion !== fresh.halves.exclusion ||
    stored.gaps.price !== fresh.halves.gaps.price
  const shown = writePrice ? fresh.halves.shown : null
  return {
    fresh,
    before,
    writeContent,
    writePrice,
    shown,
    isRepriced: shown !== null && shown !== stored.shown,
    change: content || price ? { price, content, removed: false } : null,
    delta: 0,
    gapDeltas: gapDeltas(stored.gaps, fresh.halves.gaps),
  }
}

/**
 * Adds `updated_at` to a content half: the stored time while the content is the same, also if an older resolver wrote it and members were
 * only added; otherwise `time`, but never earlier than the stored time.
 */
export function withStoredUpdatedAt<T extends { content: string }>(
  fresh: Encoded<T>,
  stored: Pick<ShelvedRow, 'contentTag' | 'updatedAt'> | undefined,
  oldBodies: { content: string } | undefined,
  time: string,
): Encoded<T & Dated> {
  const before = stored?.updatedAt ?? null
  if (before === null) return dated(fresh, time)
  const kept = dated(fresh, before)
  if (kept.halves === null || kept.halves.contentTag === stored?.contentTag) return kept
  if (oldBodies !== undefined && readsTheSame(oldBodies.content, kept.halves.content)) return kept
  return dated(fresh, before > time ? before : time)
}

/** Adds `updated_at` to a content half, unless it is null, and the tag. */
export function dated<T extends { content: string }>(
  { halves, ...of }: Encoded<T>,
  updatedAt: string | null,
): Encoded<T & Dated> {
  if (halves === null) return { ...of, halves }
  const content = updatedAt === null ? halves.content : withUpdatedAt(halves.content, updatedAt)
  return { ...of, halves: { ...halves, content, contentTag: tagOf(content), updatedAt } }
}

/** How the counts of gaps change, in the order of GAPS; null: they do not. */
export function gapDeltas(before: GapBits, after: GapBits): number[] | null {
  if (before.content === after.content && before.price === after.price) return null
  const was = gapsIn(before)
  return gapsIn(after).map((is, i) => is - must(was[i]))
}

/** Whether every member of the old body has the same value in the new one, at any depth. */
function readsTheSame(oldBody: string, newBody: string): boolean {
  return isDeepStrictEqual(project(JSON.parse(`{${newBody}}`), JSON.parse(`{${oldBody}}`)), JSON.parse(`{${oldBody}}`))
}

/** `value` reduced to the members that `shape` has. */
function project(value: unknown, shape: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(shape)) return value.map((entry, i) => project(entry, shape[i]))
  if (typeof value !== 'object' || value === null || typeof shape !== 'object' || shape === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key in shape)
      .map(([key, member]) => [key, project(member, (shape as Record<string, unknown>)[key])]),
  )
}
