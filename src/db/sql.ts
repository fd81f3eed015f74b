import postgres from 'postgres'
import { ShelfwireError } from '../platform/errors.ts'

type Types = { bigint: number }

/** The connection pool. The composition root opens it; rooms get it to open transactions or to read. */
export type Db = postgres.Sql<Types>
/** A transaction. Every function of a *.sql.ts file that writes takes one, so that nothing is written outside of it. */
export type Tx = postgres.TransactionSql<Types>
/** What a read can run on: the pool, for a single statement, or a transaction. */
export type Reader = Db | Tx

export interface DbOptions {
  url: string
  connectionsMax: number
  /** False behind a transaction-pooling proxy without prepared statements. */
  prepare?: boolean
  applicationName?: string
}

/** Opens a pool; it connects at the first statement. bigint arrives as number (ids stay below 2^53). */
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
      // none of our statements takes this long: one that does is stuck, and its caller gets an error
      statement_timeout: 60_000,
      // All our statements look rows up by key. A prepared statement is planned early and its plan is kept while the tables
      // grow, so it must not depend on how small they were. For the same reason joins are written as `lateral (… offset 0)`:
      // without statistics the planner takes the prefix (account_id) for selective and scans a whole account (measured at
      // 10,000 products: 261 ms per batch, 3 ms with `lateral`).
      // A string, because postgres.js omits settings whose value is false.
      enable_seqscan: 'off',
    },
  })
}

/** SQLSTATEs after which a transaction can be retried: serialization failure, deadlock. */
const RETRYABLE = new Set(['40001', '40P01'])

/** True for deadlocks and serialization failures. */
export function isRetryable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && RETRYABLE.has(String(error.code))
}

/**
 * Runs `work` in one READ COMMITTED transaction, whatever the server's default. Numbering changes by the account's counter
 * needs it: a REPEATABLE READ snapshot would be taken before the wait for the counter. After a deadlock or serialization
 * failure `work` runs again in a new transaction, up to `retriesMax` times.
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

/** Separates JSON texts in one parameter. JSON escapes control characters, so no text contains it. */
const RECORD_SEPARATOR = '\x1e'

/**
 * JSON texts as one parameter for `string_to_array(…, E'\\x1e')`. In an array literal every quote would be escaped here and
 * unescaped by the server: a third of the processor time of shelving (measured).
 */
export function jsonTexts(texts: readonly string[]): string {
  return texts.join(RECORD_SEPARATOR)
}

/**
 * Turns the violation of a named constraint into an error that a client can act on; rethrows everything else.
 * @param details the error's detail by constraint name
 * @throws ShelfwireError `conflict`
 */
export function explainViolation(error: unknown, details: Readonly<Record<string, string>>): never {
  const constraint =
    error instanceof postgres.PostgresError && error.code.startsWith('23') ? error.constraint_name : undefined
  const detail = constraint === undefined ? undefined : details[constraint]
  if (detail !== undefined) throw new ShelfwireError('conflict', detail, { cause: error })
  throw error
}
