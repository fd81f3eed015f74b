import { ownerOf } from '../../db/owner.sql.ts'
import type { Reader, Tx } from '../../db/sql.ts'

// Pictures that owners have sent. They are pictures like those of suppliers, by the URL that they were given, but are never fetched.

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

/** Records a picture as ours to stay; whatever was known under its URL before. */
export async function uploadUpsert(tx: Tx, accountId: number, row: UploadedRow): Promise<void> {
  await tx`
    insert into image (account_id, url_hash, url, host, state, hash, type, width, height, bytes, fetched_at, next_fetch_at)
    select owner.account_id, ${row.urlHash}::uuid, ${row.url}, ${row.host}, 'mirrored', ${row.hash}, ${row.type},
      ${row.width}::int, ${row.height}::int, ${row.bytes}::bigint, statement_timestamp(), null
    from ${ownerOf(tx, accountId)}
    on conflict (account_id, url_hash) do update set state = excluded.state, hash = excluded.hash, type = excluded.type,
      width = excluded.width, height = excluded.height, bytes = excluded.bytes, reason = null, etag = null, last_modified = null,
      failures = 0, failed_since = null, fetched_at = excluded.fetched_at, next_fetch_at = null, lease_id = null`
}

/** Pictures that an account's owner sent more than so many days ago and that no product names; some of them. */
export async function uploadsUnnamed(
  reader: Reader,
  accountId: number,
  days: number,
  limit: number,
): Promise<string[]> {
  const rows = await reader<{ urlHash: string }[]>`
    select i.url_hash as "urlHash" from image i
    where i.account_id = ${accountId} and i.next_fetch_at is null and i.fetched_at < now() - make_interval(days => ${days})
      and not exists (select from product_image p where p.account_id = ${accountId} and p.url_hash = i.url_hash)
    order by i.url_hash limit ${limit}`
  return rows.map((row) => row.urlHash)
}
