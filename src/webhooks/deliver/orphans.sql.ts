import { PRESENCE_LOCKS } from '../../db/connections/presence.ts'
import { accountCondition, type Accounts } from '../../db/fragments/account-condition.ts'
import type { Reader, Tx } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'

// Leases of processes that have ended, which is the case if the advisory lock of the process's number is free.

/**
 * Numbers of processes that hold leases but not their lock, with the accounts concerned. Each lock is taken in shared mode for this
 * statement only.
 */
export function endedLeaseHolders(reader: Reader, except: number, accounts: Accounts = null) {
  return reader<{ holder: number; accountIds: number[] }[]>`
    select g.holder, g.account_ids as "accountIds" from (
      select lease_holder as holder, array_agg(distinct account_id) as account_ids from endpoint_state
      where due_at > now() and due_at <= now() + make_interval(secs => ${LIMITS.webhookLeaseMs / 1_000})
        and lease_id is not null and lease_holder <> ${except}${accountCondition(reader, 'and', accounts)}
      group by lease_holder offset 0
    ) g
    where pg_try_advisory_xact_lock_shared(${PRESENCE_LOCKS}::int, g.holder)`
}

/**
 * Ends an account's leases of processes that have ended, which makes its endpoints due at once. Locked endpoints are skipped. Until the
 * end of the transaction, none of these processes can take its lock again. @returns the number of leases ended.
 */
export async function leasesEnd(tx: Tx, accountId: number, holders: readonly number[]): Promise<number> {
  const gone = await tx<{ holder: number }[]>`
    select h.holder from unnest(${[...holders]}::int[]) as h (holder)
    where pg_try_advisory_xact_lock_shared(${PRESENCE_LOCKS}::int, h.holder)`
  const ended = await tx`
    with held as (
      select endpoint_id from endpoint_state
      where account_id = ${accountId} and lease_id is not null and leased_until > now()
        and lease_holder = any(${gone.map(({ holder }) => holder)}::int[])
      order by endpoint_id for update skip locked
    )
    update endpoint_state set leased_until = now(), due_at = now(), lease_holder = null
    where account_id = ${accountId} and endpoint_id = any(array(select endpoint_id from held))`
  return ended.count
}
