import type { Difference } from '@shelfwire/client/shop'
import type { WantedPrice } from '../article/prices.ts'
import type { Wanted, WantedOptionGroup, WantedVariant } from '../article/wanted.ts'
import type { Ownable } from '../options.ts'
import type { Id, NameRow } from './rows.ts'

// What plans are made of.

/** Of what a part of the product is to be seen in more channels. */
export interface Shown {
  kind: 'asset' | 'group' | 'option'
  id: Id
  channelIds: Id[]
}

export interface Plan {
  differences: Difference[]
  /** There is none yet: the rest is planned when it is there. */
  makeProduct: Wanted | null
  /** Members to be written, without its ID. */
  product: Record<string, unknown>
  removeGroups: Id[]
  makeGroups: WantedOptionGroup[]
  makeOptions: { groupId: Id; code: string; names: NameRow[] }[]
  nameGroups: { id: Id; names: NameRow[] }[]
  nameOptions: { id: Id; names: NameRow[] }[]
  /** Deleted, because new ones are to have their options. */
  drop: Id[]
  make: { variant: WantedVariant; optionIds: Id[]; assetIds: Id[] }[]
  update: Record<string, unknown>[]
  assign: { variantId: Id; channelId: Id }[]
  remove: { variantId: Id; channelId: Id }[]
  show: Shown[]
  prices: (WantedPrice & { variantId: Id })[]
}

export interface Known {
  /** Shelfwire's ID of a category -> the shop's facet value. */
  categories: ReadonlyMap<string, Id>
  /** The facet of those values; null: there is none yet. */
  facetId: Id | null
  /** URLs -> the shop's assets. */
  pictures: ReadonlyMap<string, Id>
  /** Channels, by their ids as texts, into which products are put and out of which they are taken. */
  channels: ReadonlySet<string>
  /** Whether the shop edits something itself. @param source of a variant */
  owns: (field: Ownable, source?: number) => boolean
}

export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

/** Ids are numbers or texts. */
export const textsOf = (ids: readonly Id[]): string[] => ids.map(String)

/** The assets of pictures that the shop has. */
export const assetsOf = (urls: readonly string[], { pictures }: Known): Id[] =>
  urls.flatMap((url) => pictures.get(url) ?? [])

/** For people; a picture that the shop has put there itself is named by its ID. */
export function urlsOf(ids: readonly Id[], { pictures }: Known): string[] {
  const urls = new Map([...pictures].map(([url, id]) => [String(id), url]))
  return ids.map((id) => urls.get(String(id)) ?? String(id))
}

/** The names that are not there yet, or are others. */
export const otherNames = (wanted: readonly NameRow[], found: readonly NameRow[]): NameRow[] =>
  wanted.filter(({ languageCode, name }) => found.find((each) => each.languageCode === languageCode)?.name !== name)
