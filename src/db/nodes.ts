import { accountAway, isNodeAway } from './connection-errors.ts'
import { shardHash } from './shard-hash.ts'
import { must } from '../platform/must.ts'

// The nodes behind the coordinator of a Citus cluster. One may be away while the others work. On plain
// PostgreSQL there are none, and nothing here sends a statement: all of it begins with an error that only a
// coordinator reports.
// docs/decisions/082-a-node-that-is-away.md says why.

/** What a scan over all accounts found. */
export interface Scanned<Row> {
  rows: readonly Row[]
  /** Whether all accounts were looked at. False while a node is away: then it was a part of the accounts of the other nodes. */
  isWhole: boolean
  /** Whether the last account was reached; the next scan of this name begins with the first one. */
  isEnd: boolean
}

export interface ScanOptions {
  /** How many accounts a part has. */
  part?: number
  /** False: every scan begins with the first account, and at once; for figures, which must not come and go. */
  isRotating?: boolean
}

/** How the coordinator is asked. */
export interface Coordinator {
  /** Sends a statement on a connection of the pool. */
  ask: Ask
  /**
   * Sends it on a connection that was opened for it: others keep connections to the nodes, which are broken when a node has come back,
   * and may all wait for a node that has vanished.
   */
  askApart: Ask
}

type Ask = (text: string, values: readonly number[]) => Promise<readonly object[]>

/** Least time between two looks that failed statements cause; and until a node that is away is looked for the first time. */
const LOOK_MS = 1_000
/** A node that is away is looked for at growing intervals, at most this one. */
const LOOK_MS_MAX = 5_000
/** Accounts of one part of a scan. */
const PART_ACCOUNTS = 5_000
/** A scan goes on to the next part until it has found something, or for this long. */
const PARTS_MS = 100
/** Then it rests, so that it takes at most a tenth of the time, and for this long at least. */
const REST_TIMES = 9
const REST_MS_MIN = 250

/** Asks every node for a connection, which takes as long as `citus.node_connection_timeout` for a host that has vanished. */
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

/** Hashes from `first` to `last`, both inclusive, are on the nodes of the group. */
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

/** For comparing our hash with the server's. */
const HASHED = 1_234_567_890_123

/** Which nodes are away, as far as this process knows. */
export class Nodes {
  readonly #ask: Ask
  readonly #askApart: Ask
  readonly #now: () => number
  #away: Away | null = null
  #lookMs = LOOK_MS
  #nextLookAt = 0
  #looking: Promise<void> | undefined
  #lookBeganAt = -Infinity
  #places = new Map<string, { after: number; restsUntil: number }>()
  readonly #listeners: ((names: readonly string[]) => void)[] = []

  /** @param now milliseconds. */
  constructor({ ask, askApart }: Coordinator, now: () => number = () => performance.now()) {
    this.#ask = ask
    this.#askApart = askApart
    this.#now = now
  }

  /** `host:port` of those that are known to be away. */
  away(): readonly string[] {
    this.#lookWhenDue()
    return this.#away?.names ?? []
  }

  /** Whether an account is on a node that is known to be away. */
  isAway(accountId: number): boolean {
    if (this.#away === null) return false
    this.#lookWhenDue()
    const hash = shardHash(accountId)
    return this.#away.shards.some(({ first, last }) => first <= hash && hash <= last)
  }

  /** @throws ShelfwireError database-unavailable for an account on a node that is known to be away: it costs no connection then. */
  requirePresent(accountId: number): void {
    if (this.isAway(accountId)) throw accountAway()
  }

  /** Notes what a statement failed with. */
  note(error: unknown): void {
    if (isNodeAway(error) && this.#looking === undefined && this.#now() - this.#lookBeganAt >= LOOK_MS)
      void this.#look()
  }

  /**
   * Does a loop's work on one account. @returns undefined, and nothing is to be tried again, when its node is away: once it is back,
   * a scan finds what there is to do. All other errors are thrown.
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
   * Runs a scan over all accounts: as one statement (`read(null)`) or, while a node is away, over parts of the
   * accounts of the other nodes, in rotation, and for a bounded share of the time.
   * @param name of the scan; each scan has a rotation of its own.
   * @param read runs it over these accounts; null: over all.
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
      // nothing explains it, so that the loop must wait before it tries again
      if (namesOf(this.#away) === namesOf(known)) throw error
      return { rows: [], isWhole: false, isEnd: false }
    }
  }

  /** Calls back whenever other nodes are away than before. */
  onChange(listener: (away: readonly string[]) => void): void {
    this.#listeners.push(listener)
  }

  #look() {
    if (this.#looking !== undefined) return this.#looking
    this.#lookBeganAt = this.#now()
    this.#looking = this.#lookOnce()
      // the coordinator is away itself, and nothing is known of its nodes
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
    // of a server with another hash nothing is known; its errors are treated as they come
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

  /** Resolves when a look has ended that began after this time. */
  async #lookSince(time: number) {
    await this.#looking
    // one that another caller began meanwhile is as good
    if (this.#lookBeganAt < time || this.#looking !== undefined) await this.#look()
  }

  /** While a node is away, each caller starts a look for it, and none waits for it. */
  #lookWhenDue() {
    if (this.#away !== null && this.#looking === undefined && this.#now() >= this.#nextLookAt) void this.#look()
  }

  async #scanParts<Row>(
    name: string,
    read: (accounts: readonly number[]) => Promise<readonly Row[]>,
    { part = PART_ACCOUNTS, isRotating = true }: ScanOptions,
  ): Promise<Scanned<Row>> {
    const place = (isRotating ? this.#places.get(name) : undefined) ?? { after: 0, restsUntil: 0 }
    if (this.#now() < place.restsUntil) return { rows: [], isWhole: false, isEnd: false }
    // another one that begins meanwhile finds nothing to do
    if (isRotating) this.#places.set(name, { ...place, restsUntil: Infinity })
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
        this.#places.set(name, { after, restsUntil: this.#now() + Math.max(REST_MS_MIN, REST_TIMES * tookMs) })
    }
    return { rows: found, isWhole: false, isEnd: after === 0 }
  }
}
