import type pg from 'pg'
import { asError } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import { must } from '../../platform/must.ts'
import { inTime } from '../../platform/time/in-time.ts'
import { openAnswerDeadlines, type AnswerDeadlines } from '../connections/answer-deadlines.ts'
import type { Run } from '../statements/template.ts'
import type { Near } from './near.ts'
import { END_MS, NODE_ANSWER_MS, NodeConnections, RETRY_MS, type NodeOptions } from './node-connections.ts'
import { nodeUrl } from './node-url.ts'
import { nameOf, readPlacements, readIdentities, type Ask, type PlacedNode, type Placements } from './placements.ts'
import { accountOfAll, nearTextOf, shardTextOf, type NearText } from './shard-texts.ts'

// On a Citus cluster, each statement passes through the coordinator, which plans and forwards it, and the node plans it again: reading one
// product takes five times as long as on a plain server. Clients' reads are therefore sent to the node that has the account. If that is not
// possible, or finds nothing, they go through the coordinator like everything else. docs/decisions/263-reads-are-asked-at-the-node.md says why,
// and what is guaranteed.

/** After this time, the next read causes the placements of shards to be read again. */
const LOOK_MS = 5_000
/** Placements older than this are not used, because a node may have been replaced. */
const KNOWN_MS = 10_000
/** The longest interval between attempts to reach a node; intervals grow up to it. */
const RETRY_MS_MAX = 60_000
const TRIM_MS = 30_000

export interface NearOptions {
  /** The coordinator's URL, bypassing a pooler. Nodes are reached with its role, password, database and parameters. */
  url: string
  config: pg.ClientConfig
  /** Per node; 0: everything goes through the coordinator. */
  connectionsMax: number
  /** Sends a statement to the coordinator on a connection opened for it. */
  askApart: Ask
  onStatement(text: string, values: readonly unknown[]): void
  /** Connects to a node; replaced in tests. */
  openNode?: (options: NodeOptions) => NodeConnections
  /** Milliseconds. */
  now?: () => number
}

interface Node {
  connections: NodeConnections | null
  retryAt: number
  retryMs: number
  /** Why it is not used; null: it is used. */
  fault: string | null
}

/** Texts by shard of the first table and node group. */
type ShardTexts = Map<string, string>

export class NearReads implements Near {
  readonly answered = { node: 0, coordinator: 0 }
  readonly #options: NearOptions
  readonly #now: () => number
  readonly #texts = new Map<string, { near: NearText | null; shards: ShardTexts }>()
  readonly #nodes = new Map<string, Node>()
  #log: Log | undefined
  #deadlines: AnswerDeadlines | undefined
  #trimming: NodeJS.Timeout | undefined
  #placements: Placements | undefined
  #knownAt = -Infinity
  #lookedAt = -Infinity
  #looking: Promise<void> | undefined
  #opening: Promise<void> | undefined
  #loggedNodes = ''
  #isEnded = false

  constructor(options: NearOptions) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
  }

  begin(log: Log): void {
    if (this.#options.connectionsMax === 0 || this.#log !== undefined || this.#isEnded) return
    this.#log = log
    this.#deadlines = openAnswerDeadlines(NODE_ANSWER_MS)
    this.#trimming = setInterval(() => {
      for (const { connections } of this.#nodes.values()) connections?.trim()
    }, TRIM_MS).unref()
  }

  /** Sends statements to the node of their account if possible; `run` sends all others, and those that the node does not answer. */
  orElse(run: Run): Run {
    const first: Run = async (text, values, isNamed) =>
      (await this.#askNode(text, values)) ?? run(text, values, isNamed)
    // on plain PostgreSQL without an additional promise
    return (text, values, isNamed) =>
      this.#log === undefined || !isNamed ? run(text, values, isNamed) : first(text, values, isNamed)
  }

  connections(): number {
    return [...this.#nodes.values()].reduce((sum, { connections }) => sum + (connections?.count() ?? 0), 0)
  }

  async end(): Promise<void> {
    this.#isEnded = true
    this.#log = undefined
    clearInterval(this.#trimming)
    // a coordinator or a node that does not answer must not keep a process from ending
    await inTime(Promise.all([this.#looking, this.#opening]), END_MS, null)
    await Promise.all([...this.#nodes.values()].flatMap(({ connections }) => connections?.close() ?? []))
    this.#deadlines?.stop()
  }

  async #askNode(text: string, values: unknown[] | undefined): Promise<pg.QueryResult | undefined> {
    let known = this.#texts.get(text)
    if (known === undefined) this.#texts.set(text, (known = { near: nearTextOf(text), shards: new Map() }))
    const { near, shards } = known
    const accountId = near === null ? undefined : accountOfAll(near, values)
    if (near === null || accountId === undefined) return undefined
    const answer = await this.#askNodeOf(accountId, near, shards, values)
    // no rows: either the shard has left the node, or there are none, and only the coordinator knows which
    const isAnswered = answer !== undefined && answer.rows.length > 0
    this.answered[isAnswered ? 'node' : 'coordinator']++
    return isAnswered ? answer : undefined
  }

  #askNodeOf(
    accountId: number,
    near: NearText,
    shards: ShardTexts,
    values: unknown[] | undefined,
  ): Promise<pg.QueryResult | undefined> | undefined {
    const now = this.#now()
    if (now - this.#lookedAt > LOOK_MS) this.#look()
    if (now - this.#knownAt > KNOWN_MS) return undefined
    const place = this.#placements?.of(accountId)
    if (place === undefined) return undefined
    const connections = this.#nodes.get(nameOf(place.node))?.connections
    if (connections === undefined || connections === null) return undefined
    const { groupId } = place.node
    const key = `${place.shards.get(near.tables[0]?.name ?? '')} ${groupId}`
    let text = shards.get(key)
    if (text === undefined) {
      text = shardTextOf(near, (table) => place.shards.get(table) ?? 0, groupId)
      shards.set(key, text)
    }
    this.#options.onStatement(text, values ?? [])
    return connections.ask(text, values)
  }

  #look(): void {
    if (this.#looking !== undefined || this.#isEnded) return
    const beganAt = this.#now()
    this.#lookedAt = beganAt
    this.#looking = readPlacements(this.#options.askApart)
      .then((placements) => {
        this.#placements = placements
        this.#knownAt = beganAt
        this.#prepare(placements.nodes())
      })
      // the coordinator is unreachable: the known placements expire
      .catch(() => {})
      .finally(() => (this.#looking = undefined))
  }

  /** Opens connections to nodes that are new or due for another attempt, and closes those to nodes that are gone. */
  #prepare(placed: readonly PlacedNode[]): void {
    const names = new Set(placed.map(nameOf))
    for (const [name, { connections }] of this.#nodes)
      if (!names.has(name)) {
        void connections?.close()
        this.#nodes.delete(name)
      }
    const now = this.#now()
    const due = placed.filter((node) => {
      const known = this.#nodes.get(nameOf(node))
      return known === undefined || (known.connections === null && known.retryAt <= now)
    })
    if (due.length === 0 || this.#opening !== undefined || this.#isEnded) return
    this.#opening = this.#open(due)
      .catch(() => {})
      .finally(() => (this.#opening = undefined))
  }

  async #open(placed: readonly PlacedNode[]): Promise<void> {
    const identities = await readIdentities(this.#options.askApart).catch(asError)
    await Promise.all(placed.map((place) => this.#openNode(place, identities)))
    this.#logUsedNodes()
  }

  /** @param identities the result of readIdentities, or its error */
  async #openNode(place: PlacedNode, identities: ReadonlyMap<number, string> | Error): Promise<void> {
    const name = nameOf(place)
    const node = this.#nodes.get(name) ?? { connections: null, retryAt: 0, retryMs: RETRY_MS, fault: null }
    this.#nodes.set(name, node)
    let opened: NodeConnections | undefined
    let isLost = false
    // pending statements all fail together, which must double the pause only once
    const lost = (error: unknown) => {
      if (!isLost) this.#lose(node, opened, error)
      isLost = true
    }
    try {
      if (identities instanceof Error) throw identities
      const identity = identities.get(place.nodeId)
      if (identity === undefined) throw new Error('the coordinator does not reach it')
      const { openNode = (options: NodeOptions) => new NodeConnections(options) } = this.#options
      opened = openNode({
        url: nodeUrl(this.#options.url, place.host, place.port),
        config: this.#options.config,
        connectionsMax: this.#options.connectionsMax,
        identity,
        deadlines: must(this.#deadlines),
        onLost: lost,
      })
      await opened.open()
      if (this.#isEnded || this.#nodes.get(name) !== node) void opened.close()
      else Object.assign(node, { connections: opened, retryMs: RETRY_MS, fault: null })
    } catch (error) {
      lost(error)
    }
  }

  /** Stops using a node: closes its connections. Before it is used again, its identity is checked. */
  #lose(node: Node, connections: NodeConnections | undefined, error: unknown): void {
    connections?.abandon()
    if (node.connections !== null && node.connections !== connections) return
    node.connections = null
    node.fault = asError(error).message
    node.retryAt = this.#now() + node.retryMs
    node.retryMs = Math.min(RETRY_MS_MAX, 2 * node.retryMs)
  }

  /** Logs which nodes are used, whenever that changes. */
  #logUsedNodes(): void {
    const faults = [...this.#nodes].filter(([, { fault }]) => fault !== null)
    const used = [...this.#nodes.keys()].filter((name) => this.#nodes.get(name)?.fault === null)
    const usage = `${used.join()} ${faults.map(([name]) => name).join()}`
    if (usage === this.#loggedNodes) return
    this.#loggedNodes = usage
    if (used.length > 0) this.#log?.info({ nodes: used }, 'what clients read is asked at the nodes of the database')
    if (faults.length > 0)
      this.#log?.warn(
        { nodes: faults.map(([name, { fault }]) => ({ name, fault })) },
        'nodes of the database cannot be asked directly; what their clients read goes through the coordinator',
      )
  }
}
