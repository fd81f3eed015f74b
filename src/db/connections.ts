import pg from 'pg'
import { cut, type Hosts } from './hosts.ts'

export interface PoolCounts {
  inUse: number
  idle: number
  waiting: number
  max: number
}

/** The connections of a pool: which may be used, and which have to be replaced. */
export interface Connections {
  take(): Promise<pg.PoolClient>
  give(client: pg.PoolClient, isUseless: boolean): void
  /** After a refusal to write: a new connection may lead to the new primary, and all others lead to the old one. */
  replaceAll(): void
  /** Replaces those that nobody uses now, and the others when they are given back. */
  replaceIdle(): Promise<void>
  /** Whether its server reported a commit that may be missing on the standby. */
  isUnreplicated(client: pg.PoolClient): boolean
  /** How many are open and used, and how many statements and transactions wait for one. */
  counts(): PoolCounts
  /** Resolves when all have been given back and are closed. */
  end(): Promise<void>
  cutInUse(): void
}

const IDLE_MS = 60_000
/** So long after a refusal to write, another one does not replace connections again: a server may be read-only on purpose. */
const REPLACE_PAUSE_MS = 5_000

const ignore = () => {}

/** Opens a pool. No connection is made before one is taken. */
export function openConnections(config: pg.ClientConfig, hosts: Hosts, connectionsMax: number): Connections {
  // the deadlines of answers limit the time of the pool's statements
  const pool = new pg.Pool({
    ...config,
    query_timeout: 0,
    Client: hosts.Client,
    max: connectionsMax,
    idleTimeoutMillis: IDLE_MS,
  })
  // An idle connection that dies is removed from the pool, and nothing else is needed; on one in use, the statements fail.
  pool.on('error', ignore)
  const open = new Set<pg.PoolClient>()
  const inUse = new Set<pg.PoolClient>()
  const unreplicated = new WeakSet<pg.PoolClient>()
  /** Connections that must not be used again, including closed ones that the pool does not know of yet. */
  const outdated = new WeakSet<pg.PoolClient>()
  pool.on('connect', (client) => {
    open.add(client)
    client.on('notice', (notice) => {
      // by the name of the server's function: the text is in the server's language
      if (notice.routine === 'SyncRepWaitForLSN') unreplicated.add(client)
    })
  })
  pool.on('remove', (client) => open.delete(client))
  // The former primary is gone or must not be asked any more, also by what is waiting for its answer.
  hosts.onMoved((isElsewhere) => {
    for (const client of open) {
      if (!isElsewhere(client)) continue
      outdated.add(client)
      cut(client)
    }
  })
  const take = async () => {
    for (;;) {
      const client = await hosts.attempt(() => pool.connect())
      inUse.add(client)
      if (!outdated.has(client)) return client
      give(client, true)
    }
  }
  const give = (client: pg.PoolClient, isUseless: boolean) => {
    inUse.delete(client)
    // a server that is gone would keep the pool waiting for the end of the connection
    if (isUseless) cut(client)
    client.release(isUseless || outdated.has(client) || unreplicated.has(client))
  }
  let replacedAt = -Infinity
  return {
    take,
    give,
    replaceAll() {
      if (performance.now() - replacedAt < REPLACE_PAUSE_MS) return
      replacedAt = performance.now()
      for (const client of open) {
        outdated.add(client)
        if (!inUse.has(client)) cut(client)
      }
    },
    async replaceIdle() {
      // what is used at this moment was opened before as well: nobody gets it after that
      for (const client of inUse) outdated.add(client)
      for (let left = pool.idleCount; left > 0; left--) give(await take(), true)
    },
    isUnreplicated: (client) => unreplicated.has(client),
    counts: () => ({
      inUse: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      // those for which there is an idle one get it in a moment
      waiting: Math.max(0, pool.waitingCount - pool.idleCount),
      max: connectionsMax,
    }),
    end: () => pool.end(),
    cutInUse() {
      for (const client of inUse) cut(client)
    },
  }
}
