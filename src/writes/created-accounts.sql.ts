import type { Reader, Tx } from '../db/sql.ts'

// Idempotency keys of requests that create an account, which cannot be kept under an account.

/** The account that an earlier request with the same key created. */
export interface CreatedAccount {
  requestHash: string
  accountId: number
}

/**
 * Takes a key like keyTake(): undefined if it is now ours, until the end of the transaction; otherwise the account that
 * an earlier request created.
 */
export async function createdAccountTake(
  tx: Tx,
  key: string,
  requestHash: string,
): Promise<CreatedAccount | undefined> {
  const taken = await tx`
    insert into created_account (key, request_hash) values (${key}, ${requestHash}) on conflict (key) do nothing`
  if (taken.count === 1) return undefined
  // a second statement, so that it sees what was committed while the first one waited
  const [row] = await tx<CreatedAccount[]>`
    select request_hash as "requestHash", created_account_id as "accountId" from created_account where key = ${key}`
  return row
}

export function createdAccountPut(tx: Tx, key: string, accountId: number) {
  return tx`update created_account set created_account_id = ${accountId} where key = ${key}`
}

/** Deletes keys older than that many hours, at most `limit`. @returns the number deleted. */
export async function createdAccountsForget(db: Reader, hours: number, limit: number): Promise<number> {
  const result = await db`
    delete from created_account where key = any(array(
      select key from created_account where created_at < now() - make_interval(hours => ${hours})
      order by created_at limit ${limit}))`
  return result.count
}
