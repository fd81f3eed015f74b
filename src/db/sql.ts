import type { PoolCounts } from './connections.ts'
import type { Listener } from './listener.ts'
import type { Near } from './near/near.ts'
import type { Nodes } from './nodes.ts'
import { isStalePlan } from './prepared-names.ts'
import type { Presence } from './presence.ts'
import type { Resting } from './resting.ts'
import type { Fragment, Identifier, Value } from './statement.ts'
import type { WriteHealth } from './write-health.ts'

// What rooms know of the database: to read, to write in transactions, and what becomes of both. open-db.ts opens it.

/** Rows of a result; `count` is the number of rows that the server reports as returned or changed. */
export type Rows<Row> = Row[] & { count: number }

type RowOf<List> = List extends readonly (infer Row)[] ? Row : never

/**
 * A statement: sent when it is first awaited, or inserted into another template as a fragment. Statements of one transaction
 * that are awaited together are sent together; those that are executed and not awaited any more go with the commit, which fails if one of them does.
 */
export interface Query<Row> extends Fragment, Promise<Rows<Row>> {
  /** Sends it now. */
  execute(): this
}

type Parameter = Value | Identifier | Query<unknown> | readonly unknown[]

export interface Reader {
  /** A template with a type of its rows: reader<{ id: number }[]>`select ...`. */
  <List extends readonly unknown[] = Record<string, unknown>[]>(
    strings: TemplateStringsArray,
    ...values: Parameter[]
  ): Query<RowOf<List>>
  /** A quoted identifier. */
  (name: string): Identifier
  /** A statement as text; several statements, separated by semicolons, are allowed when there are no parameters. */
  unsafe<List extends readonly unknown[] = Record<string, unknown>[]>(
    text: string,
    values?: readonly Value[],
  ): Query<RowOf<List>>
}

/** A transaction. Every function that writes takes one, so that nothing is written outside of it. */
export interface Tx extends Reader {
  /** From here on its statements may take as long as they need: for migrations, and what touches a whole account. */
  allowLongStatements(): Promise<void>
  /** Runs `work` in a savepoint: when it throws, only what it did is undone. */
  savepoint<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

/**
 * The connection pool. The composition root opens it; rooms get it to open transactions or to read. What it reads outside of
 * transactions is asked once more, on another connection, when the connection breaks; what it writes there is not.
 * docs/decisions/065-node-postgres.md says why.
 */
export interface Db extends Reader {
  begin<T>(mode: string, work: (tx: Tx) => Promise<T>): Promise<T>
  /** Listens on a channel, past a pooler, until `stop`, reconnecting when the connection is lost; resolves when the first connection listens. */
  listen(channel: string, onPayload: (payload: string) => void, onListening: () => void): Promise<Listener>
  /** Opens a session, past a pooler, by which other processes see whether this one lives. */
  openPresence(): Presence
  /** Whether the server takes writes. */
  writes: WriteHealth
  /**
   * The same pool, whose statements outside of transactions take turns by account, and are sent to the account's node where they can be; for all that
   * answers requests.
   */
  forRequests(): Db
  /** How the pool is used at this moment. */
  pool(): PoolCounts
  /** The nodes behind the coordinator of a Citus cluster. */
  nodes: Nodes
  /** What of requests is asked at these nodes. */
  near: Near
  /** Accounts whose work rests. */
  resting: Resting
  /** Closes the pool; connections that are still in use after `timeout` seconds are cut off. */
  end(options?: { timeout?: number }): Promise<void>
  /** Sees every statement before it is sent; for tests. */
  onStatement: ((text: string, values: readonly unknown[]) => void) | null
}

/** SQLSTATEs after which a transaction can be retried: serialization failure, deadlock. */
const RETRYABLE = new Set(['40001', '40P01'])

/** True for deadlocks, serialization failures and stale plans. */
export function isRetryable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (RETRYABLE.has(String(error.code)) || isStalePlan(error))
}

/**
 * Runs `work` in one READ COMMITTED transaction, whatever the server's default. Numbering changes by the account's counter
 * needs it: a REPEATABLE READ snapshot would be taken before the wait for the counter. After a deadlock or serialization
 * failure `work` runs again in a new transaction, up to `retriesMax` times.
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
