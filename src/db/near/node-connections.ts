import type pg from 'pg'
import { inTime } from '../../platform/time/in-time.ts'
import type { AnswerDeadlines } from '../answer-deadlines.ts'
import { ConnectionLost, failureOf, isConnectionError } from '../connection-errors.ts'
import { cut, openHosts, type Hosts } from '../hosts.ts'
import { forgetName, isStalePlan, nameOf as statementName } from '../prepared-names.ts'
import { IDENTITY_HERE_TEXT } from './placements.ts'

/** Statements of reads take milliseconds: one that takes longer than this is asked at the coordinator instead. */
const STATEMENT_TIMEOUT_MS = 5_000
/** A little longer than the server takes to report it. */
export const NODE_ANSWER_MS = 6_000
const CONNECT_TIMEOUT_MS = 3_000
const IDLE_MS = 60_000
/** What could not be opened is tried again after this time. */
export const RETRY_MS = 1_000
/** How long an end waits for a server that may have vanished: TCP gives up after a quarter of an hour. */
export const END_MS = 1_000

export interface NodeOptions {
  /** Of the node. */
  url: string
  /** As for connections to the coordinator. */
  config: pg.ClientConfig
  connectionsMax: number
  /** Which server and database it is, as the coordinator reaches it (placements.ts). */
  identity: string
  deadlines: AnswerDeadlines
  /** A connection was lost, none could be opened, another server answers at the address, or a statement took too long. */
  onLost(error: unknown): void
}

/** Connections to one node. Nobody waits for one: what finds none free is asked at the coordinator. */
export class NodeConnections {
  readonly #options: NodeOptions
  readonly #hosts: Hosts
  /** Those that are free, the one that was used last at the end. */
  #free: { client: pg.Client; since: number }[] = []
  /** Also those that are being opened. */
  readonly #all = new Set<pg.Client>()
  #opening = 0
  /** Before, no further one is opened beside others. */
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
   * Opens one more.
   * @throws ConnectionLost where another server answers at its address than the coordinator reaches there
   */
  async open(): Promise<void> {
    const client = new this.#hosts.Client({
      ...this.#options.config,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      // the deadlines of answers limit the time of statements
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

  /** Sends a statement. @returns undefined where it is to be asked at the coordinator: none is free, or it failed. */
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
      // one that takes too long would be asked twice as much if it went on like this
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

  /** Opens one more, if there is room, while what found none free is asked elsewhere. */
  #openBeside(): void {
    if (this.#isClosed || this.#all.size >= this.#options.connectionsMax || performance.now() < this.#retryAt) return
    this.open().catch((error: unknown) => {
      const isOtherOpen = this.#all.size > this.#opening
      // a server that has no room for one more still answers the others; one that is not the node means that these are outdated
      if (isOtherOpen && !(error instanceof ConnectionLost)) this.#retryAt = performance.now() + RETRY_MS
      else this.#options.onLost(error)
    })
  }

  /** Closes those that nobody has used for a minute. */
  trim(): void {
    const since = performance.now() - IDLE_MS
    for (const free of this.#free) if (free.since < since) this.#drop(free.client)
  }

  /** Those in use are closed when they are given back. */
  async close(): Promise<void> {
    this.#isClosed = true
    const ending = this.#free.map(({ client }) => client)
    this.#free = []
    await inTime(Promise.all(ending.map((client) => client.end().catch(() => {}))), END_MS, null)
    for (const client of ending) this.#drop(client)
  }

  /** The same at once, without a word to a server that may be gone. */
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
    cut(client)
    this.#remove(client)
  }

  #remove(client: pg.Client): void {
    this.#all.delete(client)
    this.#free = this.#free.filter((free) => free.client !== client)
  }
}
