import { setTimeout as sleep } from 'node:timers/promises'
import { openDb } from '../../src/db/open-db.ts'
import { inTransaction, type Db, type Tx } from '../../src/db/sql.ts'
import type { TestDatabase } from './database.ts'

// Deterministic interleaving of two connections: a transaction that stays open until the test ends it, and a way to find out
// whether work on another connection waits for a lock or has ended.

/** A transaction that has done its work and is still open. Disposing rolls it back. */
export interface Held<T> extends AsyncDisposable {
  value: T
  commit(): Promise<void>
  rollback(): Promise<void>
}

class RolledBack extends Error {}

/** Runs `work` in a transaction that stays open until the test ends it. */
export async function hold<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<Held<T>> {
  const done = Promise.withResolvers<T>()
  const end = Promise.withResolvers<void>()
  const transaction = inTransaction(db, async (tx) => {
    const value = await work(tx)
    // statements that `work` has sent without awaiting them have been run, too
    await tx`select 1`
    done.resolve(value)
    await end.promise
  })
  transaction.catch(done.reject)
  const value = await done.promise
  const rollback = async () => {
    end.reject(new RolledBack())
    await transaction.catch((error: unknown) => {
      if (!(error instanceof RolledBack)) throw error
    })
  }
  return {
    value,
    async commit() {
      end.resolve()
      await transaction
    },
    rollback,
    // does nothing where the transaction has ended
    [Symbol.asyncDispose]: rollback,
  }
}

/** A connection with an application name of its own, by which it is found in pg_stat_activity. */
export interface Named extends AsyncDisposable {
  db: Db
  /** Waits until `running`, a piece of work on this connection, waits for a lock or is over (resolved or rejected). */
  fate(running: Promise<unknown>): Promise<'blocked' | 'over'>
  /** Cancels the statements that run on it. */
  cancel(): Promise<void>
}

let sequence = 0

export function openNamed(database: TestDatabase, connectionsMax = 1): Named {
  const name = `named-${process.pid}-${sequence++}`
  const db = openDb({ url: database.url, connectionsMax, applicationName: name })
  return {
    db,
    async fate(running) {
      let isOver = false
      const over = () => {
        isOver = true
      }
      running.then(over, over)
      const deadline = performance.now() + 20_000
      while (performance.now() < deadline) {
        if (isOver) return 'over'
        if (await database.isBlocked(name)) return 'blocked'
        await sleep(2)
      }
      throw new Error('the work neither ended nor waited for a lock')
    },
    async cancel() {
      await database.db`select pg_cancel_backend(pid) from pg_stat_activity where application_name = ${name} and state = 'active'`
    },
    async [Symbol.asyncDispose]() {
      await db.end({ timeout: 5 })
    },
  }
}

/** Like `fate`, but for work on any connection: it counts as blocked when any session of the database waits for a lock. */
export async function fateOf(database: TestDatabase, running: Promise<unknown>): Promise<'blocked' | 'over'> {
  let isOver = false
  const over = () => {
    isOver = true
  }
  running.then(over, over)
  let isBlocked = false
  await until('the work ended or came to wait for a lock', async () => {
    isBlocked = await database.isBlocked()
    return isBlocked || isOver
  })
  return isOver ? 'over' : 'blocked'
}

/** How many deadlocks the server has found in this database. */
export async function deadlocksSoFar(db: Db): Promise<number> {
  const [row] = await db<{ deadlocks: number }[]>`
    select deadlocks::int from pg_stat_database where datname = current_database()`
  return row?.deadlocks ?? 0
}

/** How many deadlocks have been found since `before` was read. Waits, because backends report them about a second late, without any sign. */
export async function deadlocksSince(db: Db, before: number): Promise<number> {
  await sleep(1_200)
  return (await deadlocksSoFar(db)) - before
}

/** Resolves when `condition` holds, for things that another process or the server does in its own time. @throws Error after `timeoutMs` */
export async function until(what: string, condition: () => Promise<boolean>, timeoutMs = 20_000): Promise<void> {
  const from = performance.now()
  while (!(await condition())) {
    const waitedMs = performance.now() - from
    if (waitedMs > timeoutMs) throw new Error(`not within ${timeoutMs} ms: ${what}`)
    // polls become rarer: most conditions are statements, which slow down the work that is waited for
    await sleep(Math.min(25, 5 + waitedMs / 20))
  }
}

/** The seed of a random test: SEED of the environment (the full gate chooses one), or a constant. It is printed, so that a run can be repeated. */
export function seedFor(test: string): number {
  const seed = Number(process.env['SEED'] ?? 20_261_121)
  process.stdout.write(`${test}: SEED=${seed}\n`)
  return seed
}
