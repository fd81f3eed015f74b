import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { Counter, Gauge, Histogram, type Metric } from 'prom-client'
import { inTransaction, type Db } from '../../db/sql.ts'
import type { Wake } from '../../db/wake.ts'
import type { Outbound } from '../../outbound/client.ts'
import { asError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { Log } from '../../platform/log.ts'
import { startLoop, type Loop } from '../../platform/loop.ts'
import type { Decoders } from '../decode/decoders.ts'
import type { ImageStore } from '../store/image-store.ts'
import type { Unfinished } from '../../objects/unfinished.ts'
import { accountsWithDueImages, hostsDue, hostsForget, slotsInsert, slotsTake, type Slot } from './claims.sql.ts'
import type { Room } from './room.ts'
import { runHost, type RunOptions } from './run.ts'

export interface MirrorOptions {
  db: Db
  wake: Wake
  log: Log
  outbound: Outbound
  store: ImageStore
  decoders: Decoders
  /** For files that are being fetched. */
  unfinished: Unfinished
  /** Requests per second to one host; LIMITS.mirrorPerSecondMax when left out. */
  perSecond?: number
  room: Room
}

export interface Mirror extends Loop {
  metrics: readonly Metric[]
}

/** How late a new picture may be asked for, at most, where its host and this process are idle. */
const IDLE_MS = 1_000
const FORGET_HOSTS_MS = 3_600_000
const KNOWN_HOSTS_MS = 3_600_000

/**
 * The loop that fetches pictures; any number of processes may run one. Accounts get their turns one after the other, the one
 * that has waited longest first, and in each a few hosts; whoever fetches from a host holds one of its slots, which all
 * accounts and processes share. What is waiting is in the database; a process knows only what it is fetching.
 */
export function startMirror(options: MirrorOptions): Mirror {
  const { db, wake, log, outbound, store, unfinished } = options
  const perSecond = options.perSecond ?? LIMITS.mirrorPerSecondMax
  const slots = Math.min(
    LIMITS.mirrorSlotsMax,
    Math.max(LIMITS.mirrorSlotsMin, Math.ceil(perSecond / LIMITS.mirrorPerSlotSecond)),
  )
  const { room } = options
  const metrics = openMetrics(() => room.used())
  const ending = new AbortController()
  const running = new Set<Promise<void>>()
  /** The turn that an account got last. */
  const turns = new Map<number, number>()
  /** After which host an account's next turn begins. */
  const cursors = new Map<number, string>()
  const knownHosts = new LRUCache<string, true>({ max: 10_000, ttl: KNOWN_HOSTS_MS })
  let turn = 0
  let forgotAt = performance.now()

  const run: RunOptions = {
    db,
    outbound,
    store,
    decoders: options.decoders,
    unfinished,
    perSecond,
    slots,
    hasRoom: (bytes) => room.has(bytes),
    onStored: (bytes) => room.take(bytes),
    usedBytes: () => room.used(),
    onFetched(outcome, ms) {
      metrics.fetches.inc({ outcome })
      metrics.duration.observe(ms / 1_000)
    },
    onTrouble: (error) =>
      log.warn({ err: error }, 'a picture could not be inspected or stored; it is tried again later'),
  }

  const begin = (accountId: number, slot: Slot) => {
    const working = runHost(run, accountId, slot, ending.signal)
      .then(
        (isMarked) => {
          if (isMarked) wake.notify('mark', accountId)
        },
        (error: unknown) =>
          log.warn({ err: asError(error), accountId, host: slot.host }, 'pictures could not be fetched or recorded'),
      )
      .finally(() => {
        running.delete(working)
        loop.poke()
      })
    running.add(working)
  }

  /** Begins runs of an account. @returns how many, and whether there are hosts left to be looked at. */
  const turnOf = async (accountId: number): Promise<{ begun: number; isMore: boolean }> => {
    const after = cursors.get(accountId) ?? ''
    const looked = await hostsDue(db, accountId, after, LIMITS.mirrorHostsLooked)
    const hosts = looked.filter(({ isDue }) => isDue).map(({ host }) => host)
    const limit = Math.min(LIMITS.mirrorRunsPerTurn, LIMITS.mirrorRunsMax - running.size)
    const taken = hosts.length === 0 ? [] : await takeSlots(hosts, limit)
    const last = taken
      .map(({ host }) => host)
      .sort()
      .at(-1)
    const isEnd = looked.length < LIMITS.mirrorHostsLooked
    // those behind the last one that was begun come first in the next turn
    if (taken.length === limit && last !== undefined) cursors.set(accountId, last)
    else if (isEnd) cursors.delete(accountId)
    else cursors.set(accountId, looked.at(-1)?.host ?? '')
    for (const slot of taken) begin(accountId, slot)
    return { begun: taken.length, isMore: !isEnd }
  }

  const takeSlots = (hosts: readonly string[], limit: number) =>
    inTransaction(db, async (tx) => {
      const unknown = hosts.filter((host) => knownHosts.get(host) === undefined)
      if (unknown.length > 0) await slotsInsert(tx, unknown, slots)
      for (const host of unknown) knownHosts.set(host, true)
      return slotsTake(tx, hosts, slots, randomUUID(), LIMITS.mirrorLeaseMs, limit)
    })

  const loop = startLoop({
    name: 'mirror',
    log,
    idleMs: IDLE_MS,
    async step() {
      if (performance.now() - forgotAt > FORGET_HOSTS_MS) {
        forgotAt = performance.now()
        await inTransaction(db, (tx) => hostsForget(tx, LIMITS.mirrorHostDaysMax))
      }
      if (running.size >= LIMITS.mirrorRunsMax) return 'idle'
      await room.refresh()
      const due = await db.nodes.scan('pictures', (accounts) => accountsWithDueImages(db, accounts))
      const waiting = due.rows.toSorted((a, b) => (turns.get(a) ?? 0) - (turns.get(b) ?? 0) || a - b)
      let begun = 0
      let isMore = false
      for (const accountId of waiting) {
        if (running.size >= LIMITS.mirrorRunsMax || ending.signal.aborted) break
        const done = await db.nodes.unlessAway(accountId, () => turnOf(accountId))
        if (done === undefined) continue
        if (done.begun > 0) turns.set(accountId, ++turn)
        begun += done.begun
        isMore ||= done.isMore
      }
      if (due.isWhole && due.rows.length === 0) turns.clear()
      return begun > 0 || (isMore && running.size < LIMITS.mirrorRunsMax) ? 'more' : 'idle'
    },
  })

  return {
    metrics: [metrics.fetches, metrics.duration, metrics.stored],
    poke: () => loop.poke(),
    ageMs: () => loop.ageMs(),
    async stop() {
      ending.abort()
      await loop.stop()
      await Promise.all(running)
    },
  }
}

function openMetrics(used: () => number) {
  return {
    fetches: new Counter({
      name: 'shelfwire_image_fetches_total',
      help: 'Original pictures asked for, by what came of it.',
      labelNames: ['outcome'],
      registers: [],
    }),
    duration: new Histogram({
      name: 'shelfwire_image_fetch_seconds',
      help: 'From asking for an original until its bytes are stored.',
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers: [],
    }),
    stored: new Gauge({
      name: 'shelfwire_image_stored_bytes',
      help: 'Bytes of all stored pictures, as counted by this process.',
      registers: [],
      collect() {
        this.set(used())
      },
    }),
  }
}
