import type { Difference } from '@shelfwire/client/shop'
import type { WantedPrice } from '../article/prices.ts'
import type { Wanted, WantedOptionGroup, WantedVariant } from '../article/wanted.ts'
import type { Ownable } from '../options.ts'
import type { Id, NameRow } from './rows.ts'

// The parts of a plan.

/** A part of the product that must be made visible in more channels. */
export interface Shown {
  kind: 'asset' | 'group' | 'option'
  id: Id
  channelIds: Id[]
}

export interface Plan {
  differences: Difference[]
  /** The product does not exist yet: the rest is planned when it does. */
  makeProduct: Wanted | null
  /** Members of the product to be written, without its ID. */
  product: Record<string, unknown>
  removeGroups: Id[]
  makeGroups: WantedOptionGroup[]
  makeOptions: { groupId: Id; code: string; names: NameRow[] }[]
  nameGroups: { id: Id; names: NameRow[] }[]
  nameOptions: { id: Id; names: NameRow[] }[]
  /** Variants to be deleted, because new ones need their options. */
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
  /** The ids, as texts, of channels that the connector manages: it adds products to them and removes them. */
  channels: ReadonlySet<string>
  /** Whether the shop owns a member, so that it is not written. @param source of the variant in question */
  owns: (field: Ownable, source?: number) => boolean
}

export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

/** Ids as texts, for comparison: they are numbers or texts. */
export const textsOf = (ids: readonly Id[]): string[] => ids.map(String)

/** The assets of pictures that the shop has. */
export const assetsOf = (urls: readonly string[], { pictures }: Known): Id[] =>
  urls.flatMap((url) => pictures.get(url) ?? [])

/** The URLs of assets, for people. An asset that the shop has added itself is named by its ID. */
export function urlsOf(ids: readonly Id[], { pictures }: Known): string[] {
  const urls = new Map([...pictures].map(([url, id]) => [String(id), url]))
  return ids.map((id) => urls.get(String(id)) ?? String(id))
}

/** The wanted names that are missing or different. */
export const otherNames = (wanted: readonly NameRow[], found: readonly NameRow[]): NameRow[] =>
  wanted.filter(({ languageCode, name }) => found.find((each) => each.languageCode === languageCode)?.name !== name)
