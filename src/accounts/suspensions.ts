import type { Db, Tx } from '../db/sql.ts'
import type { Wake } from '../db/wake.ts'
import { Check } from '../input/check.ts'
import { asError, ShelfwireError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import type { Log } from '../platform/log.ts'
import { startLoop, type Loop } from '../platform/process/loop.ts'
import { accountSuspend, suspendedAccounts } from './suspensions.sql.ts'

// Suspended accounts: their requests are refused, and their work waits in the database until they are resumed.

/**
 * Keeps `db.resting` up to date with the database: at each notification, and at least every LIMITS.directoryTtlMs. Resolves when the accounts
 * that are suspended now are known. While the database does not answer, the last known state applies.
 */
export async function openSuspensions(db: Db, wake: Wake, log: Log): Promise<Pick<Loop, 'stop'>> {
  const first = Promise.withResolvers<void>()
  const loop = startLoop({
    name: 'suspensions',
    log,
    idleMs: LIMITS.directoryTtlMs,
    step: async () => {
      await suspendedAccounts(db).then(
        (accountIds) => db.resting.set(accountIds),
        (error: unknown) => log.debug({ err: asError(error) }, 'suspended accounts could not be read'),
      )
      first.resolve()
      return 'idle'
    },
  })
  const unsubscribe = wake.on('directory', () => loop.poke())
  await first.promise
  return {
    async stop() {
      unsubscribe()
      await loop.stop()
    },
  }
}

/** @throws ShelfwireError account-suspended. It does not contain the reason, which is for members only: holders of tokens may be others. */
export function requireActive(db: Pick<Db, 'resting'>, accountId: number): void {
  if (db.resting.has(accountId)) throw accountIsSuspended()
}

export const accountIsSuspended = () =>
  new ShelfwireError(
    'account-suspended',
    'the operator of this service has suspended the account; its members read why in the panel',
  )

/** Notifies all processes. Without the notification they would notice within LIMITS.directoryTtlMs. */
export function notifyOfSuspension(wake: Wake, accountId: number): void {
  for (const topic of ['directory', 'mark', 'import', 'operation', 'endpoint'] as const) wake.notify(topic, accountId)
}

/** Suspends an account. @param reason shown to members; null or blank: none. @throws ShelfwireError invalid-input; unknown-account */
export async function suspend(tx: Tx, accountId: number, reason: string | null): Promise<void> {
  const text = reason?.trim() ?? ''
  const check = new Check()
  const max = LIMITS.suspensionReasonLengthMax
  check.that(text.length <= max, 'reason', `must have at most ${max} characters`)
  check.that(!/[\p{Cc}\p{Cs}]/u.test(text), 'reason', 'must not contain control characters')
  check.done('account')
  if (!(await accountSuspend(tx, accountId, text === '' ? null : text)))
    throw new ShelfwireError('unknown-account', `there is no account ${accountId}`)
}
