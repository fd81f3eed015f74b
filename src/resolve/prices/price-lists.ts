import { exactOf, type Exact } from '../../model/money.ts'
import type { AccountInputs, PriceListEntryInput, PriceListInput, StoreInput } from '../inputs.ts'
import type { ComputedPrice } from './price.ts'

// Price lists: prices that people state for products and groups, as they will be shown. They replace the prices of rules, unless a
// rule is set to precede them; docs/decisions/179-price-lists-replace-what-rules-make.md says why.

/** A price list that applies in a store. */
export interface PlacedList {
  list: PriceListInput
  /** The list with the lower rank wins. */
  rank: number
  /** Whether it is active and valid today. */
  isInForce: boolean
}

export type PlacedLists = ReadonlyMap<string, PlacedList>

/** An entry that prices a product; its list is in force. */
export interface FoundEntry {
  list: PriceListInput
  amount: Exact
}

/** Lists in the order of precedence: by priority, then the newest first. */
export function orderedLists(lists: readonly PriceListInput[]): readonly PriceListInput[] {
  const newest = (a: PriceListInput, b: PriceListInput) =>
    a.createdAt === b.createdAt ? (a.key < b.key ? -1 : 1) : a.createdAt > b.createdAt ? -1 : 1
  return lists.toSorted((a, b) => a.priority - b.priority || newest(a, b))
}

/** The lists that apply in a store, by key; null if none does. */
export function listsIn(
  ordered: readonly PriceListInput[],
  { storeId, currency }: StoreInput,
  day: AccountInputs['day'],
): PlacedLists | null {
  const placed = new Map<string, PlacedList>()
  ordered.forEach((list, rank) => {
    if (list.currency !== currency || (list.storeIds !== null && !list.storeIds.includes(storeId))) return
    const hasBegun = list.validFrom === null || list.validFrom <= day
    const hasEnded = list.validTo !== null && list.validTo < day
    placed.set(list.key, { list, rank, isInForce: list.isActive && hasBegun && !hasEnded })
  })
  return placed.size === 0 ? null : placed
}

/** An entry that applies to the group, with its list. */
interface Candidate extends PlacedList {
  amount: string
  /** 0: for every group. */
  ofGroup: number
  /** Whether the entry itself, rather than its list, names the group. */
  isNamed: boolean
}

function candidatesOf(lists: PlacedLists, entries: readonly PriceListEntryInput[], groupId: number): Candidate[] {
  return entries.flatMap(({ listKey, groupId: named, amount }): Candidate[] => {
    const placed = lists.get(listKey)
    if (placed === undefined) return []
    const ofGroup = named === 0 ? (placed.list.groupId ?? 0) : named
    return ofGroup === 0 || ofGroup === groupId ? [{ ...placed, amount, ofGroup, isNamed: named !== 0 }] : []
  })
}

/**
 * The entry that prices a product for a group: entries for the group precede entries for all groups, then the order of lists decides.
 */
function best(candidates: readonly Candidate[]): Candidate | undefined {
  let found: Candidate | undefined
  for (const one of candidates) {
    if (!one.isInForce) continue
    if (found === undefined || isBefore(one, found)) found = one
  }
  return found
}

function isBefore(a: Candidate, b: Candidate): boolean {
  if ((a.ofGroup === 0) !== (b.ofGroup === 0)) return a.ofGroup !== 0
  return a.rank === b.rank ? a.isNamed && !b.isNamed : a.rank < b.rank
}

/** The entry that prices a product for a group in a store; null: none. The caller checks whether the rule precedes lists. */
export function findEntry(
  lists: PlacedLists | null,
  entries: readonly PriceListEntryInput[],
  groupId: number,
): FoundEntry | null {
  if (lists === null || entries.length === 0) return null
  const found = best(candidatesOf(lists, entries, groupId))
  return found === undefined ? null : { list: found.list, amount: exactOf(found.amount) }
}

/**
 * Replaces prices of rules by those of lists. A price from a list was stated by a person, so it is not held; neither is the rule's
 * price that follows when the list ends.
 */
export function withPriceLists(
  lists: PlacedLists | null,
  entries: readonly PriceListEntryInput[],
  prices: ComputedPrice[],
): ComputedPrice[] {
  if (lists === null || entries.length === 0) return prices
  return prices.map((price) => {
    const candidates = candidatesOf(lists, entries, price.groupId)
    if (candidates.length === 0) return price
    const found = price.isOverLists ? undefined : best(candidates)
    if (found === undefined) return { ...price, listed: candidates.map(({ amount }) => amount) }
    return { ...price, computedPrice: exactOf(found.amount), isStated: true, isFree: false }
  })
}
