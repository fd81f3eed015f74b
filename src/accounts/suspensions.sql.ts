import type { Reader, Tx } from '../db/sql.ts'

/** Suspends an account, or replaces the reason if it is suspended. @returns whether the account exists */
export async function accountSuspend(tx: Tx, accountId: number, reason: string | null): Promise<boolean> {
  const updated = await tx`
    update account set suspended_at = coalesce(suspended_at, ${new Date()}), suspension_reason = ${reason}
    where account_id = ${accountId} returning 1`
  return updated.length > 0
}

/** Suspends an account; one that is already suspended keeps its reason. @returns whether the account exists */
export async function accountSuspendForErasure(tx: Tx, accountId: number): Promise<boolean> {
  const updated = await tx`
    update account set suspended_at = coalesce(suspended_at, ${new Date()}) where account_id = ${accountId} returning 1`
  return updated.length > 0
}

/** Ends a suspension. @returns whether the account was suspended */
export async function accountResume(tx: Tx, accountId: number): Promise<boolean> {
  const updated = await tx`
    update account set suspended_at = null, suspension_reason = null
    where account_id = ${accountId} and suspended_at is not null returning 1`
  return updated.length > 0
}

/** Whether an account is suspended, read from the database. */
export async function accountSuspended(reader: Reader, accountId: number): Promise<boolean> {
  const rows = await reader`select 1 from account where account_id = ${accountId} and suspended_at is not null`
  return rows.length > 0
}

export async function suspendedAccounts(reader: Reader): Promise<number[]> {
  const rows = await reader<{ account_id: number }[]>`
    select account_id from account where suspended_at is not null order by account_id`
  return rows.map((row) => row.account_id)
}
