import pg from 'pg'
import { destroyConnection, type Hosts } from './hosts.ts'

export interface PoolCounts {
  inUse: number
  idle: number
  waiting: number
  max: number
}

/** The connections of a pool, and which of them have to be replaced. */
export interface Connections {
  take(): Promise<pg.PoolClient>
  give(client: pg.PoolClient, isUseless: boolean): void
  /**
   * To be called after a refused write: a new connection may lead to the new primary, while all others lead to the old one.
   */
  replaceAll(): void
  /** Replaces idle connections now, and the others when they are given back. */
  replaceIdle(): Promise<void>
  /** Whether its server reported a commit that the standby may lack. */
  isUnreplicated(client: pg.PoolClient): boolean
  /** How many connections are open and in use, and how many statements and transactions wait for one. */
  counts(): PoolCounts
  /** Resolves once all connections have been given back and closed. */
  end(): Promise<void>
  cutInUse(): void
}

const IDLE_MS = 60_000
/**
 * For this long after connections were replaced because of a refused write, another refusal does not replace them again: a
 * server may be read-only on purpose.
 */
const REPLACE_PAUSE_MS = 5_000

const ignore = () => {}

/** Opens a pool. The first connection is made when one is taken. */
export function openConnections(config: pg.ClientConfig, hosts: Hosts, connectionsMax: number): Connections {
  // AnswerDeadlines limits the time of the pool's statements
  const pool = new pg.Pool({
    ...config,
    query_timeout: 0,
    Client: hosts.Client,
    max: connectionsMax,
    idleTimeoutMillis: IDLE_MS,
  })
  // the pool removes an idle connection that breaks, so nothing else is needed; on a connection in use, the statements fail
  pool.on('error', ignore)
  const open = new Set<pg.PoolClient>()
  const inUse = new Set<pg.PoolClient>()
  const unreplicated = new WeakSet<pg.PoolClient>()
  /** Connections that must not be used again, including closed ones that the pool has not noticed yet. */
  const outdated = new WeakSet<pg.PoolClient>()
  pool.on('connect', (client) => {
    open.add(client)
    client.on('notice', (notice) => {
      // recognized by the name of the server's function, because the message is in the server's language
      if (notice.routine === 'SyncRepWaitForLSN') unreplicated.add(client)
    })
  })
  pool.on('remove', (client) => open.delete(client))
  // the former primary is gone or must no longer be used, including by statements that wait for its answer
  hosts.onMoved((isElsewhere) => {
    for (const client of open) {
      if (!isElsewhere(client)) continue
      outdated.add(client)
      destroyConnection(client)
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
    // cut first, because the pool would otherwise wait for a lost server to close the connection
    if (isUseless) destroyConnection(client)
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
        if (!inUse.has(client)) destroyConnection(client)
      }
    },
    async replaceIdle() {
      // connections in use are replaced as well, when they are given back
      for (const client of inUse) outdated.add(client)
      for (let left = pool.idleCount; left > 0; left--) give(await take(), true)
    },
    isUnreplicated: (client) => unreplicated.has(client),
    counts: () => ({
      inUse: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      // waiting callers for which there is an idle connection get it in a moment
      waiting: Math.max(0, pool.waitingCount - pool.idleCount),
      max: connectionsMax,
    }),
    end: () => pool.end(),
    cutInUse() {
      for (const client of inUse) destroyConnection(client)
    },
  }
}
