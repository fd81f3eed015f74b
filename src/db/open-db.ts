import type pg from 'pg'
import { openAccountTurns } from './statements/account-turns.ts'
import { askOnce } from './connections/ask-once.ts'
import { openConnections, type Connections } from './connections/connections.ts'
import { openHosts } from './connections/hosts.ts'
import { openListener } from './connections/listener.ts'
import { NearReads } from './near/near-reads.ts'
import { Nodes } from './distribution/nodes.ts'
import { openPresence } from './connections/presence.ts'
import { Resting } from './connections/resting.ts'
import { RESULT_VALUES } from './statements/result-values.ts'
import { sessionOptions } from './connections/session-options.ts'
import { inTransaction, type Db, type Tx } from './sql.ts'
import { Statements } from './statements/statements.ts'
import { readerOf } from './statements/template.ts'
import { runTransaction } from './transaction.ts'
import { PROBE_OF_WRITES, watchWrites } from './connections/write-health.ts'

export interface DbOptions {
  url: string
  /** The same database without a pooler, for sessions; `url` by default. */
  directUrl?: string
  connectionsMax: number
  /** Per node of a Citus cluster; 0: nodes are not queried directly. */
  nodeConnectionsMax?: number
  /** False behind a proxy that does not support prepared statements (docs/operations.md). */
  prepare?: boolean
  applicationName?: string
  /** How long to wait for the answer to a statement, in ms; ANSWER_TIMEOUT_MS by default. */
  answerTimeoutMs?: number
  /** By how many ms now() is moved in its statements; see session-options.ts. */
  clockOffsetMs?: number
}

const CONNECT_TIMEOUT_MS = 10_000
/** None of our statements takes this long. One that does is stuck, and must fail rather than block others. */
const STATEMENT_TIMEOUT_MS = 60_000
/**
 * Somewhat longer than the server takes to report it. This ends the wait for a server that vanished during a statement (its
 * machine lost power): nothing else reports that until TCP gives up after a quarter of an hour.
 */
const ANSWER_TIMEOUT_MS = 65_000
/** After this time without traffic, the server is probed once a second, up to ten times. */
const KEEP_ALIVE_MS = 10_000

/** Opens a pool. No connection is made before the first statement. */
export function openDb({
  url,
  directUrl = url,
  connectionsMax,
  nodeConnectionsMax = 0,
  prepare = true,
  applicationName = 'shelfwire',
  answerTimeoutMs = ANSWER_TIMEOUT_MS,
  clockOffsetMs = 0,
}: DbOptions): Db {
  const config: pg.ClientConfig & { pipeline: boolean } = {
    application_name: applicationName,
    options: sessionOptions(clockOffsetMs),
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: answerTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    types: RESULT_VALUES,
    // statements of a transaction that are awaited together are sent together
    pipeline: true,
  }
  const hosts = openHosts(url)
  const direct = { config, hosts: directUrl === url ? hosts : openHosts(directUrl) }
  const connections = openConnections(config, hosts, connectionsMax)
  const statements = new Statements({
    connections,
    answerTimeoutMs,
    prepare,
    onStatement: (text, values) => db.onStatement?.(text, values),
    onError(error) {
      db.writes.note(error)
      db.nodes.note(error)
    },
  })
  const near = new NearReads({
    url: directUrl,
    config,
    connectionsMax: nodeConnectionsMax,
    askApart: (text, values) => askOnce(direct, text, values),
    onStatement: (text, values) => db.onStatement?.(text, values),
  })
  const db: Db = Object.assign(readerOf(statements.alone), {
    onStatement: null,
    begin: <T>(mode: string, work: (tx: Tx) => Promise<T>) => runTransaction(statements, mode, work),
    listen: (channel: string, onPayload: (payload: string) => void, onListening: () => void) =>
      openListener(direct, channel, onPayload, onListening),
    writes: watchWrites(async () => {
      // connections made while the server was read-only may still lead to it, or have that as their default, so they are replaced
      // before the pool is declared ready
      await connections.replaceIdle()
      await inTransaction(db, async (tx) => {
        for (const statement of PROBE_OF_WRITES) await tx.unsafe(statement)
      })
    }),
    nodes: new Nodes({
      ask: (text, values) => db.unsafe(text, values),
      askApart: (text, values) => askOnce(direct, text, values),
    }),
    near,
    resting: new Resting(),
    forRequests: () => {
      const reader = readerOf(openAccountTurns(near.orElse(statements.alone), connectionsMax))
      return Object.assign(reader, { ...db, unsafe: reader.unsafe })
    },
    pool: () => connections.counts(),
    openPresence: () => openPresence(direct),
    end: async ({ timeout }: { timeout?: number } = {}) => {
      await Promise.all([near.end(), endWithin(connections, statements, timeout)])
    },
  })
  return db
}

/** @param seconds after which connections still in use are cut; undefined: never */
async function endWithin(connections: Connections, statements: Statements, seconds: number | undefined): Promise<void> {
  const closed = connections.end().finally(() => statements.stop())
  if (seconds === undefined) return closed
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, seconds * 1_000)))
  await Promise.race([closed, late])
  clearTimeout(timer)
  connections.cutInUse()
}
