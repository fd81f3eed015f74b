import pg from 'pg'
import { ShelfwireError } from '../platform/errors.ts'
import { isConnectionError, isReadOnly } from './connection-errors.ts'
import { openListener, type Listener } from './listener.ts'
import { openPresence, type Presence } from './presence.ts'
import { RESULT_VALUES } from './result-values.ts'
import { Identifier, statementOf, type Fragment, type Value } from './statement.ts'
import { watchWrites, type WriteHealth } from './write-health.ts'

/** Rows of a result; `count` is the number of rows that the server reports as returned or changed. */
export type Rows<Row> = Row[] & { count: number }

type RowOf<List> = List extends readonly (infer Row)[] ? Row : never

/**
 * A statement: sent when it is first awaited, or inserted into another template as a fragment. Statements of one transaction
 * that are awaited together are sent together.
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
  /** Runs `work` in a savepoint: when it throws, only what it did is undone. */
  savepoint<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

/** The connection pool. The composition root opens it; rooms get it to open transactions or to read. */
export interface Db extends Reader {
  begin<T>(mode: string, work: (tx: Tx) => Promise<T>): Promise<T>
  /** Listens on a channel, past a pooler, until `stop`, reconnecting when the connection is lost; resolves when the first connection listens. */
  listen(channel: string, onPayload: (payload: string) => void, onListening: () => void): Promise<Listener>
  /** Opens a session, past a pooler, by which other processes see whether this one lives. */
  openPresence(): Presence
  /** Whether the server takes writes. */
  writes: WriteHealth
  /** Closes the pool; connections that are still in use after `timeout` seconds are cut off. */
  end(options?: { timeout?: number }): Promise<void>
  /** Sees every statement before it is sent; for tests. */
  onStatement: ((text: string, values: readonly unknown[]) => void) | null
}

export interface DbOptions {
  url: string
  /** The same database, past a pooler, for what is bound to a session; without it `url` leads there. */
  directUrl?: string
  connectionsMax: number
  /** False behind a proxy that does not support prepared statements (docs/operations.md). */
  prepare?: boolean
  applicationName?: string
}

const IDLE_MS = 60_000
const CONNECT_TIMEOUT_MS = 10_000
/** No statement of ours takes this long. One that does is stuck, and must fail rather than keep others waiting. */
const STATEMENT_TIMEOUT_MS = 60_000

/**
 * All our statements look rows up by key. A prepared statement is planned early and its plan is kept while the tables grow, so
 * it must not depend on how small they were. For the same reason joins are written as `lateral (... offset 0)`: without
 * statistics the planner takes the prefix (account_id) for selective and scans a whole account (measured at 10,000 products:
 * 261 ms per batch, 3 ms with `lateral`).
 */
const SERVER_SETTINGS = '-c enable_seqscan=off'

/** For names of savepoints, which must differ within a transaction. */
let savepoints = 0

/** Names of prepared statements by their text, the same on every connection of this process. */
const names = new Map<string, string>()
let named = 0

/** Opens a pool. No connection is made before the first statement. */
export function openDb({
  url,
  directUrl = url,
  connectionsMax,
  prepare = true,
  applicationName = 'shelfwire',
}: DbOptions): Db {
  const config: pg.ClientConfig & { pipeline: boolean } = {
    connectionString: url,
    application_name: applicationName,
    options: SERVER_SETTINGS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    types: RESULT_VALUES,
    // statements of a transaction that are awaited together are sent together
    pipeline: true,
  }
  const direct = { ...config, connectionString: directUrl }
  const pool = new pg.Pool({ ...config, max: connectionsMax, idleTimeoutMillis: IDLE_MS })
  // An idle connection that dies is removed from the pool, and nothing else is needed; on one in use, the statements fail. The
  // listener is attached on connect, because a server may close a connection as soon as it opens.
  pool.on('error', ignore)
  pool.on('connect', (client) => client.on('error', ignore))
  const inUse = new Set<pg.PoolClient>()
  const take = async () => {
    const client = await pool.connect()
    inUse.add(client)
    return client
  }
  const give = (client: pg.PoolClient, isBroken: boolean) => {
    inUse.delete(client)
    client.release(isBroken)
  }

  const send = (client: pg.Pool | pg.PoolClient, text: string, values: unknown[] | undefined, isNamed: boolean) => {
    db.onStatement?.(text, values ?? [])
    const sent = client.query({
      text,
      ...(values === undefined ? {} : { values }),
      ...(isNamed && prepare ? { name: nameOf(text) } : {}),
    })
    sent.catch(db.writes.note)
    return sent
  }
  /** A template function whose statements `run` sends. */
  const reader = (run: Run): Reader => {
    const tag = (first: TemplateStringsArray | string, ...values: unknown[]) =>
      typeof first === 'string' ? new Identifier(first) : new Template(first, values, run, true)
    return Object.assign(tag, {
      unsafe: (text: string, values?: readonly Value[]) =>
        new Template([text], [], (sent) => run(sent, values === undefined ? undefined : [...values], false), false),
    }) as unknown as Reader
  }

  const db: Db = Object.assign(
    reader(async (text, values, isNamed) => {
      try {
        return await send(pool, text, values, isNamed)
      } catch (error) {
        if (!isStalePlan(error)) throw error
        names.delete(text)
        return send(pool, text, values, isNamed)
      }
    }),
    {
      onStatement: null,
      async begin<T>(mode: string, work: (tx: Tx) => Promise<T>): Promise<T> {
        const client = await take()
        let isBroken = true
        try {
          await client.query(`begin ${mode}`)
          const { tx, close, firstError } = openScope(client, send)
          try {
            const result = await work(tx)
            close()
            // PostgreSQL has aborted the transaction if a statement failed, even if `work` caught the error
            if (firstError() !== undefined) throw firstError()
            await client.query('commit')
            isBroken = false
            return result
          } catch (error) {
            close()
            db.writes.note(error)
            // a new connection may lead to the new primary
            if (!isConnectionError(error) && !isReadOnly(error))
              isBroken = await client.query('rollback').then(
                () => false,
                () => true,
              )
            throw error
          }
        } finally {
          give(client, isBroken)
        }
      },
      listen: (channel: string, onPayload: (payload: string) => void, onListening: () => void) =>
        openListener(direct, channel, onPayload, onListening),
      writes: watchWrites(async () => {
        // Connections made while the server only read may lead to it still, or have that as their default. They are replaced before
        // the pool is declared ready.
        for (let left = pool.idleCount; left > 0; left--) give(await take(), true)
        await inTransaction(db, probeWrite)
      }),
      openPresence: () => openPresence(direct),
      async end({ timeout }: { timeout?: number } = {}) {
        const closed = pool.end()
        if (timeout === undefined) return closed
        let timer: NodeJS.Timeout | undefined
        const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, timeout * 1_000)))
        await Promise.race([closed, late])
        clearTimeout(timer)
        for (const client of inUse)
          (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
      },
    },
  )
  return db

  function openScope(client: pg.PoolClient, sendOn: typeof send) {
    let isClosed = false
    let failed: unknown
    const scope = reader(async (text, values, isNamed) => {
      if (isClosed) throw new Error('the transaction has ended: no further statement can be sent in it')
      try {
        return await sendOn(client, text, values, isNamed)
      } catch (error) {
        if (isStalePlan(error)) names.delete(text)
        failed ??= error
        throw error
      }
    })
    const tx: Tx = Object.assign(scope, {
      async savepoint<T>(work: (inner: Tx) => Promise<T>): Promise<T> {
        const name = `s${savepoints++}`
        await tx.unsafe(`savepoint ${name}`)
        const inner = openScope(client, sendOn)
        try {
          const result = await work(inner.tx)
          inner.close()
          if (inner.firstError() !== undefined) throw inner.firstError()
          return result
        } catch (error) {
          inner.close()
          await tx.unsafe(`rollback to ${name}`)
          throw error
        }
      },
    })
    return { tx, close: () => void (isClosed = true), firstError: () => failed }
  }
}

const ignore = () => {}

/**
 * A write that needs new space on the disk of the database, as growing tables do: a row would fit into a page that is there
 * already. The table is gone when the transaction ends.
 */
async function probeWrite(tx: Tx): Promise<void> {
  await tx`set local temp_tablespaces = ''`
  await tx`create temporary table write_probe on commit drop as
    select md5(n::text) as filler from generate_series(1, 20000) as n`
}

function nameOf(text: string): string {
  let name = names.get(text)
  if (name === undefined) names.set(text, (name = `q${named++}`))
  return name
}

type Run = (text: string, values: unknown[] | undefined, isNamed: boolean) => Promise<pg.QueryResult | pg.QueryResult[]>

/** A template that is sent when it is first awaited, and can be inserted into another one. */
class Template implements Query<unknown> {
  readonly [Symbol.toStringTag] = 'Query'
  readonly strings: readonly string[]
  readonly values: readonly unknown[]
  readonly #run: Run
  readonly #isTagged: boolean
  #sent: Promise<Rows<unknown>> | undefined

  constructor(strings: readonly string[], values: readonly unknown[], run: Run, isTagged: boolean) {
    this.strings = strings
    this.values = values
    this.#run = run
    this.#isTagged = isTagged
  }

  #send(): Promise<Rows<unknown>> {
    this.#sent ??= this.#start()
    return this.#sent
  }

  async #start(): Promise<Rows<unknown>> {
    const { text, values } = statementOf(this, isTemplate)
    return rowsOf(await this.#run(text, this.#isTagged ? values : undefined, this.#isTagged))
  }

  // oxlint-disable-next-line unicorn/no-thenable
  then<A = Rows<unknown>, B = never>(
    onFulfilled?: ((rows: Rows<unknown>) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#send().then(onFulfilled, onRejected)
  }

  catch<T = never>(onRejected?: ((reason: unknown) => T | PromiseLike<T>) | null): Promise<Rows<unknown> | T> {
    return this.#send().catch(onRejected)
  }

  finally(onFinally?: (() => void) | null): Promise<Rows<unknown>> {
    return this.#send().finally(onFinally)
  }

  execute(): this {
    this.#send().catch(ignore)
    return this
  }
}

const isTemplate = (value: unknown): value is Fragment => value instanceof Template

function rowsOf(result: pg.QueryResult | pg.QueryResult[]): Rows<unknown> {
  // several statements as one text: the last one's rows
  const last = Array.isArray(result) ? result.at(-1) : result
  const rows = (last?.rows ?? []) as Rows<unknown>
  Object.defineProperty(rows, 'count', { value: last?.rowCount ?? 0 })
  return rows
}

/** Whether a migration by another process made a prepared plan invalid. Preparing it again under another name works. */
function isStalePlan(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery'
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

/** Separates JSON texts in one parameter. JSON escapes control characters, so no text contains it. */
const RECORD_SEPARATOR = '\x1e'

/**
 * JSON texts as one parameter for `string_to_array(…, E'\x1e')`. In an array literal every quote would be escaped here and
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
  const constraint = violatedConstraint(error)
  const detail = constraint === undefined ? undefined : details[constraint]
  if (detail !== undefined) throw new ShelfwireError('conflict', detail, { cause: error })
  throw error
}

/**
 * Name of the constraint or unique index that an error is about. A Citus coordinator names that of a shard, with the shard's number at
 * its end, and only in the message.
 */
function violatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof pg.DatabaseError) || error.code?.startsWith('23') !== true) return undefined
  return error.constraint ?? /"([a-z_0-9]+?)_\d+"$/.exec(error.message)?.[1]
}
