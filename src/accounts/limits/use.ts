import { inTransaction, type Db, type Reader, type Tx } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { Log } from '../../platform/log.ts'
import { startLoop, type Loop } from '../../platform/process/loop.ts'
import { limitsOf } from './limits.sql.ts'
import { withDefaults } from './limits.ts'
import { QuotaExceeded } from './quota.ts'
import {
  accountsToCount,
  accountsWithChanges,
  changesInsert,
  changesTake,
  COUNTED,
  usesAdd,
  usesCounted,
  usesDrift,
  usesLock,
  usesOf,
  type Change,
  type CountedBudget,
} from './use.sql.ts'

/** Changes of the use by budget, as in Change.amount; a budget that is left out does not change. */
export type UseChanges = Partial<Record<CountedBudget, number>>

/**
 * Records what a transaction adds to the account's budgets and removes from them, and refuses what does not fit. Writers do not wait
 * for each other here, so concurrent ones do not see each other's changes. Products and offers are created by one transaction at a
 * time (productCreatorsLock), so their limits are exact; of overrides and pictures, concurrent transactions may exceed a limit together.
 * A transaction that adds something sends three statements together; others send one.
 * docs/decisions/150-what-an-account-uses-is-noted.md says why.
 * @throws QuotaExceeded
 */
export async function changeUse(tx: Tx, accountId: number, changes: UseChanges): Promise<void> {
  const rows = rowsOf(changes)
  const added = rows.filter(({ amount }) => amount > 0)
  if (rows.length === 0) return
  if (added.length === 0) {
    await changesInsert(tx, accountId, rows)
    return
  }
  const [, stocks] = await Promise.all([
    // sent first, so that the use that is read includes it
    changesInsert(tx, accountId, rows).execute(),
    stocksOf(
      tx,
      accountId,
      added.map(({ budget }) => budget),
    ),
  ])
  for (const { budget, limit, used } of stocks) {
    const amount = changes[budget] ?? 0
    if (limit !== null && used > limit) throw QuotaExceeded.ofStock(budget, Math.max(0, used - amount), limit, amount)
  }
}

/** Records changes that have happened already, without refusing any. */
export async function recordUse(tx: Tx, accountId: number, changes: UseChanges): Promise<void> {
  const rows = rowsOf(changes)
  if (rows.length > 0) await changesInsert(tx, accountId, rows)
}

const rowsOf = (changes: UseChanges): Change[] =>
  COUNTED.flatMap((budget) => {
    const amount = changes[budget] ?? 0
    return amount === 0 ? [] : [{ budget, amount }]
  })

/** A budget whose use is stored as a number. */
export interface Stock {
  budget: CountedBudget
  /** null: no limit. */
  limit: number | null
  used: number
}

/** Limits and use of budgets, including the changes of the transaction itself. */
export async function stocksOf(reader: Reader, accountId: number, budgets: readonly CountedBudget[]): Promise<Stock[]> {
  const [set, noted] = await Promise.all([limitsOf(reader, accountId, budgets), usesOf(reader, accountId)])
  const limits = withDefaults(set)
  const uses = new Map(noted.map(({ budget, used }) => [budget, used]))
  // a budget without a row is unused
  return budgets.map((budget) => ({ budget, limit: limits[budget], used: uses.get(budget) ?? 0 }))
}

/** How much more fits into a budget; Infinity without a limit. */
export const remainingIn = ({ limit, used }: Stock): number => (limit === null ? Infinity : Math.max(0, limit - used))

/** Adds up recorded changes. @returns whether there may be more. */
export async function addUpUse(db: Db, accountId: number): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const changes = await changesTake(tx, accountId, LIMITS.useChangesPerStep)
    if (changes.length > 0) await usesAdd(tx, accountId, changes)
    return changes.length === LIMITS.useChangesPerStep
  })
}

/**
 * Counts the things of an account and corrects the stored use: for accounts that are older than budgets, and after writes
 * by processes of an older release. @returns by how much each budget was off.
 */
export function countUse(db: Db, accountId: number): Promise<UseChanges> {
  return inTransaction(db, (tx) => countUseIn(tx, accountId))
}

/** countUse within a transaction that holds no locks yet. */
export async function countUseIn(tx: Tx, accountId: number): Promise<UseChanges> {
  await tx.allowLongStatements()
  await usesLock(tx, accountId)
  const drift = (await usesDrift(tx, accountId)).filter(({ amount }) => amount !== 0)
  if (drift.length > 0) await usesAdd(tx, accountId, drift)
  await usesCounted(tx, accountId)
  return Object.fromEntries(drift.map(({ budget, amount }) => [budget, amount]))
}

const IDLE_MS = 2_000
const COUNT_EVERY_MS = 30_000

/** Those of the accounts that still have to be counted. Accounts on an unavailable node are left out: the next search finds them again. */
async function stillToCount(db: Db, accounts: readonly number[]): Promise<readonly number[]> {
  const here = accounts.filter((accountId) => !db.nodes.isAway(accountId))
  return accountsToCount(db, LIMITS.useCountedHours, here.length, here)
}

/** Starts adding up the use of budgets, and counting it once a day. Any number of processes may run this. */
export function startCountingUse(db: Db, log: Log): Loop {
  let countAt = -Infinity
  /** Accounts that the last search found. A few are counted per step, and the next search begins when none is left. */
  let toCount: number[] = []
  return startLoop({
    name: 'account-use',
    log,
    idleMs: IDLE_MS,
    async step(signal) {
      const due = await db.nodes.scan('account use', (accounts) => accountsWithChanges(db, accounts))
      let isMore = false
      for (const accountId of due.rows)
        if ((await db.nodes.unlessAway(accountId, () => addUpUse(db, accountId))) === true) isMore = true
      if (toCount.length === 0 && performance.now() >= countAt) {
        countAt = performance.now() + COUNT_EVERY_MS
        const old = await db.nodes.scan('account use to count', (accounts) =>
          accountsToCount(db, LIMITS.useCountedHours, LIMITS.useFoundPerLook, accounts),
        )
        toCount = [...old.rows]
      }
      const next = toCount.splice(0, LIMITS.useCountedPerStep)
      // another process may have counted some since the search
      const still = next.length === 0 ? [] : await stillToCount(db, next)
      for (const accountId of still) {
        if (signal.aborted) return 'idle'
        await db.nodes.unlessAway(accountId, async () => {
          const drift = await countUse(db, accountId)
          if (Object.keys(drift).length > 0) log.debug({ accountId, drift }, 'what an account uses was counted')
        })
      }
      return isMore ? 'more' : 'idle'
    },
  })
}
