import pg from 'pg'
import { ShelfwireError } from '../platform/errors.ts'
import { askOnce } from './ask-once.ts'
import { CommitUnknown, isBroken, isConnectionError, isReadOnly } from './connection-errors.ts'
import { cut, openHosts } from './hosts.ts'
import { openListener, type Listener } from './listener.ts'
import { openNodes, type Nodes } from './nodes.ts'
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
  /** From here on its statements may take as long as they need: for migrations, and what touches a whole account. */
  allowLongStatements(): Promise<void>
  /** Runs `work` in a savepoint: when it throws, only what it did is undone. */
  savepoint<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

/**
 * The connection pool. The composition root opens it; rooms get it to open transactions or to read. What it reads outside of
 * transactions is asked once more, on another connection, when the connection breaks.
 */
export interface Db extends Reader {
  begin<T>(mode: string, work: (tx: Tx) => Promise<T>): Promise<T>
  /** Listens on a channel, past a pooler, until `stop`, reconnecting when the connection is lost; resolves when the first connection listens. */
  listen(channel: string, onPayload: (payload: string) => void, onListening: () => void): Promise<Listener>
  /** Opens a session, past a pooler, by which other processes see whether this one lives. */
  openPresence(): Presence
  /** Whether the server takes writes. */
  writes: WriteHealth
  /** The nodes behind the coordinator of a Citus cluster. */
  nodes: Nodes
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
  /** How long to wait for the answer to a statement, in ms; see ANSWER_TIMEOUT_MS. */
  answerTimeoutMs?: number
}

const IDLE_MS = 60_000
const CONNECT_TIMEOUT_MS = 10_000
/** No statement of ours takes this long. One that does is stuck, and must fail rather than keep others waiting. */
const STATEMENT_TIMEOUT_MS = 60_000
/**
 * A little more than the server takes to say so itself. It is what ends the wait for a server that vanished with a statement (its
 * machine lost power): until TCP gives up, which takes a quarter of an hour, nothing else tells.
 */
const ANSWER_TIMEOUT_MS = 65_000
/** The largest that a timer takes, 24 days. */
const UNLIMITED_MS = 2 ** 31 - 1
/** Silent connections are asked after this time, and then once a second ten times, whether the server is still there. */
const KEEP_ALIVE_MS = 10_000
/** So long after a refusal to write, another one does not replace connections again: a server may be read-only on purpose. */
const REPLACE_PAUSE_MS = 5_000

/**
 * All our statements look rows up by key. A prepared statement is planned early and its plan is kept while the tables grow, so
 * it must not depend on how small they were. For the same reason joins are written as `lateral (... offset 0)`: without
 * statistics the planner takes the prefix (account_id) for selective and scans a whole account (measured at 10,000 products:
 * 261 ms per batch, 3 ms with `lateral`).
 * The coordinator of a Citus cluster waits 5 s for a node that has vanished, and not 30. Plain PostgreSQL ignores that.
 */
const SERVER_SETTINGS = '-c enable_seqscan=off -c citus.node_connection_timeout=5000'

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
  answerTimeoutMs = ANSWER_TIMEOUT_MS,
}: DbOptions): Db {
  const config: pg.ClientConfig & { pipeline: boolean } = {
    application_name: applicationName,
    options: SERVER_SETTINGS,
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
  const pool = new pg.Pool({ ...config, Client: hosts.Client, max: connectionsMax, idleTimeoutMillis: IDLE_MS })
  // An idle connection that dies is removed from the pool, and nothing else is needed; on one in use, the statements fail.
  pool.on('error', ignore)
  const open = new Set<pg.PoolClient>()
  const inUse = new Set<pg.PoolClient>()
  /** Connections of which the server said that a transaction is committed, but perhaps not where it must be. */
  const unreplicated = new WeakSet<pg.PoolClient>()
  /** Connections that are not to be used again, also those whose end the pool has not heard of yet. */
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
  /** After a refusal to write: a new connection may lead to the new primary, and all others lead to the old one. */
  const replaceAll = () => {
    if (performance.now() - replacedAt < REPLACE_PAUSE_MS) return
    replacedAt = performance.now()
    for (const client of open) {
      outdated.add(client)
      if (!inUse.has(client)) cut(client)
    }
  }

  const send = (client: pg.PoolClient, text: string, values: unknown[] | undefined, isNamed: boolean, answerMs = 0) => {
    db.onStatement?.(text, values ?? [])
    const sent = client.query({
      text,
      ...(values === undefined ? {} : { values }),
      ...(isNamed && prepare ? { name: nameOf(text) } : {}),
      // 0: that of the connection
      query_timeout: answerMs,
    } as pg.QueryConfig)
    sent.catch(note)
    return sent
  }
  const sendAlone: Run = async (text, values, isNamed) => {
    const client = await take()
    let isUseless = true
    try {
      const result = await send(client, text, values, isNamed)
      isUseless = false
      return result
    } catch (error) {
      isUseless = isConnectionError(error)
      throw error
    } finally {
      give(client, isUseless)
    }
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
        return await sendAlone(text, values, isNamed)
      } catch (error) {
        const isStale = isStalePlan(error)
        // a template outside of a transaction reads; what is sent as text may be anything
        if (!isStale && !(isNamed && isBroken(error))) throw error
        if (isStale) names.delete(text)
        return sendAlone(text, values, isNamed)
      }
    }),
    {
      onStatement: null,
      async begin<T>(mode: string, work: (tx: Tx) => Promise<T>): Promise<T> {
        const client = await takeBegun(mode)
        let isUseless = true
        try {
          const { tx, close, firstError } = openScope(client, send)
          try {
            const result = await work(tx)
            close()
            // PostgreSQL has aborted the transaction if a statement failed, even if `work` caught the error
            if (firstError() !== undefined) throw firstError()
            await commit(client)
            isUseless = false
            return result
          } catch (error) {
            close()
            note(error)
            if (isReadOnly(error)) replaceAll()
            else if (!isConnectionError(error))
              isUseless = await client.query('rollback').then(
                () => false,
                () => true,
              )
            throw error
          }
        } finally {
          give(client, isUseless)
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
      nodes: openNodes({
        ask: (text, values) => db.unsafe(text, values),
        askApart: (text, values) => askOnce(direct, text, values),
      }),
      openPresence: () => openPresence(direct),
      async end({ timeout }: { timeout?: number } = {}) {
        const closed = pool.end()
        if (timeout === undefined) return closed
        let timer: NodeJS.Timeout | undefined
        const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, timeout * 1_000)))
        await Promise.race([closed, late])
        clearTimeout(timer)
        for (const client of inUse) cut(client)
      },
    },
  )
  return db

  function note(error: unknown) {
    db.writes.note(error)
    db.nodes.note(error)
  }

  /** A connection with a transaction. One that broke while it was idle is only noticed here, and costs nobody anything. */
  async function takeBegun(mode: string): Promise<pg.PoolClient> {
    for (let isFirst = true; ; isFirst = false) {
      const client = await take()
      try {
        await client.query(`begin ${mode}`)
        return client
      } catch (error) {
        give(client, true)
        if (!isFirst || !isBroken(error)) throw error
      }
    }
  }

  /** @throws CommitUnknown when nobody can tell whether the transaction is committed where it must be. */
  async function commit(client: pg.PoolClient): Promise<void> {
    try {
      await client.query('commit')
    } catch (error) {
      if (!isConnectionError(error)) throw error
      throw new CommitUnknown('the connection was lost during the commit', { cause: error })
    }
    // Somebody cancelled the wait for the standby (the server does not by itself): committed here, and lost if the standby takes over.
    if (unreplicated.has(client)) throw new CommitUnknown('the commit did not wait for the standby')
  }

  function openScope(client: pg.PoolClient, sendOn: typeof send, limit = { answerMs: 0 }) {
    let isClosed = false
    let failed: unknown
    const scope = reader(async (text, values, isNamed) => {
      if (isClosed) throw new Error('the transaction has ended: no further statement can be sent in it')
      try {
        return await sendOn(client, text, values, isNamed, limit.answerMs)
      } catch (error) {
        if (isStalePlan(error)) names.delete(text)
        failed ??= error
        throw error
      }
    })
    const tx: Tx = Object.assign(scope, {
      async allowLongStatements() {
        limit.answerMs = UNLIMITED_MS
        await tx.unsafe('set local statement_timeout = 0')
      },
      async savepoint<T>(work: (inner: Tx) => Promise<T>): Promise<T> {
        const name = `s${savepoints++}`
        await tx.unsafe(`savepoint ${name}`)
        const inner = openScope(client, sendOn, limit)
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
