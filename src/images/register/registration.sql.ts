import { ownerOf } from '../../db/fragments/owner.sql.ts'
import type { Reader, Tx } from '../../db/sql.ts'

// Which products name which pictures. Written only by the shelver, with the products locked.

/** A picture that a product names. */
export interface NamedImage {
  productId: number
  urlHash: string
}

/** The pictures that these products name. */
export function namedImagesOf(reader: Reader, accountId: number, productIds: readonly number[]) {
  return reader<NamedImage[]>`
    select product_id as "productId", url_hash as "urlHash" from product_image
    where account_id = ${accountId} and product_id = any(${[...productIds]}::bigint[])`
}

/** Inserts pictures that have no row yet, to be fetched. @param images in the order of urlHash. @returns the inserted ones. */
export async function imagesInsert(
  tx: Tx,
  accountId: number,
  images: readonly { urlHash: string; url: string; host: string }[],
): Promise<string[]> {
  const rows = await tx<{ urlHash: string }[]>`
    insert into image (account_id, url_hash, url, host)
    select owner.account_id, given.* from ${ownerOf(tx, accountId)}, unnest(${images.map((image) => image.urlHash)}::uuid[],
      ${images.map((image) => image.url)}::text[], ${images.map((image) => image.host)}::text[]) given
    on conflict (account_id, url_hash) do nothing
    returning url_hash as "urlHash"`
  return rows.map((row) => row.urlHash)
}

/**
 * Locks pictures against changes of their state until the end of the transaction: a transaction that changes one
 * later finds the product that names it now. @returns those that still exist.
 */
export async function imagesLockShared(tx: Tx, accountId: number, urlHashes: readonly string[]): Promise<string[]> {
  const rows = await tx<{ urlHash: string }[]>`
    select url_hash as "urlHash" from image
    where account_id = ${accountId} and url_hash = any(${[...urlHashes]}::uuid[]) order by url_hash for share`
  return rows.map((row) => row.urlHash)
}

export async function namedImagesInsert(tx: Tx, accountId: number, named: readonly NamedImage[]): Promise<void> {
  if (named.length === 0) return
  await tx`
    insert into product_image (account_id, product_id, url_hash)
    select owner.account_id, given.* from ${ownerOf(tx, accountId)}, unnest(${named.map((row) => row.productId)}::bigint[],
      ${named.map((row) => row.urlHash)}::uuid[]) given
    on conflict (account_id, product_id, url_hash) do nothing`
}

export async function namedImagesDelete(tx: Tx, accountId: number, named: readonly NamedImage[]): Promise<void> {
  if (named.length === 0) return
  await tx`
    delete from product_image
    where account_id = ${accountId} and product_id = any(${[...new Set(named.map((row) => row.productId))]}::bigint[])
      and (product_id, url_hash) in (
        select * from unnest(${named.map((row) => row.productId)}::bigint[], ${named.map((row) => row.urlHash)}::uuid[]))`
}

/** The record of a picture's file. */
export interface ImageRecord {
  urlHash: string
  type: string | null
  width: number | null
  height: number | null
  bytes: number | null
  failures: number
  failedSince: Date | null
  /** The number of failed looks in a row by reason. */
  failingReasons: Record<string, number>
  /** When our copy became the account's own. */
  adoptedAt: Date | null
  fetchedAt: Date | null
  /** null: never, because the picture is the account's own: uploaded or adopted. */
  nextFetchAt: Date | null
}

/** The records of those pictures that are registered. */
export function imagesByHash(reader: Reader, accountId: number, urlHashes: readonly string[]) {
  return reader<ImageRecord[]>`
    select url_hash as "urlHash", type, width, height, bytes::float8 as bytes, failures, failed_since as "failedSince",
      failing_reasons as "failingReasons", adopted_at as "adoptedAt", fetched_at as "fetchedAt", next_fetch_at as "nextFetchAt"
    from image where account_id = ${accountId} and url_hash = any(${[...urlHashes]}::uuid[])`
}
