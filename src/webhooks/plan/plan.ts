import type { ChangeKind } from '../../model/change.ts'

// Plans the deliveries of one endpoint from a window of the change log. Pure.

/** A change of one kind, product and store, at its place in the log. */
export interface Entry {
  number: number
  kind: ChangeKind
  storeId: number
  productId: number
  /** Unix seconds. */
  changedAt: number
}

/** Kind -> store id -> the number after which the endpoint gets changes. Store 0 stands for all stores that are not named. */
export type StartNumbers = Partial<Record<ChangeKind, Readonly<Record<string, number>>>>

const EVERY_STORE = '0'

/** The number after which an endpoint gets changes of a kind in a store; null: never. */
export function startOf(starts: StartNumbers, kind: ChangeKind, storeId: number): number | null {
  const stores = starts[kind]
  return stores?.[String(storeId)] ?? stores?.[EVERY_STORE] ?? null
}

function isFor(starts: StartNumbers, { kind, storeId, number }: Entry): boolean {
  const start = startOf(starts, kind, storeId)
  return start !== null && number > start
}

/** The changes that an endpoint subscribes to. */
export interface Subscription {
  kinds: readonly ChangeKind[]
  /** null: all stores. */
  storeId: number | null
}

/** The starts of a new endpoint: everything that it subscribes to, after one number. */
export function startsAt({ kinds, storeId }: Subscription, after: number): StartNumbers {
  return Object.fromEntries(kinds.map((kind) => [kind, { [String(storeId ?? EVERY_STORE)]: after }]))
}

/** The starts after a rewind: none is later than `before`. */
export function startsAfterRewind(starts: StartNumbers, before: number): StartNumbers {
  const lower = (stores: Readonly<Record<string, number>> = {}) =>
    Object.fromEntries(Object.entries(stores).map(([store, start]) => [store, Math.min(start, before)]))
  return Object.fromEntries(Object.entries(starts).map(([kind, stores]) => [kind, lower(stores)]))
}

/** The starts after an edit: earlier subscriptions keep their start, new ones start at the head. */
export function startsAfterEdit(starts: StartNumbers, next: Subscription, head: number): StartNumbers {
  return Object.fromEntries(
    next.kinds.map((kind) => {
      const before = starts[kind] ?? {}
      if (next.storeId !== null) return [kind, { [String(next.storeId)]: startOf(starts, kind, next.storeId) ?? head }]
      return [kind, { [EVERY_STORE]: head, ...before }]
    }),
  )
}

export interface ScanPart {
  /** The entries that the endpoint is to get, in number order. */
  entries: Entry[]
  /** Every entry up to this number is in `entries` or not for the endpoint. */
  position: number
}

/**
 * The part of a scan that one plan covers: as many entries as have at most `products` products.
 * @param scan entries in number order.
 * @param scannedTo the scan has every entry up to this number.
 * @param isFull whether the scan ended at its limit. Changes of its last product in other stores may then follow, so that
 * product is left to the next window unless it is the only one.
 */
export function cutWindow(
  scan: readonly Entry[],
  starts: StartNumbers,
  products: number,
  scannedTo: number,
  isFull: boolean,
): ScanPart {
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

/** The contents of one body. */
export interface Announcement {
  event: ChangeKind
  /** null: all stores that list the products. */
  storeId: number | null
  productIds: number[]
}

/** Product -> active stores that list it now. */
export type Listing = ReadonlyMap<number, ReadonlySet<number>>

/**
 * Groups entries by kind and store, in the order of the change log.
 * @param listing null if bodies always name the store: for an endpoint of one store, or with one active store.
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

/** Kind -> product -> stores in which a change is pending. */
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

/**
 * Whether a change concerns the product in all stores: at least two list it, and the change is pending in all of them. A
 * removal: in at least two stores, and none lists it.
 */
function concernsAllStores(kind: ChangeKind, pending: ReadonlySet<number>, listing: ReadonlySet<number>): boolean {
  if (kind === 'removed') return pending.size >= 2 && listing.size === 0
  return listing.size >= 2 && [...listing].every((storeId) => pending.has(storeId))
}

/**
 * For a redelivery: announces products in their current state. Listed ones have the same event as before, others `removed`; one
 * that was `removed` and is listed again is announced as changed.
 * @param kinds what the endpoint subscribes to; other events are left out.
 */
export function announceNow(old: Announcement, kinds: readonly ChangeKind[], listing: Listing): Announcement[] {
  const groups = new Map<string, Announcement>()
  for (const productId of old.productIds) {
    const listed = listing.get(productId) ?? new Set<number>()
    const isListed = old.storeId === null ? listed.size > 0 : listed.has(old.storeId)
    const event = isListed ? liveKind(old.event, kinds) : 'removed'
    if (event === null || !kinds.includes(event)) continue
    const [only = null] = listed
    const storeId = old.storeId === null && listed.size === 1 ? only : old.storeId
    const key = `${event}.${storeId}`
    let group = groups.get(key)
    if (group === undefined) groups.set(key, (group = { event, storeId, productIds: [] }))
    group.productIds.push(productId)
  }
  return [...groups.values()]
}

function liveKind(event: ChangeKind, kinds: readonly ChangeKind[]): ChangeKind | null {
  if (event !== 'removed') return event
  return kinds.includes('content') ? 'content' : kinds.includes('price') ? 'price' : null
}
