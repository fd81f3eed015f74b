import type { Reader, Tx } from '../../db/sql.ts'

// Which stored pictures are used by any account: bytes that several accounts have are stored once.

/** Those of the hashes that a picture of any account has. */
export async function hashesUsed(reader: Reader, hashes: readonly string[]): Promise<Set<string>> {
  const rows = await reader<
    { hash: string }[]
  >`select distinct hash from image where hash = any(${[...hashes]}::text[])`
  return new Set(rows.map((row) => row.hash))
}

/** Those of the hashes that some account has stopped using within the last `days`. */
export async function hashesUsedLately(reader: Reader, hashes: readonly string[], days: number): Promise<Set<string>> {
  const rows = await reader<{ hash: string }[]>`
    select distinct hash from image_unused
    where hash = any(${[...hashes]}::text[]) and since > now() - make_interval(days => ${days})`
  return new Set(rows.map((row) => row.hash))
}

/** Accounts with records of unused hashes that are older than needed. */
export async function accountsWithOldUnused(reader: Reader, days: number): Promise<number[]> {
  const rows = await reader<{ account_id: number }[]>`
    select distinct account_id from image_unused where since < now() - make_interval(days => ${days}) order by account_id`
  return rows.map((row) => row.account_id)
}

/** Deletes records of unused hashes that are older than so many days. */
export async function unusedForget(tx: Tx, accountId: number, days: number): Promise<void> {
  await tx`delete from image_unused where account_id = ${accountId} and since < now() - make_interval(days => ${days})`
}

/** A picture that the store should have. */
export interface StoredRow {
  urlHash: string
  url: string
  hash: string
  type: string
  bytes: number
  /** Whether it can be fetched again: true for adopted pictures, which still have the URL of their source, and false for uploads. */
  isFetched: boolean
}

/** An account's stored pictures in the order of their keys, after a key. */
export function storedAfter(reader: Reader, accountId: number, after: string, limit: number) {
  return reader<StoredRow[]>`
    select url_hash as "urlHash", url, hash, type, bytes, (next_fetch_at is not null or adopted_at is not null) as "isFetched" from image
    where account_id = ${accountId} and url_hash > ${after} and hash is not null
    order by url_hash limit ${limit}`
}

/** Puts pictures under a lease of the caller, even if a run is fetching them: its outcome is then not recorded. */
export async function imagesLease(
  tx: Tx,
  accountId: number,
  urlHashes: readonly string[],
  leaseId: string,
): Promise<void> {
  await tx`
    update image set lease_id = ${leaseId}
    where account_id = ${accountId} and url_hash = any(array(
      select url_hash from image where account_id = ${accountId} and url_hash = any(${[...urlHashes]}::uuid[])
      order by url_hash for no key update))`
}
