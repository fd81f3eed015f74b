import { changeUse } from '../../accounts/limits/use.ts'
import { accountCondition, type Accounts } from '../../db/fragments/account-condition.ts'
import { ownerOf } from '../../db/fragments/owner.sql.ts'
import type { Reader, Tx } from '../../db/sql.ts'

// Uploads of owners. They are rows like suppliers' pictures, under the URL that they were given, but are never fetched
// (next_fetch_at is null). Their `fetched_at` is the time of the last upload.

export interface UploadedRow {
  urlHash: string
  url: string
  host: string
  hash: string
  type: string
  width: number
  height: number
  bytes: number
}

/** Records a picture as the account's own, and replaces whatever was recorded for its URL. @throws ShelfwireError quota-exceeded */
export async function uploadUpsert(tx: Tx, accountId: number, row: UploadedRow): Promise<void> {
  const [known] = await tx<{ bytes: number | null }[]>`
    select bytes from image where account_id = ${accountId} and url_hash = ${row.urlHash}::uuid for no key update`
  const [written] = await tx<{ isNew: boolean }[]>`
    insert into image (account_id, url_hash, url, host, state, hash, type, width, height, bytes, fetched_at, next_fetch_at)
    select owner.account_id, ${row.urlHash}::uuid, ${row.url}, ${row.host}, 'mirrored', ${row.hash}, ${row.type},
      ${row.width}::int, ${row.height}::int, ${row.bytes}::bigint, now(), null
    from ${ownerOf(tx, accountId)}
    on conflict (account_id, url_hash) do update set state = excluded.state, hash = excluded.hash, type = excluded.type,
      width = excluded.width, height = excluded.height, bytes = excluded.bytes, reason = null, etag = null, last_modified = null,
      failures = 0, failed_since = null, failing_ms = 0, failing_reasons = '{}', told_at = null, fetched_at = excluded.fetched_at,
      next_fetch_at = null, lease_id = null
    returning xmax = 0 as "isNew"`
  // a row that appeared between the two statements is the same upload: the URL contains the hash of the bytes
  const before = known === undefined && written?.isNew === false ? row.bytes : (known?.bytes ?? null)
  await changeUse(tx, accountId, { pictures: before === null ? 1 : 0, picture_bytes: row.bytes - (before ?? 0) })
}

/** Accounts with uploads that are older than so many days and that no product names. */
export async function accountsWithUnnamedUploads(
  reader: Reader,
  days: number,
  limit: number,
  accounts: Accounts = null,
): Promise<number[]> {
  const rows = await reader<{ account_id: number }[]>`
    select distinct i.account_id from image i
    where i.next_fetch_at is null and i.fetched_at < now() - make_interval(days => ${days})${accountCondition(reader, 'and', accounts, 'i')}
      and not exists (select from product_image p where p.account_id = i.account_id and p.url_hash = i.url_hash)
    order by i.account_id limit ${limit}`
  return rows.map((row) => row.account_id)
}

/**
 * Locks some of one account's unnamed old uploads exclusively, also against products that begin to name them.
 * A later statement has to check whether a product names them.
 */
export async function unnamedUploadsLock(
  tx: Tx,
  accountId: number,
  days: number,
  limit: number,
): Promise<{ urlHash: string; hash: string }[]> {
  return tx<{ urlHash: string; hash: string }[]>`
    select i.url_hash as "urlHash", i.hash from image i
    where i.account_id = ${accountId} and i.next_fetch_at is null and i.fetched_at < now() - make_interval(days => ${days})
      and not exists (select from product_image p where p.account_id = ${accountId} and p.url_hash = i.url_hash)
    order by i.url_hash limit ${limit} for update of i`
}
