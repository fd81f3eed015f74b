import pg from 'pg'
import { CommitUnknown, isBroken, isConnectionError, isReadOnly } from './connections/connection-errors.ts'
import { forgetName, isStalePlan } from './statements/prepared-names.ts'
import type { Tx } from './sql.ts'
import type { Statements } from './statements/statements.ts'
import { readerOf, type Run } from './statements/template.ts'

/** The longest time that a timer takes, 24 days. */
const UNLIMITED_MS = 2 ** 31 - 1
/** Makes names of savepoints differ within a transaction. */
let savepoints = 0

/**
 * A statement that only reads or locks. It may be sent together with the transaction's beginning: if that fails, it does no harm outside a
 * transaction. Anything else waits until the transaction has begun. docs/decisions/157-statements-of-a-write-travel-together.md says why.
 */
const READS = /^\s*select\b/i

const ignore = () => {}

/**
 * Runs `work` in a transaction on a connection of its own. If an idle connection turns out to be broken, another one is used.
 * @param mode the text after `begin`
 * @throws CommitUnknown if it is unknown whether the transaction is committed; otherwise the error of the server or of `work`, and nothing is
 * committed
 */
export async function runTransaction<T>(
  statements: Statements,
  mode: string,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const { connections } = statements
  for (let isFirst = true; ; isFirst = false) {
    const client = await connections.take()
    let isUseless = true
    // sent together with the first statements of `work` if they only read
    const beginning = new Beginning(statements.plain(client, `begin ${mode}`))
    try {
      const scope = new Scope({ statements, client, beginning, answerMs: undefined })
      try {
        const result = await work(scope.tx)
        // statements sent without awaiting them, including those that wait for the beginning, are answered before the commit
        if (beginning.waiting > 0) await beginning.opened
        scope.close()
        // PostgreSQL has aborted the transaction if a statement failed, even if `work` caught the error
        scope.throwFirstError()
        await commit(statements, client, scope)
        await beginning.opened
        isUseless = false
        return result
      } catch (thrown) {
        scope.close()
        const notBegun = await beginning.failed
        // a connection that broke while it was idle is noticed only here, before anything was done
        if (isFirst && isBroken(notBegun)) continue
        if (notBegun !== null) throw notBegun
        const error = causeOf(thrown, scope.firstError)
        statements.onError(error)
        if (isReadOnly(error)) connections.replaceAll()
        else if (!isConnectionError(error))
          isUseless = await statements.plain(client, 'rollback').then(
            () => false,
            () => true,
          )
        throw error
      }
    } finally {
      connections.give(client, isUseless)
    }
  }
}

/**
 * Commits after everything that was sent. After a failed statement, a commit is a rollback.
 * @throws CommitUnknown if it is unknown whether the transaction is committed, on the standby as well
 */
async function commit(statements: Statements, client: pg.PoolClient, scope: Scope): Promise<void> {
  let command: string
  try {
    ;({ command } = await statements.plain(client, 'commit'))
  } catch (error) {
    if (!isConnectionError(scope.firstError)) scope.throwFirstError()
    if (!isConnectionError(error)) throw error
    throw new CommitUnknown('the connection was lost during the commit', { cause: error })
  }
  scope.throwFirstError()
  if (command !== 'COMMIT') throw new Error('the transaction was rolled back at its end')
  // Somebody cancelled the wait for the standby, which the server never does: the transaction is committed here, but lost if the standby takes over.
  if (statements.connections.isUnreplicated(client)) throw new CommitUnknown('the commit did not wait for the standby')
}

/** The beginning of a transaction. Statements after one that waits for it wait as well, so that their order is kept. */
class Beginning {
  isOpen = false
  waiting = 0
  readonly opened: Promise<void>
  /** The error of the beginning, once it is known; null: it succeeded. */
  readonly failed: Promise<unknown>

  constructor(begin: Promise<unknown>) {
    this.opened = begin.then(() => void (this.isOpen = true))
    this.failed = begin.then(
      () => null,
      (error: unknown) => error,
    )
    this.opened.catch(ignore)
  }
}

/** The connection of a transaction, shared by all of its savepoints. */
interface Owned {
  statements: Statements
  client: pg.PoolClient
  beginning: Beginning
  /** How long to wait for answers, in ms; undefined: the default. */
  answerMs: number | undefined
}

/** A transaction or a savepoint within it: sends statements and remembers the first error among them. */
class Scope {
  readonly tx: Tx
  readonly #owned: Owned
  #isClosed = false
  #firstError: unknown
  /** The last statement sent. Answers arrive in the order of the statements. */
  #last: Promise<unknown> | undefined

  constructor(owned: Owned) {
    this.#owned = owned
    this.tx = Object.assign(readerOf(this.#run), {
      allowLongStatements: async () => {
        owned.answerMs = UNLIMITED_MS
        await this.tx.unsafe('set local statement_timeout = 0')
      },
      savepoint: <T>(work: (tx: Tx) => Promise<T>) => this.#savepoint(work),
    })
  }

  /** undefined: no statement has failed. */
  get firstError(): unknown {
    return this.#firstError
  }

  throwFirstError(): void {
    if (this.#firstError !== undefined) throw this.#firstError
  }

  /** Refuses further statements. */
  close(): void {
    this.#isClosed = true
  }

  readonly #run: Run = async (text, values, isNamed) => {
    if (this.#isClosed) throw new Error('the transaction has ended: no further statement can be sent in it')
    const { statements, client, beginning } = this.#owned
    try {
      if (beginning.waiting > 0 || (!beginning.isOpen && !(isNamed && READS.test(text)))) {
        beginning.waiting++
        await beginning.opened
        beginning.waiting--
      }
      const answer = statements.on(client, text, values, isNamed, this.#owned.answerMs)
      this.#last = answer
      return await answer
    } catch (error) {
      if (isStalePlan(error)) forgetName(text)
      this.#firstError ??= error
      throw error
    }
  }

  async #savepoint<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const name = `s${savepoints++}`
    await this.tx.unsafe(`savepoint ${name}`)
    const inner = new Scope(this.#owned)
    try {
      const result = await work(inner.tx)
      inner.close()
      await inner.#last?.then(ignore, ignore)
      inner.throwFirstError()
      return result
    } catch (error) {
      inner.close()
      await this.tx.unsafe(`rollback to ${name}`)
      throw causeOf(error, inner.firstError)
    }
  }
}

/**
 * The cause of a transaction's failure. Of statements sent together, those after the failed one only report that the transaction is aborted, and
 * `work` may see one of these errors first, depending on the number of functions between.
 */
function causeOf(thrown: unknown, first: unknown): unknown {
  const isAborted = thrown instanceof pg.DatabaseError && thrown.code === '25P02'
  return isAborted && first !== undefined ? first : thrown
}
