import type { Reader, Tx } from '../db/sql.ts'
import { LIMITS } from '../platform/limits.ts'

// The links by which the first owner signs up, and the number of accounts that a person owns.

/** Serializes sign-ups of a first owner, whichever link each uses. */
export async function firstOwnerLock(tx: Tx): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('first owner', 0))`
}

/** Stores a link, and deletes all but the newest earlier ones. */
export async function firstOwnerLinkInsert(tx: Tx, tokenHash: Buffer): Promise<void> {
  await tx`
    delete from one_time_link where link_id = any(array(
      select link_id from one_time_link where kind = 'first-owner' order by link_id desc offset ${LIMITS.firstOwnerLinksMax - 1}))`
  await tx`
    insert into one_time_link (kind, token_hash, email, expires_at)
    values ('first-owner', ${tokenHash}, '', now() + make_interval(hours => ${LIMITS.firstOwnerLinkHours}))`
}

/** Hashes of the links that are still valid. */
export async function firstOwnerHashes(reader: Reader): Promise<Buffer[]> {
  const rows = await reader<{ tokenHash: Buffer }[]>`
    select token_hash as "tokenHash" from one_time_link where kind = 'first-owner' and expires_at > now()`
  return rows.map(({ tokenHash }) => tokenHash)
}

/** Deletes all links. */
export function firstOwnerLinksDelete(tx: Tx) {
  return tx`delete from one_time_link where kind = 'first-owner'`
}

/** How many accounts a person owns. */
export async function accountsOwnedCount(reader: Reader, personId: number): Promise<number> {
  const rows = await reader<{ accountId: number }[]>`
    select account_id as "accountId" from member where person_id = ${personId} and role = 'owner'`
  return rows.length
}
