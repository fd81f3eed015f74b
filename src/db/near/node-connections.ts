import type pg from 'pg'
import { inTime } from '../../platform/time/in-time.ts'
import type { AnswerDeadlines } from '../connections/answer-deadlines.ts'
import { ConnectionLost, failureOf, isConnectionError } from '../connections/connection-errors.ts'
import { destroyConnection, openHosts, type Hosts } from '../connections/hosts.ts'
import { forgetName, isStalePlan, nameOf as statementName } from '../statements/prepared-names.ts'
import { IDENTITY_HERE_TEXT } from './placements.ts'

/** Reads take milliseconds: a statement that takes longer than this is sent to the coordinator instead. */
const STATEMENT_TIMEOUT_MS = 5_000
/** Somewhat longer than the server takes to report the timeout. */
export const NODE_ANSWER_MS = 6_000
const CONNECT_TIMEOUT_MS = 3_000
const IDLE_MS = 60_000
/** The pause after a failed attempt to open a connection. */
export const RETRY_MS = 1_000
/** How long closing waits for a server that may have vanished: TCP gives up only after a quarter of an hour. */
export const END_MS = 1_000

export interface NodeOptions {
  /** The node's URL. */
  url: string
  /** The same as for connections to the coordinator. */
  config: pg.ClientConfig
  connectionsMax: number
  /** The node's server and database as the coordinator reaches them (placements.ts). */
  identity: string
  deadlines: AnswerDeadlines
  /** A connection was lost, none could be opened, another server answers at the address, or a statement took too long. */
  onLost(error: unknown): void
}

/** Connections to one node. Nothing waits for one: if none is free, the statement is sent to the coordinator. */
export class NodeConnections {
  readonly #options: NodeOptions
  readonly #hosts: Hosts
  /** Free connections, the most recently used last. */
  #free: { client: pg.Client; since: number }[] = []
  /** All connections, including those being opened. */
  readonly #all = new Set<pg.Client>()
  #opening = 0
  /** Until this time, no further connection is opened beside existing ones. */
  #retryAt = -Infinity
  #isClosed = false

  constructor(options: NodeOptions) {
    this.#options = options
    this.#hosts = openHosts(options.url)
  }

  count(): number {
    return this.#all.size
  }

  /**
   * Opens another connection.
   * @throws ConnectionLost if the server at the address is not the one that the coordinator reaches there
   */
  async open(): Promise<void> {
    const client = new this.#hosts.Client({
      ...this.#options.config,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      // AnswerDeadlines limits the time of statements
      query_timeout: 0,
    })
    this.#all.add(client)
    this.#opening++
    client.on('end', () => this.#remove(client))
    try {
      await client.connect()
      const { rows } = await this.#ask(client, IDENTITY_HERE_TEXT, undefined)
      const [server] = rows as { identity: string; isStandby: boolean }[]
      if (server?.identity !== this.#options.identity || server.isStandby)
        throw new ConnectionLost(
          `at ${client.host}:${client.port} is another server than the coordinator has as its node`,
        )
      await this.#ask(client, 'set default_transaction_read_only = on', undefined)
    } catch (error) {
      this.#drop(client)
      throw error
    } finally {
      this.#opening--
    }
    if (this.#isClosed) this.#drop(client)
    else this.#free.push({ client, since: performance.now() })
  }

  /** Sends a statement. @returns undefined if the coordinator should answer it: no connection is free, or it failed. */
  async ask(text: string, values: unknown[] | undefined): Promise<pg.QueryResult | undefined> {
    const client = this.#free.pop()?.client
    if (client === undefined) {
      this.#openBeside()
      return undefined
    }
    try {
      const answer = await this.#ask(client, text, values)
      this.#give(client)
      return answer
    } catch (error) {
      // statements that take too long here would take twice as long in all if nodes were still tried first
      if (isConnectionError(error) || failureOf(error) === 'cancelled') {
        this.#drop(client)
        this.#options.onLost(error)
      } else {
        if (isStalePlan(error)) forgetName(text)
        this.#give(client)
      }
      return undefined
    }
  }

  /** Opens another connection if there is room, while the statement that found none free is sent to the coordinator. */
  #openBeside(): void {
    if (this.#isClosed || this.#all.size >= this.#options.connectionsMax || performance.now() < this.#retryAt) return
    this.open().catch((error: unknown) => {
      const isOtherOpen = this.#all.size > this.#opening
      // a server without room for another connection still answers the others; but if it is not the node, these are outdated as
      // well
      if (isOtherOpen && !(error instanceof ConnectionLost)) this.#retryAt = performance.now() + RETRY_MS
      else this.#options.onLost(error)
    })
  }

  /** Closes connections that have been unused for a minute. */
  trim(): void {
    const since = performance.now() - IDLE_MS
    for (const free of this.#free) if (free.since < since) this.#drop(free.client)
  }

  /** Connections in use are closed when they are given back. */
  async close(): Promise<void> {
    this.#isClosed = true
    const ending = this.#free.map(({ client }) => client)
    this.#free = []
    await inTime(Promise.all(ending.map((client) => client.end().catch(() => {}))), END_MS, null)
    for (const client of ending) this.#drop(client)
  }

  /** The same at once, without notifying the server, which may be gone. */
  abandon(): void {
    this.#isClosed = true
    for (const { client } of this.#free) this.#drop(client)
  }

  #ask(client: pg.Client, text: string, values: unknown[] | undefined): Promise<pg.QueryResult> {
    const named = values === undefined ? { text } : { text, values, name: statementName(text) }
    return this.#options.deadlines.query(client as unknown as pg.PoolClient, named, NODE_ANSWER_MS)
  }

  #give(client: pg.Client): void {
    if (this.#isClosed) this.#drop(client)
    else if (this.#all.has(client)) this.#free.push({ client, since: performance.now() })
  }

  #drop(client: pg.Client): void {
    destroyConnection(client)
    this.#remove(client)
  }

  #remove(client: pg.Client): void {
    this.#all.delete(client)
    this.#free = this.#free.filter((free) => free.client !== client)
  }
}
