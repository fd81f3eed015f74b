import postgres from 'postgres'
import { ShelfwireError } from '../platform/errors.ts'

type Types = { bigint: number }

/** The pool. Only the composition root, db/ and tests hold one; rooms are handed it to open transactions or to read. */
export type Db = postgres.Sql<Types>
/** A transaction. Every store function that writes takes one, so that nothing is written outside of it. */
export type Tx = postgres.TransactionSql<Types>
/** Something a read can run on: the pool for a single statement, or a transaction. */
export type Reader = Db | Tx

export interface DbOptions {
  url: string
  connectionsMax: number
  /** False behind a transaction-pooling proxy without prepared statements. */
  prepare?: boolean
  applicationName?: string
}

/** Opens a pool. No connection is made before the first statement. bigint arrives as number (ids stay below 2^53). */
export function openDb(options: DbOptions): Db {
  return postgres(options.url, {
    max: options.connectionsMax,
    prepare: options.prepare ?? true,
    idle_timeout: 60,
    connect_timeout: 10,
    max_lifetime: null,
    onnotice: () => {},
    types: {
      bigint: {
        to: 20,
        from: [20],
        serialize: (value: number) => String(value),
        parse: (text: string) => Number(text),
      },
    },
    connection: {
      application_name: options.applicationName ?? 'shelfwire',
      idle_in_transaction_session_timeout: 60_000,
      // nothing of ours takes this long; what does is stuck, and whoever waits for it should hear so
      statement_timeout: 60_000,
      // Every statement of ours looks rows up by key. A prepared statement's plan is made early and kept while its tables
      // grow from nothing, so it must not depend on how small they were. For the same reason joins are written as
      // `lateral (… offset 0)`: without statistics the planner takes the prefix (account_id) for selective and walks
      // a whole account (measured at 10,000 products: 261 ms a batch, 3 ms written so).
      // As a text: postgres.js leaves settings out whose value is false.
      enable_seqscan: 'off',
    },
  })
}

/** SQLSTATEs after which the same transaction may simply be run again. */
const RETRYABLE = new Set(['40001', '40P01'])

/** True for deadlocks and serialization failures. */
export function isRetryable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && RETRYABLE.has(String(error.code))
}

/**
 * Runs `work` in one READ COMMITTED transaction, whatever the server's default: numbering by the account's counter is
 * only right there (a REPEATABLE READ snapshot is taken before the wait for the counter). Deadlocks are retried.
 */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>, retriesMax = 10): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return (await db.begin('isolation level read committed', work)) as T
    } catch (error) {
      if (!isRetryable(error) || attempt >= retriesMax) throw error
    }
  }
}

/** Separates JSON texts in one parameter: JSON writes control characters as escapes, so none ever holds it. */
const RECORD_SEPARATOR = '\x1e'

/**
 * JSON texts as one parameter for `string_to_array(…, E'\\x1e')`. As an array literal every quote of every text would be
 * escaped here and unescaped there: a third of the processor time of shelving (measured).
 */
export function jsonTexts(texts: readonly string[]): string {
  return texts.join(RECORD_SEPARATOR)
}

/** Turns a unique or foreign key violation into an error a caller can act on; rethrows everything else. */
export function explainViolation(error: unknown, words: Readonly<Record<string, string>>): never {
  const constraint =
    error instanceof postgres.PostgresError && error.code.startsWith('23') ? error.constraint_name : undefined
  const detail = constraint === undefined ? undefined : words[constraint]
  if (detail !== undefined) throw new ShelfwireError('conflict', detail, { cause: error })
  throw error
}
