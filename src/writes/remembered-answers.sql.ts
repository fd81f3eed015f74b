import { accountCondition, type Accounts } from '../db/fragments/account-condition.ts'
import type { Db, Tx } from '../db/sql.ts'

/** A stored answer. */
export interface Remembered {
  requestHash: string
  status: number
  headers: Record<string, string>
  body: string
}

/**
 * Takes a key for the present request: undefined if the key is now ours, until the end of the transaction; otherwise
 * the answer that an earlier request with this key got. Waits for a request with the same key that is in progress.
 * docs/decisions/034-idempotency-in-the-transaction-of-the-write.md says why.
 */
export async function keyTake(
  tx: Tx,
  accountId: number,
  key: string,
  requestHash: string,
): Promise<Remembered | undefined> {
  const taken = await tx`
    insert into idempotency_key (account_id, key, request_hash, status, headers, body)
    values (${accountId}, ${key}, ${requestHash}, 0, '{}', '')
    on conflict (account_id, key) do nothing`
  if (taken.count === 1) return undefined
  // a second statement, so that it sees what was committed while the first one waited
  return keyAnswered(tx, accountId, key)
}

/** The answer of a key that an earlier request took. */
export async function keyAnswered(tx: Tx, accountId: number, key: string): Promise<Remembered | undefined> {
  const [row] = await tx<Remembered[]>`
    select request_hash as "requestHash", status, headers, body from idempotency_key
    where account_id = ${accountId} and key = ${key}`
  return row
}

/** Stores the answer of a key that this transaction took. */
export function keyAnswer(tx: Tx, accountId: number, key: string, answer: Omit<Remembered, 'requestHash'>) {
  return tx`
    update idempotency_key set status = ${answer.status}, headers = ${JSON.stringify(answer.headers)}::text::jsonb, body = ${answer.body}
    where account_id = ${accountId} and key = ${key}`
}

/** Accounts with answers older than that many hours. */
export async function accountsWithOldKeys(
  db: Db,
  hours: number,
  limit: number,
  accounts: Accounts = null,
): Promise<number[]> {
  const rows = await db<{ account_id: number }[]>`
    select distinct account_id from (
      select account_id from idempotency_key where created_at < now() - make_interval(hours => ${hours})${accountCondition(db, 'and', accounts)}
      order by created_at limit ${limit}
    ) old order by account_id`
  return rows.map((row) => row.account_id)
}

/** Deletes answers of one account that are older than that many hours, at most `limit`. @returns the number deleted. */
export async function keysForget(db: Db, accountId: number, hours: number, limit: number): Promise<number> {
  const result = await db`
    delete from idempotency_key where account_id = ${accountId} and ctid = any(array(
      select ctid from idempotency_key
      where account_id = ${accountId} and created_at < now() - make_interval(hours => ${hours})
      order by created_at limit ${limit}))`
  return result.count
}
