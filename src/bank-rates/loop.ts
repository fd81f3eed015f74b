import { inTransaction } from '../db/sql.ts'
import type { Wake } from '../db/wake.ts'
import { LIMITS } from '../platform/limits.ts'
import { startLoop, type Loop } from '../platform/process/loop.ts'
import { accountsToCompare, isBankWanted } from './bank-rates.sql.ts'
import { currentBankRates, type BankContext } from './fetch.ts'
import { takeOverRates } from './take-over.ts'

/** How long an account that starts to use the bank's rates waits for the known ones, at most. */
const IDLE_MS = 10_000

/**
 * The loop that keeps accounts' exchange rates at those of the European Central Bank, for accounts that want it; while none does, it only checks this
 * in the database. Any number of processes may run one. docs/decisions/213-exchange-rates-of-the-bank.md says why.
 */
export function startBankRates(context: BankContext, wake: Wake, options: { idleMs?: number } = {}): Loop {
  const { log } = context
  return startLoop({
    name: 'bank rates',
    log,
    idleMs: options.idleMs ?? IDLE_MS,
    step: async (signal) => ((await bankRatesStep(context, wake, signal)) ? 'more' : 'idle'),
  })
}

/** @returns whether there may be more to do. @internal for tests */
export async function bankRatesStep(context: BankContext, wake: Wake, signal: AbortSignal): Promise<boolean> {
  const { db, log } = context
  if (!(await isBankWanted(db))) return false
  const bank = await currentBankRates(context, signal)
  if (bank === null) return false
  const due = await db.nodes.scan('bank rates', (accounts) =>
    accountsToCompare(db, bank, LIMITS.bankRatesAccountsPerStep, accounts),
  )
  let isMore = false
  for (const accountId of due.rows) {
    if (signal.aborted) return false
    if (db.resting.has(accountId)) continue
    const done = await db.nodes.unlessAway(accountId, () =>
      inTransaction(db, (tx) => takeOverRates(tx, accountId, bank)),
    )
    if (done === undefined) continue
    wake.notify('mark', accountId)
    if (done.taken + done.held > 0) log.info({ accountId, day: bank.day, ...done }, 'exchange rates compared')
    isMore ||= due.rows.length === LIMITS.bankRatesAccountsPerStep
  }
  return isMore
}
