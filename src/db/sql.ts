import pg from 'pg'
import { openAnswerDeadlines } from './answer-deadlines.ts'
import { askOnce } from './ask-once.ts'
import { CommitUnknown, isBroken, isConnectionError, isReadOnly } from './connection-errors.ts'
import { openConnections, type PoolCounts } from './connections.ts'
import { openHosts } from './hosts.ts'
import { openListener, type Listener } from './listener.ts'
import { Nodes } from './nodes.ts'
import { Resting } from './resting.ts'
import { openPresence, type Presence } from './presence.ts'
import { RESULT_VALUES } from './result-values.ts'
import { sessionOptions } from './session-options.ts'
import { Identifier, statementOf, type Fragment, type Value } from './statement.ts'
import { PROBE_OF_WRITES, watchWrites, type WriteHealth } from './write-health.ts'

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
 * transactions is asked once more, on another connection, when the connection breaks.
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
  /** How the pool is used at this moment. */
  pool(): PoolCounts
  /** The nodes behind the coordinator of a Citus cluster. */
  nodes: Nodes
  /** Accounts whose work rests. */
  resting: Resting
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
  /** By how many ms now() is moved for its statements; see session-options.ts. */
  clockOffsetMs?: number
}

const CONNECT_TIMEOUT_MS = 10_000
/** No statement of ours takes this long. One that does is stuck, and must fail rather than keep others waiting. */
const STATEMENT_TIMEOUT_MS = 60_000
/**
 * A little longer than the server takes to report it. This ends the wait for a server that vanished with a statement
 * (its machine lost power): until TCP gives up, which takes a quarter of an hour, nothing else tells.
 */
const ANSWER_TIMEOUT_MS = 65_000
/** The largest that a timer takes, 24 days. */
const UNLIMITED_MS = 2 ** 31 - 1
/** Silent connections are asked after this time, and then once a second ten times, whether the server is still there. */
const KEEP_ALIVE_MS = 10_000
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
  const { take, give } = connections
  const deadlines = openAnswerDeadlines(answerTimeoutMs)
  const sendPlain = (client: pg.PoolClient, text: string) => deadlines.query(client, { text }, answerTimeoutMs)

  const send = (
    client: pg.PoolClient,
    text: string,
    values: unknown[] | undefined,
    isNamed: boolean,
    answerMs = answerTimeoutMs,
  ) => {
    db.onStatement?.(text, values ?? [])
    const sent = deadlines.query(
      client,
      {
        text,
        ...(values === undefined ? {} : { values }),
        ...(isNamed && prepare ? { name: nameOf(text) } : {}),
      },
      answerMs,
    )
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
        for (let isFirst = true; ; isFirst = false) {
          const client = await take()
          let isUseless = true
          // sent together with the first statements of `work`, if they only read
          const begun = openGate(sendPlain(client, `begin ${mode}`))
          try {
            const { tx, close, firstError } = openScope(client, send, begun)
            try {
              const result = await work(tx)
              // what it has sent without awaiting it, also what still waits for the beginning, is answered before the commit
              if (begun.waiting > 0) await begun.opened
              close()
              // PostgreSQL has aborted the transaction if a statement failed, even if `work` caught the error
              if (firstError() !== undefined) throw firstError()
              await commit(client, firstError)
              await begun.opened
              isUseless = false
              return result
            } catch (thrown) {
              close()
              const notBegun = await begun.failed
              // a connection that broke while it was idle is only noticed here, and costs nobody anything
              if (isFirst && isBroken(notBegun)) continue
              if (notBegun !== null) throw notBegun
              const error = causeOf(thrown, firstError())
              note(error)
              if (isReadOnly(error)) connections.replaceAll()
              else if (!isConnectionError(error))
                isUseless = await sendPlain(client, 'rollback').then(
                  () => false,
                  () => true,
                )
              throw error
            }
          } finally {
            give(client, isUseless)
          }
        }
      },
      listen: (channel: string, onPayload: (payload: string) => void, onListening: () => void) =>
        openListener(direct, channel, onPayload, onListening),
      writes: watchWrites(async () => {
        // Connections made while the server only read may lead to it still, or have that as their default. They are replaced before
        // the pool is declared ready.
        await connections.replaceIdle()
        await inTransaction(db, async (tx) => {
          for (const statement of PROBE_OF_WRITES) await tx.unsafe(statement)
        })
      }),
      nodes: new Nodes({
        ask: (text, values) => db.unsafe(text, values),
        askApart: (text, values) => askOnce(direct, text, values),
      }),
      resting: new Resting(),
      pool: () => connections.counts(),
      openPresence: () => openPresence(direct),
      async end({ timeout }: { timeout?: number } = {}) {
        const closed = connections.end().finally(deadlines.stop)
        if (timeout === undefined) return closed
        let timer: NodeJS.Timeout | undefined
        const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, timeout * 1_000)))
        await Promise.race([closed, late])
        clearTimeout(timer)
        connections.cutInUse()
      },
    },
  )
  return db

  function note(error: unknown) {
    db.writes.note(error)
    db.nodes.note(error)
  }

  /**
   * Commits behind everything that was sent. Behind a statement that failed, a commit is a rollback.
   * @throws CommitUnknown when it is unknown whether the transaction is committed on the standby, too.
   */
  async function commit(client: pg.PoolClient, firstError: () => unknown): Promise<void> {
    let command: string
    try {
      ;({ command } = await sendPlain(client, 'commit'))
    } catch (error) {
      const first = firstError()
      if (first !== undefined && !isConnectionError(first)) throw first
      if (!isConnectionError(error)) throw error
      throw new CommitUnknown('the connection was lost during the commit', { cause: error })
    }
    if (firstError() !== undefined) throw firstError()
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back at its end')
    // Somebody cancelled the wait for the standby (the server never does): committed here, and lost if the standby
    // takes over.
    if (connections.isUnreplicated(client)) throw new CommitUnknown('the commit did not wait for the standby')
  }

  function openScope(
    client: pg.PoolClient,
    sendOn: typeof send,
    begun: ReturnType<typeof openGate>,
    limit = { answerMs: answerTimeoutMs },
  ) {
    let isClosed = false
    let failed: unknown
    /** Answers come in the order of the statements. */
    let last: Promise<unknown> | undefined
    const scope = reader(async (text, values, isNamed) => {
      if (isClosed) throw new Error('the transaction has ended: no further statement can be sent in it')
      try {
        if (begun.waiting > 0 || (!begun.isOpen && !(isNamed && READS.test(text)))) {
          begun.waiting++
          await begun.opened
          begun.waiting--
        }
        const answer = sendOn(client, text, values, isNamed, limit.answerMs)
        last = answer
        return await answer
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
        const inner = openScope(client, sendOn, begun, limit)
        try {
          const result = await work(inner.tx)
          inner.close()
          await inner.answered()
          if (inner.firstError() !== undefined) throw inner.firstError()
          return result
        } catch (error) {
          inner.close()
          await tx.unsafe(`rollback to ${name}`)
          throw causeOf(error, inner.firstError())
        }
      },
    })
    const answered = () => last?.then(ignore, ignore)
    return { tx, close: () => void (isClosed = true), answered, firstError: () => failed }
  }
}

/**
 * A statement that only reads, or locks. Should the beginning of the transaction fail, which is before it in the same round trip, it does
 * no harm outside of one; anything else waits until the transaction has begun. docs/decisions/157-statements-of-a-write-travel-together.md says why.
 */
const READS = /^\s*select\b/i

/** The beginning of a transaction. What comes behind a statement that waits for it waits, too, so that the order stays as it was. */
function openGate(begin: Promise<unknown>) {
  const gate = {
    isOpen: false,
    waiting: 0,
    opened: begin.then(() => void (gate.isOpen = true)),
    /** Why it did not begin, when that is known; null: it did. */
    failed: begin.then(
      () => null,
      (error: unknown) => error,
    ),
  }
  gate.opened.catch(ignore)
  return gate
}

const ignore = () => {}

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

  async #start({ text, values } = statementOf(this, isTemplate)): Promise<Rows<unknown>> {
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
    // what cannot be sent at all is the caller's error: nobody may await this, and the transaction would be committed without it
    this.#sent ??= this.#start(statementOf(this, isTemplate))
    this.#sent.catch(ignore)
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

/**
 * Why a transaction failed. Of statements sent together, those behind the one that failed say no more than that it is
 * aborted, and the error of one of them may be the first that `work` sees: which one depends on how many functions
 * lie between.
 */
function causeOf(thrown: unknown, first: unknown): unknown {
  const isAborted = thrown instanceof pg.DatabaseError && thrown.code === '25P02'
  return isAborted && first !== undefined ? first : thrown
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
