import { LRUCache } from 'lru-cache'
import type { Db } from '../../db/sql.ts'
import type { Wake } from '../../db/wake.ts'
import { limitsByDefault, type LimitOfBudget } from '../../platform/limits/account-limits.ts'
import { asError } from '../../platform/errors.ts'
import { entriesMax } from '../../platform/caches/entries-max.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { Log } from '../../platform/log.ts'
import { limitsOfAccounts } from './limits.sql.ts'
import { withDefaults } from './limits.ts'

/** Limits of accounts in memory, for checks in every request. */
export interface KeptLimits {
  /** Never waits: while an account's limits are being read, returns the previous ones, or the defaults. */
  of(accountId: number): LimitOfBudget
}

/** Limits are read again after at most LIMITS.directoryTtlMs, those of many accounts in one statement. */
export function openKeptLimits(db: Db, wake: Wake, log: Log): KeptLimits {
  const known = new LRUCache<number, { limits: LimitOfBudget; readAt: number }>(entriesMax(LIMITS.directoryEntriesMax))
  const wanted = new Set<number>()
  let reading: Promise<void> | undefined
  wake.on('directory', () => {
    for (const entry of known.values()) entry.readAt = -Infinity
  })

  const read = async () => {
    // collects the other accounts whose limits are needed in this turn of the event loop
    await new Promise((resolve) => setImmediate(resolve))
    const accountIds = [...wanted].slice(0, LIMITS.lookupBatchMax)
    for (const accountId of accountIds) wanted.delete(accountId)
    const readAt = performance.now()
    const present = accountIds.filter((accountId) => !db.nodes.isAway(accountId))
    const rows = present.length === 0 ? [] : await limitsOfAccounts(db, present)
    const set = Map.groupBy(rows, (row) => row.accountId)
    for (const accountId of accountIds)
      if (present.includes(accountId)) known.set(accountId, { limits: withDefaults(set.get(accountId) ?? []), readAt })
      else known.set(accountId, { limits: known.get(accountId)?.limits ?? limitsByDefault(), readAt })
  }

  const readSoon = (accountId: number) => {
    wanted.add(accountId)
    reading ??= read()
      .catch((error: unknown) => log.debug({ err: asError(error) }, 'limits of accounts could not be read'))
      .finally(() => {
        reading = undefined
        const [next] = wanted
        if (next !== undefined) readSoon(next)
      })
  }

  return {
    of(accountId) {
      const entry = known.get(accountId)
      if (entry !== undefined && performance.now() - entry.readAt < LIMITS.directoryTtlMs) return entry.limits
      // if the database does not answer, the next requests must not each try to read again
      if (entry !== undefined) entry.readAt = performance.now()
      readSoon(accountId)
      return entry?.limits ?? limitsByDefault()
    },
  }
}
