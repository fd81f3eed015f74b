import type { PoolCounts } from './connections/connections.ts'
import type { Listener } from './connections/listener.ts'
import type { Near } from './near/near.ts'
import type { Nodes } from './distribution/nodes.ts'
import { isStalePlan } from './statements/prepared-names.ts'
import type { Presence } from './connections/presence.ts'
import type { Resting } from './connections/resting.ts'
import type { Fragment, Identifier, Value } from './statements/statement.ts'
import type { WriteHealth } from './connections/write-health.ts'

// The interface of the database for rooms: reads, and writes in transactions. open-db.ts opens it.

/** Rows of a result; `count` is the number of rows that the server reports as returned or changed. */
export type Rows<Row> = Row[] & { count: number }

type RowOf<List> = List extends readonly (infer Row)[] ? Row : never

/**
 * A statement: sent when it is first awaited, or inserted into another template as a fragment. Statements of one transaction that are awaited
 * together are sent together; those that are executed but not awaited are answered with the commit, which fails if one of them did.
 */
export interface Query<Row> extends Fragment, Promise<Rows<Row>> {
  /** Sends it now. A failure is thrown where the query is awaited, or by the commit. */
  execute(): this
}

type Parameter = Value | Identifier | Query<unknown> | readonly unknown[]

export interface Reader {
  /** A template with the type of its rows: reader<{ id: number }[]>`select ...`. */
  <List extends readonly unknown[] = Record<string, unknown>[]>(
    strings: TemplateStringsArray,
    ...values: Parameter[]
  ): Query<RowOf<List>>
  /** A quoted identifier. */
  (name: string): Identifier
  /** A statement as text. Several statements, separated by semicolons, are allowed without parameters. */
  unsafe<List extends readonly unknown[] = Record<string, unknown>[]>(
    text: string,
    values?: readonly Value[],
  ): Query<RowOf<List>>
}

/** A transaction. Every function that writes takes one, so that nothing is written outside of it. */
export interface Tx extends Reader {
  /** Removes the time limit of its further statements, for migrations and work on a whole account. */
  allowLongStatements(): Promise<void>
  /** Runs `work` in a savepoint: if it throws, only its own effects are undone. */
  savepoint<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

/**
 * The connection pool. The composition root opens it; rooms get it to open transactions or to read. A read outside transactions is repeated once on
 * another connection if its connection breaks; a write is not. docs/decisions/065-node-postgres.md says why.
 */
export interface Db extends Reader {
  begin<T>(mode: string, work: (tx: Tx) => Promise<T>): Promise<T>
  /** Listens on a channel, bypassing a pooler, until `stop`; reconnects when the connection is lost. Resolves when the first connection listens. */
  listen(channel: string, onPayload: (payload: string) => void, onListening: () => void): Promise<Listener>
  /** Opens a session, bypassing a pooler, by which other processes see whether this one lives. */
  openPresence(): Presence
  /** Whether the server takes writes. */
  writes: WriteHealth
  /**
   * The same pool for answering requests: its statements outside transactions take turns by account, and are sent to the account's node if possible.
   */
  forRequests(): Db
  /** The present use of the pool. */
  pool(): PoolCounts
  /** The nodes behind the coordinator of a Citus cluster. */
  nodes: Nodes
  /** Reads of requests at these nodes. */
  near: Near
  /** Accounts whose work is suspended. */
  resting: Resting
  /** Closes the pool. Connections still in use after `timeout` seconds are cut. */
  end(options?: { timeout?: number }): Promise<void>
  /** Called with every statement before it is sent; for tests. */
  onStatement: ((text: string, values: readonly unknown[]) => void) | null
}

/** SQLSTATEs after which a transaction can be retried: serialization failure, deadlock. */
const RETRYABLE = new Set(['40001', '40P01'])

/** Whether the transaction can be retried: after deadlocks, serialization failures and stale plans. */
export function isRetryable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (RETRYABLE.has(String(error.code)) || isStalePlan(error))
}

/**
 * Runs `work` in one READ COMMITTED transaction, whatever the server's default. Numbering changes by the account's counter needs this level: a
 * REPEATABLE READ snapshot would be taken before the wait for the counter. After a deadlock, a serialization failure or a stale plan, `work` runs
 * again in a new transaction, up to `retriesMax` times.
 */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>, retriesMax = 10): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await db.begin('isolation level read committed', work)
    } catch (error) {
      if (!isRetryable(error) || attempt >= retriesMax) throw error
    }
  }
}
