import { changeUse } from '../../accounts/limits/use.ts'
import { ownerOf } from '../../db/fragments/owner.sql.ts'
import type { Reader, Tx } from '../../db/sql.ts'
import type { ImageState } from './state.ts'

// The outcomes of fetching, recorded in one transaction per run.

/** First half of the advisory locks on stored bytes; the second half is the first 32 bits of their hash. */
const BYTES_LOCKS = 731_810_431

/**
 * Keeps the bytes of these hashes from being removed until the end of the transaction. A transaction that removes
 * bytes takes the same lock exclusively, and checks in a later statement whether they are used.
 */
export async function bytesLockShared(tx: Tx, hashes: readonly string[]): Promise<void> {
  const keys = [...new Set(hashes.map(lockKeyOf))].sort((a, b) => a - b)
  for (const key of keys) await tx`select pg_advisory_xact_lock_shared(${BYTES_LOCKS}, ${key})`
}

/** Keeps all others from beginning to use these bytes until the end of the transaction. */
export async function bytesLock(tx: Tx, hash: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(${BYTES_LOCKS}, ${lockKeyOf(hash)})`
}

/** bytesLock for several pictures, in the order in which all transactions take these locks. */
export async function bytesLocks(tx: Tx, hashes: readonly string[]): Promise<void> {
  const keys = [...new Set(hashes.map(lockKeyOf))].sort((a, b) => a - b)
  for (const key of keys) await tx`select pg_advisory_xact_lock(${BYTES_LOCKS}, ${key})`
}

const lockKeyOf = (hash: string) => Number.parseInt(hash.slice(0, 8), 16) | 0

export type LockedImage = ImageState & { urlHash: string; now: Date }

/** Locks the leased pictures of a run in the order of their keys; those whose lease has expired and was taken by another run are left out. */
export function imagesLock(tx: Tx, accountId: number, urlHashes: readonly string[], leaseId: string) {
  return tx<LockedImage[]>`
    select url_hash as "urlHash", state, hash, type, width, height, bytes, reason, etag, last_modified as "lastModified",
      failures, failed_since as "failedSince", fetched_at as "fetchedAt", next_fetch_at as "nextFetchAt", looked_at as "lookedAt",
      failing_ms::float8 as "failingMs", failing_reasons as "failingReasons", adopted_at as "adoptedAt", clock_timestamp() as now
    from image
    where account_id = ${accountId} and url_hash = any(${[...urlHashes]}::uuid[]) and lease_id = ${leaseId}
    order by url_hash for no key update`
}

const iso = (time: Date | null) => time?.toISOString() ?? null

/** Writes states of locked pictures, and ends their leases. */
export async function imagesUpdate(
  tx: Tx,
  accountId: number,
  images: readonly (ImageState & { urlHash: string })[],
): Promise<void> {
  if (images.length === 0) return
  await tx`
    update image i set state = g.state, hash = g.hash, type = g.type, width = g.width, height = g.height, bytes = g.bytes,
      reason = g.reason, etag = g.etag, last_modified = g.last_modified, failures = g.failures, failed_since = g.failed_since,
      fetched_at = g.fetched_at, next_fetch_at = g.next_fetch_at, looked_at = g.looked_at, failing_ms = g.failing_ms,
      failing_reasons = g.failing_reasons::jsonb, adopted_at = g.adopted_at,
      told_at = case when g.failed_since is null then null else i.told_at end, lease_id = null
    from unnest(${images.map((image) => image.urlHash)}::uuid[], ${images.map((image) => image.state)}::text[],
      ${images.map((image) => image.hash)}::text[], ${images.map((image) => image.type)}::text[],
      ${images.map((image) => image.width)}::int[], ${images.map((image) => image.height)}::int[],
      ${images.map((image) => image.bytes)}::bigint[], ${images.map((image) => image.reason)}::text[],
      ${images.map((image) => image.etag)}::text[], ${images.map((image) => image.lastModified)}::text[],
      ${images.map((image) => image.failures)}::int[], ${images.map((image) => iso(image.failedSince))}::timestamptz[],
      ${images.map((image) => iso(image.fetchedAt))}::timestamptz[], ${images.map((image) => iso(image.nextFetchAt))}::timestamptz[],
      ${images.map((image) => iso(image.lookedAt))}::timestamptz[], ${images.map((image) => image.failingMs)}::bigint[],
      ${images.map((image) => JSON.stringify(image.failingReasons))}::text[], ${images.map((image) => iso(image.adoptedAt))}::timestamptz[])
      as g (url_hash, state, hash, type, width, height, bytes, reason, etag, last_modified, failures, failed_since, fetched_at,
        next_fetch_at, looked_at, failing_ms, failing_reasons, adopted_at)
    where i.account_id = ${accountId} and i.url_hash = g.url_hash`
}

/**
 * Marks every product that names one of these pictures, however many there are. It must be a later statement than the lock on the
 * pictures: then it sees the products of the transaction that held them before.
 */
export async function productsOfImagesMark(tx: Tx, accountId: number, urlHashes: readonly string[]): Promise<void> {
  if (urlHashes.length === 0) return
  await tx`
    insert into mark (account_id, product_id)
    select distinct account_id, product_id from product_image
    where account_id = ${accountId} and url_hash = any(${[...urlHashes]}::uuid[])`
}

/** Records that an account has just stopped using these bytes. */
export async function bytesUnused(tx: Tx, accountId: number, hashes: readonly string[]): Promise<void> {
  if (hashes.length === 0) return
  await tx`
    insert into image_unused (account_id, hash)
    select owner.account_id, given.hash from ${ownerOf(tx, accountId)}, unnest(${[...new Set(hashes)].sort()}::text[]) as given (hash)
    on conflict (account_id, hash) do update set since = excluded.since`
}

/** Those of the locked pictures that no product names. This must be a later statement than the lock. */
export async function imagesUnnamed(
  reader: Reader,
  accountId: number,
  urlHashes: readonly string[],
): Promise<string[]> {
  const rows = await reader<{ urlHash: string }[]>`
    select i.url_hash as "urlHash" from image i
    where i.account_id = ${accountId} and i.url_hash = any(${[...urlHashes]}::uuid[]) and not exists (
      select from product_image p where p.account_id = ${accountId} and p.url_hash = i.url_hash)`
  return rows.map((row) => row.urlHash)
}

/** Locks leased pictures exclusively, also against products that begin to name them. */
export function imagesLockForRemoval(tx: Tx, accountId: number, urlHashes: readonly string[], leaseId: string) {
  return tx<{ urlHash: string; hash: string | null }[]>`
    select url_hash as "urlHash", hash from image
    where account_id = ${accountId} and url_hash = any(${[...urlHashes]}::uuid[]) and lease_id = ${leaseId}
    order by url_hash for update`
}

/** Deletes pictures and subtracts them from the account's use. */
export async function imagesDelete(tx: Tx, accountId: number, urlHashes: readonly string[]): Promise<void> {
  const gone = await tx<{ bytes: number | null }[]>`
    delete from image where account_id = ${accountId} and url_hash = any(${[...urlHashes]}::uuid[]) returning bytes`
  const stored = gone.flatMap(({ bytes }) => bytes ?? [])
  await changeUse(tx, accountId, {
    pictures: -stored.length,
    picture_bytes: -stored.reduce((sum, bytes) => sum + bytes, 0),
  })
}
