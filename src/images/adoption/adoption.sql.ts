import type { Reader, Tx } from '../../db/sql.ts'
import { must } from '../../platform/must.ts'

// Copies of pictures whose source fails, and their adoption. A separate index finds failing copies.

/** A copy at whose source every look has failed for a while. */
export interface FailingCopy {
  url: string
  /** Number of failed looks in a row. */
  looks: number
  failedSince: Date
  lookedAt: Date | null
  failingMs: number
  reasons: Record<string, number>
  productIds: number[]
  supplierIds: number[]
}

/** @param hours the least time for which looks have failed. */
const failing = (reader: Reader, accountId: number, hours: number) =>
  reader`i.account_id = ${accountId} and i.state = 'mirrored' and i.failed_since <= now() - make_interval(hours => ${hours})`

/** Offers that name a picture `i`. */
const offersNaming = (reader: Reader, accountId: number) => reader`
  product_image p
  join offer o on o.account_id = ${accountId} and o.product_id = p.product_id and o.dropped_at is null
  join offer_content c on c.account_id = ${accountId} and c.product_id = o.product_id and c.supplier_id = o.supplier_id
    and c.supplier_sku = o.supplier_sku
  where p.account_id = ${accountId} and p.url_hash = i.url_hash and exists (
    select from jsonb_array_elements_text(c.images) named (url) where split_part(named.url, '#', 1) = i.url)`

/** Failing copies with the products and suppliers that name them, the longest failing first. @param products how many products are named per copy */
export async function failingCopies(
  reader: Reader,
  accountId: number,
  hours: number,
  limit: number,
  products: number,
): Promise<FailingCopy[]> {
  const rows = await reader<(Omit<FailingCopy, 'supplierIds'> & { supplierIds: number[] | null })[]>`
    select i.url, i.failures as looks, i.failed_since as "failedSince", i.looked_at as "lookedAt", i.failing_ms::float8 as "failingMs",
      i.failing_reasons as reasons,
      array(select product_id from product_image p where p.account_id = ${accountId} and p.url_hash = i.url_hash
        order by product_id limit ${products}) as "productIds",
      array(select distinct o.supplier_id from ${offersNaming(reader, accountId)} order by o.supplier_id) as "supplierIds"
    from image i where ${failing(reader, accountId, hours)}
    order by i.failed_since, i.url_hash limit ${limit}`
  return rows.map((row) => ({ ...row, supplierIds: row.supplierIds ?? [] }))
}

/** The number of failing copies, counted up to a limit. */
export async function failingCopiesCount(
  reader: Reader,
  accountId: number,
  hours: number,
  limit: number,
): Promise<number> {
  const [row] = await reader<{ count: number }[]>`
    select count(*)::int as count from (
      select from image i where ${failing(reader, accountId, hours)} limit ${limit}) counted`
  return must(row).count
}

/** The copies to adopt: one by its key, failing or not; or the failing ones that a supplier's offers name, or all failing ones. */
export type Adopted = { urlHash: string } | { supplierId: number } | 'all'

/**
 * Makes copies the account's own, even while they are being fetched: the result of that fetch is then discarded.
 * Their URLs, and so payloads, do not change. @returns how many, at most `limit`.
 */
export async function copiesAdopt(
  tx: Tx,
  accountId: number,
  which: Adopted,
  hours: number,
  limit: number,
): Promise<number> {
  const wanted =
    which === 'all'
      ? failing(tx, accountId, hours)
      : 'supplierId' in which
        ? tx`${failing(tx, accountId, hours)} and exists (
            select from ${offersNaming(tx, accountId)} and o.supplier_id = ${which.supplierId})`
        : tx`i.account_id = ${accountId} and i.url_hash = ${which.urlHash} and i.state = 'mirrored' and i.next_fetch_at is not null`
  const rows = await tx<{ url_hash: string }[]>`
    update image set adopted_at = statement_timestamp(), fetched_at = statement_timestamp(), next_fetch_at = null, lease_id = null,
      reason = null, etag = null, last_modified = null, failures = 0, failed_since = null, failing_ms = 0, failing_reasons = '{}',
      told_at = null
    where account_id = ${accountId} and state = 'mirrored' and url_hash = any(array(
      select i.url_hash from image i where ${wanted} order by i.url_hash limit ${limit} for no key update of i))
    returning url_hash`
  return rows.length
}

/** Whether the account has a copy under this key. */
export async function copyExists(reader: Reader, accountId: number, urlHash: string): Promise<boolean> {
  const rows = await reader`
    select from image where account_id = ${accountId} and url_hash = ${urlHash} and state = 'mirrored'`
  return rows.length > 0
}
