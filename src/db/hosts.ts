import pg from 'pg'
import { parseDatabaseUrl, type Accepted } from '../platform/settings/database-url.ts'
import { ConnectionLost, isOfHost } from './connection-errors.ts'
import { must } from '../platform/must.ts'

/** How long opening a connection may take: less where another host may have to be asked. */
const CONNECT_MS = 10_000
const CONNECT_MS_OF_SEVERAL = 5_000

/**
 * The hosts of one URL, and which of them was the primary last. node-postgres connects to one host; this chooses it, for the pool
 * and for connections beside it.
 * docs/decisions/080-a-connection-is-one-to-the-primary.md says why.
 */
export interface Hosts {
  /** Connects to the host that is tried next, and refuses one that is not a primary. */
  readonly Client: new (config?: pg.ClientConfig) => pg.Client
  /** Runs `open`, which makes a connection by `Client`, until it succeeds or each host has been tried. */
  attempt<T>(open: () => Promise<T>): Promise<T>
  /** Calls back when the primary is found on another host than before, with a test for clients of other hosts. */
  onMoved(listener: (isElsewhere: (client: pg.ClientBase) => boolean) => void): void
}

/** @throws Error for a URL that is not valid; settings.ts has refused those with a better message. */
export function openHosts(url: string): Hosts {
  const address = parseDatabaseUrl(url)
  if (typeof address === 'string') throw new Error(`the database's URL ${address}`)
  const { urls, accepted } = address
  const listeners: ((isElsewhere: (client: pg.ClientBase) => boolean) => void)[] = []
  const places = new WeakMap<object, number>()
  let next = 0
  let primary: number | undefined

  /** Only the first of those that fail together moves on: the host after it must not be passed over. */
  const leave = (place: number) => {
    if (next === place) next = (place + 1) % urls.length
  }
  const arrive = (place: number) => {
    next = place
    if (primary !== undefined && primary !== place)
      for (const listener of listeners) listener((client) => places.get(client) !== place)
    primary = place
  }

  class Client extends pg.Client {
    constructor(config: pg.ClientConfig = {}) {
      const place = next
      super({
        ...config,
        connectionString: urls[place],
        ...(urls.length > 1 ? { connectionTimeoutMillis: CONNECT_MS_OF_SEVERAL } : {}),
      })
      places.set(this, place)
      // from the beginning: a server may close a connection as soon as it opens, and nobody else may listen yet
      this.on('error', () => {})
    }

    override connect(): Promise<pg.Client>
    override connect(callback: (error: Error | null, client: pg.Client) => void): void
    override connect(callback?: (error: Error | null, client: pg.Client) => void): Promise<pg.Client> | void {
      const connected = this.#connect()
      if (callback === undefined) return connected
      connected.then(
        () => callback(null, this),
        (error: Error) => callback(error, this),
      )
    }

    async #connect(): Promise<pg.Client> {
      const place = must(places.get(this))
      try {
        await super.connect()
        await requireAccepted(this, accepted)
      } catch (error) {
        cut(this)
        leave(place)
        throw error
      }
      arrive(place)
      return this
    }
  }

  return {
    Client,
    async attempt(open) {
      for (let left = urls.length; ; left--) {
        try {
          return await open()
        } catch (error) {
          if (left <= 1 || !isOfHost(error)) throw error
        }
      }
    },
    onMoved: (listener) => void listeners.push(listener),
  }
}

/** @throws ConnectionLost where the server is not what the URL asks for. */
async function requireAccepted(client: pg.Client, accepted: Accepted): Promise<void> {
  if (accepted === 'any') return
  const { rows } = await client.query<{ is_standby: boolean; is_read_only: boolean }>({
    text: `select pg_is_in_recovery() as is_standby, current_setting('transaction_read_only')::boolean as is_read_only`,
    query_timeout: CONNECT_MS,
  } as pg.QueryConfig)
  const [server] = rows
  if (server?.is_standby === true)
    throw new ConnectionLost(`the database at ${client.host}:${client.port} is a standby`)
  if (accepted === 'read-write' && server?.is_read_only === true)
    throw new ConnectionLost(`the database at ${client.host}:${client.port} only reads`)
}

/** Closes a connection at once, without a word to a server that may be gone; what waits on it fails. */
export function cut(client: pg.ClientBase): void {
  ;(client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
}
