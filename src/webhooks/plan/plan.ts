import type { ChangeKind } from '../../model/change.ts'

// From a window of the log to the deliveries of one endpoint. Pure.

/** One kind of change of one product in one store, at its place in the log. */
export interface Entry {
  number: number
  kind: ChangeKind
  storeId: number
  productId: number
  /** Unix seconds. */
  changedAt: number
}

/** Kind -> store id -> number after which an endpoint is told of it; store 0 stands for every store not named. */
export type Starts = Partial<Record<ChangeKind, Readonly<Record<string, number>>>>

const EVERY_STORE = '0'

/** The number after which an endpoint is told of a kind in a store; null: never. */
export function startOf(starts: Starts, kind: ChangeKind, storeId: number): number | null {
  const stores = starts[kind]
  return stores?.[String(storeId)] ?? stores?.[EVERY_STORE] ?? null
}

function isFor(starts: Starts, { kind, storeId, number }: Entry): boolean {
  const start = startOf(starts, kind, storeId)
  return start !== null && number > start
}

/** What an endpoint listens to. */
export interface Subscription {
  kinds: readonly ChangeKind[]
  /** null: all stores. */
  storeId: number | null
}

/** Everything of a subscription from one number on: of a new endpoint, or of one that is wound back. */
export function startsAt({ kinds, storeId }: Subscription, after: number): Starts {
  return Object.fromEntries(kinds.map((kind) => [kind, { [String(storeId ?? EVERY_STORE)]: after }]))
}

/** The starts of an endpoint that is wound back: nothing that is subscribed begins after `before`. */
export function startsWoundBack(starts: Starts, before: number): Starts {
  const wind = (stores: Readonly<Record<string, number>> = {}) =>
    Object.fromEntries(Object.entries(stores).map(([store, start]) => [store, Math.min(start, before)]))
  return Object.fromEntries(Object.entries(starts).map(([kind, stores]) => [kind, wind(stores)]))
}

/** The starts after an edit: what was subscribed before goes on where it was, what is new begins at the head. */
export function startsAfterEdit(starts: Starts, next: Subscription, head: number): Starts {
  return Object.fromEntries(
    next.kinds.map((kind) => {
      const before = starts[kind] ?? {}
      if (next.storeId !== null) return [kind, { [String(next.storeId)]: startOf(starts, kind, next.storeId) ?? head }]
      return [kind, { [EVERY_STORE]: head, ...before }]
    }),
  )
}

export interface Cut {
  /** In number order, all of them for the endpoint. */
  entries: Entry[]
  /** Everything up to this number is in `entries` or not for the endpoint. */
  position: number
}

/**
 * The part of a scan that one plan covers: as many entries as concern at most `products` products.
 * @param scan entries in number order.
 * @param scannedTo up to where the scan looked: below it nothing is missing.
 * @param isFull whether the scan ended at its limit: then the last product's other stores may lie beyond, and it is left to
 *   the next window unless it is alone.
 */
export function cutWindow(
  scan: readonly Entry[],
  starts: Starts,
  products: number,
  scannedTo: number,
  isFull: boolean,
): Cut {
  const seen = new Set<number>()
  const entries: Entry[] = []
  const last = isFull ? scan.at(-1)?.productId : undefined
  const edge = last === undefined ? undefined : scan.findLast((entry) => entry.productId !== last)?.number
  for (const entry of scan) {
    if (edge !== undefined && entry.number > edge) return { entries, position: edge }
    if (!isFor(starts, entry)) continue
    if (!seen.has(entry.productId)) {
      if (seen.size === products) return { entries, position: entry.number - 1 }
      seen.add(entry.productId)
    }
    entries.push(entry)
  }
  return { entries, position: scannedTo }
}

/** Products of one body. */
export interface Announcement {
  event: ChangeKind
  /** null: all stores that list the products. */
  storeId: number | null
  productIds: number[]
}

/** Product -> active stores that list it now. */
export type Listing = ReadonlyMap<number, ReadonlySet<number>>

/**
 * Groups entries by kind and store, in the order of the log.
 * @param listing null where the store is always named: for an endpoint of one store, or with one active store.
 */
export function announce(entries: readonly Entry[], listing: Listing | null): Announcement[] {
  const pending = listing === null ? null : storesPending(entries)
  const groups = new Map<ChangeKind, Map<number | null, Set<number>>>()
  for (const { kind, productId, storeId } of entries) {
    const stores = pending?.get(kind)?.get(productId)
    const isEverywhere = stores !== undefined && concernsAllStores(kind, stores, listing?.get(productId) ?? NOWHERE)
    const group = isEverywhere ? null : storeId
    let byStore = groups.get(kind)
    if (byStore === undefined) groups.set(kind, (byStore = new Map()))
    let found = byStore.get(group)
    if (found === undefined) byStore.set(group, (found = new Set()))
    found.add(productId)
  }
  return [...groups].flatMap(([event, byStore]) =>
    [...byStore].map(([storeId, ids]) => ({ event, storeId, productIds: [...ids] })),
  )
}

const NOWHERE: ReadonlySet<number> = new Set()

/** Kind -> product -> stores in which it is pending. */
function storesPending(entries: readonly Entry[]): Map<ChangeKind, Map<number, Set<number>>> {
  const kinds = new Map<ChangeKind, Map<number, Set<number>>>()
  for (const { kind, productId, storeId } of entries) {
    let products = kinds.get(kind)
    if (products === undefined) kinds.set(kind, (products = new Map()))
    const stores = products.get(productId)
    if (stores === undefined) products.set(productId, new Set([storeId]))
    else stores.add(storeId)
  }
  return kinds
}

/** Whether a change is one of the product and not of single stores: at least two list it, and it is pending in all of them. */
function concernsAllStores(kind: ChangeKind, pending: ReadonlySet<number>, listing: ReadonlySet<number>): boolean {
  if (kind === 'removed') return pending.size >= 2 && listing.size === 0
  return listing.size >= 2 && [...listing].every((storeId) => pending.has(storeId))
}

/**
 * Products by their current state, for a redelivery: what is listed is announced as the kind that was asked for, what
 * is not as removed. A stale `removed` is told as news of a product that is back.
 * @param asked kinds the endpoint listens to; what it does not listen to is left out.
 */
export function announceNow(old: Announcement, asked: readonly ChangeKind[], listing: Listing): Announcement[] {
  const groups = new Map<string, Announcement>()
  for (const productId of old.productIds) {
    const listed = listing.get(productId) ?? new Set<number>()
    const isListed = old.storeId === null ? listed.size > 0 : listed.has(old.storeId)
    const event = isListed ? liveKind(old.event, asked) : 'removed'
    if (event === null || !asked.includes(event)) continue
    const [only = null] = listed
    const storeId = old.storeId === null && listed.size === 1 ? only : old.storeId
    const key = `${event}.${storeId}`
    let group = groups.get(key)
    if (group === undefined) groups.set(key, (group = { event, storeId, productIds: [] }))
    group.productIds.push(productId)
  }
  return [...groups.values()]
}

function liveKind(event: ChangeKind, asked: readonly ChangeKind[]): ChangeKind | null {
  if (event !== 'removed') return event
  return asked.includes('content') ? 'content' : asked.includes('price') ? 'price' : null
}
