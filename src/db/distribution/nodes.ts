import { accountUnavailable, isNodeAway } from '../connections/connection-errors.ts'
import { shardHash } from './shard-hash.ts'
import { must } from '../../platform/must.ts'

// The nodes behind the coordinator of a Citus cluster, one of which may be unreachable while the others work. On plain PostgreSQL
// there are none, and this file sends no statement: everything here begins with an error that only a coordinator reports.
// docs/decisions/082-a-node-that-is-away.md says why.

/** The result of a scan over all accounts. */
export interface Scanned<Row> {
  rows: readonly Row[]
  /** Whether all accounts were covered. False while a node is unreachable: then only a part of the other nodes' accounts was. */
  isWhole: boolean
  /** Whether the last account was reached; the next scan of this name begins with the first one. */
  isEnd: boolean
}

export interface ScanOptions {
  /** The number of accounts in a part. */
  part?: number
  /** False: every scan begins with the first account, and at once; for metrics, whose values must not come and go. */
  isRotating?: boolean
}

/** How to query the coordinator. */
export interface Coordinator {
  /** Sends a statement on a connection of the pool. */
  ask: Ask
  /**
   * Sends it on a connection opened for it. Connections of the pool have connections to the nodes, which are broken after a node has
   * returned, and may all be waiting for a node that has vanished.
   */
  askApart: Ask
}

type Ask = (text: string, values: readonly number[]) => Promise<readonly object[]>

/** The shortest time between two checks caused by failed statements, and before the first check of an unreachable node. */
const LOOK_MS = 1_000
/** An unreachable node is checked at growing intervals up to this. */
const LOOK_MS_MAX = 5_000
/** The number of accounts in a part of a scan. */
const PART_ACCOUNTS = 5_000
/** A scan continues with further parts until it has found something, or for this long. */
const PARTS_MS = 100
/** It then pauses for this many times its duration, so that it takes at most a tenth of the time, and at least for the time below. */
const REST_TIMES = 9
const REST_MS_MIN = 250

/** Makes the coordinator connect to every node, which takes up to `citus.node_connection_timeout` for a host that has vanished. */
const NODES_TEXT = `
  select n.groupid as "groupId", n.nodename || ':' || n.nodeport as name, citus_check_connection_to_node(n.nodename, n.nodeport) as answers,
    worker_hash($1::bigint) as hash
  from pg_dist_node n where n.noderole = 'primary' and n.isactive order by n.groupid`
const SHARDS_TEXT = `
  select s.shardminvalue::int as first, s.shardmaxvalue::int as last, p.groupid as "groupId"
  from pg_dist_shard s join pg_dist_placement p on p.shardid = s.shardid
  where s.logicalrelid = to_regclass('product') and s.shardminvalue is not null`
const ACCOUNTS_TEXT = 'select account_id as "accountId" from account where account_id > $1 order by account_id limit $2'

interface NodeState {
  groupId: number
  name: string
  answers: boolean
  hash: number
}

/** Hashes from `first` to `last`, inclusive, are on the nodes of this group. */
interface Shard {
  first: number
  last: number
  groupId: number
}

interface Away {
  names: readonly string[]
  shards: readonly Shard[]
}

const namesOf = (away: Away | null) => away?.names.join() ?? ''

/** A value for comparing our hash with the server's. */
const HASHED = 1_234_567_890_123

/** Which nodes are unreachable, as far as this process knows. */
export class Nodes {
  readonly #ask: Ask
  readonly #askApart: Ask
  readonly #now: () => number
  #away: Away | null = null
  #lookMs = LOOK_MS
  #nextLookAt = 0
  #looking: Promise<void> | undefined
  #lookBeganAt = -Infinity
  #places = new Map<string, { after: number; pausedUntil: number }>()
  readonly #listeners: ((names: readonly string[]) => void)[] = []

  /** @param now milliseconds. */
  constructor({ ask, askApart }: Coordinator, now: () => number = () => performance.now()) {
    this.#ask = ask
    this.#askApart = askApart
    this.#now = now
  }

  /** `host:port` of the nodes known to be unreachable. */
  away(): readonly string[] {
    this.#lookWhenDue()
    return this.#away?.names ?? []
  }

  /** Whether an account is on a node known to be unreachable. */
  isAway(accountId: number): boolean {
    if (this.#away === null) return false
    this.#lookWhenDue()
    const hash = shardHash(accountId)
    return this.#away.shards.some(({ first, last }) => first <= hash && hash <= last)
  }

  /**
   * Refuses work without taking a connection. @throws ShelfwireError database-unavailable for an account on a node known to be
   * unreachable
   */
  requirePresent(accountId: number): void {
    if (this.isAway(accountId)) throw accountUnavailable()
  }

  /** To be called with the error of each failed statement. */
  note(error: unknown): void {
    if (isNodeAway(error) && this.#looking === undefined && this.#now() - this.#lookBeganAt >= LOOK_MS)
      void this.#look()
  }

  /**
   * Runs a loop's work on one account. @returns undefined if the account's node is unreachable; nothing has to be retried then,
   * because once the node is back, a scan finds the work. Throws all other errors.
   */
  async unlessAway<T>(accountId: number, work: () => Promise<T>): Promise<T | undefined> {
    if (this.isAway(accountId)) return undefined
    const beganAt = this.#now()
    try {
      return await work()
    } catch (error) {
      if (!isNodeAway(error)) throw error
      await this.#lookSince(beganAt)
      if (this.isAway(accountId)) return undefined
      throw error
    }
  }

  /**
   * Runs a scan over all accounts: as one statement (`read(null)`) or, while a node is unreachable, over parts of the other nodes'
   * accounts, in rotation, for a bounded share of the time.
   * @param name of the scan; each has a rotation of its own.
   * @param read scans these accounts; null: all.
   */
  async scan<Row>(
    name: string,
    read: (accounts: readonly number[] | null) => Promise<readonly Row[]>,
    options: ScanOptions = {},
  ): Promise<Scanned<Row>> {
    const beganAt = this.#now()
    this.#lookWhenDue()
    const known = this.#away
    try {
      if (known === null) return { rows: await read(null), isWhole: true, isEnd: true }
      return await this.#scanParts(name, read, options)
    } catch (error) {
      if (!isNodeAway(error)) throw error
      await this.#lookSince(beganAt)
      // no newly found node explains it, so the loop must wait before it tries again
      if (namesOf(this.#away) === namesOf(known)) throw error
      return { rows: [], isWhole: false, isEnd: false }
    }
  }

  /** Calls back whenever the set of unreachable nodes changes. */
  onChange(listener: (away: readonly string[]) => void): void {
    this.#listeners.push(listener)
  }

  #look() {
    if (this.#looking !== undefined) return this.#looking
    this.#lookBeganAt = this.#now()
    this.#looking = this.#lookOnce()
      // the coordinator itself is unreachable, so nothing is known of its nodes
      .catch(() => {})
      .finally(() => {
        this.#looking = undefined
        this.#nextLookAt = this.#now() + this.#lookMs
      })
    return this.#looking
  }

  async #lookOnce() {
    const nodes = (await this.#askApart(NODES_TEXT, [HASHED])) as readonly NodeState[]
    const silent = nodes.filter((node) => !node.answers)
    // with another hash, accounts cannot be assigned to nodes; errors are then handled one by one
    if (silent.length === 0 || nodes.some(({ hash }) => hash !== shardHash(HASHED))) {
      this.#set(null)
      return
    }
    const shards = (await this.#ask(SHARDS_TEXT, [])) as readonly Shard[]
    const groups = new Set(silent.map((node) => node.groupId))
    this.#set({ names: silent.map((node) => node.name), shards: shards.filter(({ groupId }) => groups.has(groupId)) })
  }

  #set(found: Away | null) {
    const isSame = namesOf(found) === namesOf(this.#away)
    this.#away = found
    if (found === null) this.#places = new Map()
    if (isSame) {
      this.#lookMs = Math.min(LOOK_MS_MAX, this.#lookMs * 2)
      return
    }
    this.#lookMs = LOOK_MS
    for (const listener of this.#listeners) listener(found?.names ?? [])
  }

  /** Resolves when a check has ended that began after this time. */
  async #lookSince(time: number) {
    await this.#looking
    // a check that another caller began meanwhile is as good
    if (this.#lookBeganAt < time || this.#looking !== undefined) await this.#look()
  }

  /** While a node is unreachable, starts a check if one is due, without waiting for it. */
  #lookWhenDue() {
    if (this.#away !== null && this.#looking === undefined && this.#now() >= this.#nextLookAt) void this.#look()
  }

  async #scanParts<Row>(
    name: string,
    read: (accounts: readonly number[]) => Promise<readonly Row[]>,
    { part = PART_ACCOUNTS, isRotating = true }: ScanOptions,
  ): Promise<Scanned<Row>> {
    const place = (isRotating ? this.#places.get(name) : undefined) ?? { after: 0, pausedUntil: 0 }
    if (this.#now() < place.pausedUntil) return { rows: [], isWhole: false, isEnd: false }
    // a concurrent scan of the same name finds nothing to do
    if (isRotating) this.#places.set(name, { ...place, pausedUntil: Infinity })
    const beganAt = this.#now()
    let { after } = place
    let found: readonly Row[] = []
    try {
      do {
        const accounts = (await this.#ask(ACCOUNTS_TEXT, [after, part])) as readonly { accountId: number }[]
        const present = accounts.map(({ accountId }) => accountId).filter((accountId) => !this.isAway(accountId))
        if (present.length > 0) found = await read(present)
        after = accounts.length < part ? 0 : must(accounts.at(-1)).accountId
      } while (found.length === 0 && after > 0 && this.#now() - beganAt < PARTS_MS)
    } finally {
      const tookMs = this.#now() - beganAt
      if (isRotating)
        this.#places.set(name, { after, pausedUntil: this.#now() + Math.max(REST_MS_MIN, REST_TIMES * tookMs) })
    }
    return { rows: found, isWhole: false, isEnd: after === 0 }
  }
}
