import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { Counter, Gauge, Histogram, type Metric } from 'prom-client'
import { inTransaction, type Db } from '../../db/sql.ts'
import type { Wake } from '../../db/wake.ts'
import type { Outbound } from '../../outbound/client.ts'
import { asError } from '../../platform/errors.ts'
import { entriesMax } from '../../platform/caches/entries-max.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { Log } from '../../platform/log.ts'
import { startLoop, type Loop } from '../../platform/process/loop.ts'
import type { Decoders } from '../decode/decoders.ts'
import type { ImageStore } from '../store/image-store.ts'
import type { Unfinished } from '../../objects/unfinished.ts'
import {
  accountsWithDueImages,
  hostsDue,
  hostsForget,
  hostsOfNewImages,
  hostsOfOldestDue,
  slotsInsert,
  slotsTake,
  type Slot,
} from './claims.sql.ts'
import type { Room } from './room.ts'
import { runHost, type RunOptions } from './run.ts'
import { must } from '../../platform/must.ts'

export interface MirrorOptions {
  db: Db
  wake: Wake
  log: Log
  outbound: Outbound
  store: ImageStore
  decoders: Decoders
  /** Makes paths for files that are being fetched. */
  unfinished: Unfinished
  /** Requests per second to one host; LIMITS.mirrorPerSecondMax when left out. */
  perSecond?: number
  room: Room
}

/** The longest delay of a new picture whose host and this process are idle. */
const IDLE_MS = 1_000
const FORGET_HOSTS_MS = 3_600_000
const KNOWN_HOSTS_MS = 3_600_000

/**
 * The loop that fetches pictures; any number of processes may run one. Accounts take turns, the one that has waited longest first,
 * and each turn takes a few hosts. A run holds one of its host's slots, which all accounts and processes share. All waiting work
 * is in the database; a process only knows what it is fetching.
 */
export class Mirror implements Loop {
  readonly metrics: readonly Metric[]
  readonly #db: Db
  readonly #wake: Wake
  readonly #log: Log
  readonly #slots: number
  readonly #room: Room
  readonly #metrics: ReturnType<typeof openMetrics>
  readonly #ending = new AbortController()
  /** Runs in progress, with their accounts and the means to end them. */
  readonly #running = new Map<Promise<void>, { accountId: number; ending: AbortController }>()
  readonly #unsubscribe: () => void
  /** The number of each account's last turn. */
  readonly #turns = new Map<number, number>()
  /** The host after which an account's next turn begins. */
  readonly #cursors = new Map<number, string>()
  readonly #knownHosts = new LRUCache<string, true>({ ...entriesMax(10_000), ttl: KNOWN_HOSTS_MS })
  #turn = 0
  #forgotAt = performance.now()
  readonly #run: RunOptions
  readonly #loop: Loop

  constructor(options: MirrorOptions) {
    const { db, wake, log, room } = options
    this.#db = db
    this.#wake = wake
    this.#log = log
    this.#room = room
    const perSecond = options.perSecond ?? LIMITS.mirrorPerSecondMax
    this.#slots = Math.min(
      LIMITS.mirrorSlotsMax,
      Math.max(LIMITS.mirrorSlotsMin, Math.ceil(perSecond / LIMITS.mirrorPerSlotSecond)),
    )
    this.#metrics = openMetrics(() => room.used())
    this.#run = {
      db,
      outbound: options.outbound,
      store: options.store,
      decoders: options.decoders,
      unfinished: options.unfinished,
      perSecond,
      slots: this.#slots,
      hasRoom: (bytes) => room.has(bytes),
      onStored: (bytes) => room.take(bytes),
      usedBytes: () => room.used(),
      onFetched: (outcome, ms) => {
        this.#metrics.fetches.inc({ outcome })
        this.#metrics.duration.observe(ms / 1_000)
      },
      onTrouble: (error) =>
        this.#log.warn({ err: error }, 'a picture could not be inspected or stored; it is tried again later'),
    }
    this.#loop = startLoop({
      name: 'mirror',
      log,
      idleMs: IDLE_MS,
      step: () => this.#step(),
    })
    this.#unsubscribe = db.resting.onRest((resting) => {
      for (const { accountId, ending } of this.#running.values()) if (accountId === resting) ending.abort()
    })
    this.metrics = [this.#metrics.fetches, this.#metrics.duration, this.#metrics.stored]
  }

  poke(): void {
    this.#loop.poke()
  }

  ageMs(): number {
    return this.#loop.ageMs()
  }

  async stop(): Promise<void> {
    this.#ending.abort()
    this.#unsubscribe()
    await this.#loop.stop()
    await Promise.all(this.#running.keys())
  }

  /** Gives turns to the accounts that have waited longest. */
  async #step(): Promise<'idle' | 'more'> {
    if (performance.now() - this.#forgotAt > FORGET_HOSTS_MS) {
      this.#forgotAt = performance.now()
      await inTransaction(this.#db, (tx) => hostsForget(tx, LIMITS.mirrorHostDaysMax))
    }
    if (this.#running.size >= LIMITS.mirrorRunsMax) return 'idle'
    await this.#room.refresh()
    const due = await this.#db.nodes.scan('pictures', (accounts) => accountsWithDueImages(this.#db, accounts))
    const waiting = due.rows.toSorted((a, b) => (this.#turns.get(a) ?? 0) - (this.#turns.get(b) ?? 0) || a - b)
    let begun = 0
    for (const accountId of waiting) {
      if (this.#running.size >= LIMITS.mirrorRunsMax || this.#ending.signal.aborted) break
      if (this.#db.resting.has(accountId)) continue
      const done = await this.#db.nodes.unlessAway(accountId, () => this.#turnOf(accountId))
      if (done === undefined) continue
      if (done > 0) this.#turns.set(accountId, ++this.#turn)
      begun += done
    }
    if (due.isWhole && due.rows.length === 0) this.#turns.clear()
    return begun > 0 ? 'more' : 'idle'
  }

  #begin(accountId: number, slot: Slot) {
    const ending = new AbortController()
    const signal = AbortSignal.any([this.#ending.signal, ending.signal])
    const working = runHost(this.#run, accountId, slot, signal)
      .then(
        (isMarked) => {
          if (isMarked) this.#wake.notify('mark', accountId)
        },
        (error: unknown) =>
          this.#log.warn(
            { err: asError(error), accountId, host: slot.host },
            'pictures could not be fetched or recorded',
          ),
      )
      .finally(() => {
        this.#running.delete(working)
        this.#loop.poke()
      })
    this.#running.set(working, { accountId, ending })
  }

  /** Begins runs of an account. @returns how many */
  async #turnOf(accountId: number): Promise<number> {
    const most = Math.min(LIMITS.mirrorRunsPerTurn, LIMITS.mirrorRunsMax - this.#running.size)
    // new pictures first, independently of the position among the others
    const fresh = await hostsOfNewImages(this.#db, accountId, LIMITS.mirrorHostsLooked)
    const first = fresh.length === 0 ? [] : await this.#takeSlots(fresh, most)
    for (const slot of first) this.#begin(accountId, slot)
    const limit = most - first.length
    if (limit === 0) return first.length
    const oldest = await hostsOfOldestDue(this.#db, accountId, LIMITS.mirrorDueLooked)
    // the oldest may all be of a few paused hosts, so each turn also walks over a part of all hosts
    const walked = oldest.isAll ? [] : await this.#walk(accountId)
    const hosts = [...new Set([...walked, ...oldest.hosts])]
    const taken = hosts.length === 0 ? [] : await this.#takeSlots(hosts, limit)
    if (!oldest.isAll && taken.length === limit) {
      // the next turn begins after the last host of which a run was begun
      const last = walked.findLast((host) => taken.some((slot) => slot.host === host))
      if (taken.every(({ host }) => walked.includes(host)) && last !== undefined) this.#cursors.set(accountId, last)
    }
    for (const slot of taken) this.#begin(accountId, slot)
    return first.length + taken.length
  }

  /** The next hosts of an account with due pictures, from the position of its last turn. */
  async #walk(accountId: number): Promise<string[]> {
    const looked = await hostsDue(this.#db, accountId, this.#cursors.get(accountId) ?? '', LIMITS.mirrorHostsLooked)
    if (looked.length < LIMITS.mirrorHostsLooked) this.#cursors.delete(accountId)
    else this.#cursors.set(accountId, must(looked.at(-1)).host)
    return looked.filter(({ isDue }) => isDue).map(({ host }) => host)
  }

  #takeSlots(hosts: readonly string[], limit: number) {
    return inTransaction(this.#db, async (tx) => {
      const unknown = hosts.filter((host) => this.#knownHosts.get(host) === undefined)
      if (unknown.length > 0) await slotsInsert(tx, unknown, this.#slots)
      for (const host of unknown) this.#knownHosts.set(host, true)
      return slotsTake(tx, hosts, this.#slots, randomUUID(), LIMITS.mirrorLeaseMs, limit)
    })
  }
}

export const startMirror = (options: MirrorOptions): Mirror => new Mirror(options)

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
