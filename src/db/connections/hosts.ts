import pg from 'pg'
import { parseDatabaseUrl, type Accepted } from '../../platform/settings/database-url.ts'
import { ConnectionLost, isHostFailure } from './connection-errors.ts'
import { must } from '../../platform/must.ts'

/** How long opening a connection may take: shorter if there are other hosts to try. */
const CONNECT_MS = 10_000
const CONNECT_MS_OF_SEVERAL = 5_000

/**
 * The hosts of one URL, and which of them was the primary last. node-postgres connects to a single host, which this chooses, for
 * the pool and for other connections. docs/decisions/080-a-connection-is-one-to-the-primary.md says why.
 */
export interface Hosts {
  /** Connects to the next host to try, and refuses a server that is not a primary. */
  readonly Client: new (config?: pg.ClientConfig) => pg.Client
  /** Runs `open`, which connects by `Client`, until it succeeds or each host has been tried. */
  attempt<T>(open: () => Promise<T>): Promise<T>
  /** Calls back when the primary is found on another host than before, with a test for clients of other hosts. */
  onMoved(listener: (isElsewhere: (client: pg.ClientBase) => boolean) => void): void
}

/** @throws Error for an invalid URL, which settings.ts has already refused with a better message. */
export function openHosts(url: string): Hosts {
  const address = parseDatabaseUrl(url)
  if (typeof address === 'string') throw new Error(`the database's URL ${address}`)
  const { urls, accepted } = address
  const listeners: ((isElsewhere: (client: pg.ClientBase) => boolean) => void)[] = []
  const places = new WeakMap<object, number>()
  let next = 0
  let primary: number | undefined

  /**
   * Moves on to the next host. Of several that fail together only the first does so, because otherwise a host would be skipped.
   */
  const tryNextHost = (place: number) => {
    if (next === place) next = (place + 1) % urls.length
  }
  const markConnected = (place: number) => {
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
      // from the beginning, because a server may close a connection as soon as it opens, before anyone else listens
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
        destroyConnection(this)
        tryNextHost(place)
        throw error
      }
      markConnected(place)
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
          if (left <= 1 || !isHostFailure(error)) throw error
        }
      }
    },
    onMoved: (listener) => void listeners.push(listener),
  }
}

/** @throws ConnectionLost if the server is not of the kind that the URL asks for. */
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

/** Closes a connection at once without notifying the server, which may be gone. Pending statements fail. */
export function destroyConnection(client: pg.ClientBase): void {
  ;(client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
}
