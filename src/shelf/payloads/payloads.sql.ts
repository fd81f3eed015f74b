import { ownerOf } from '../../db/fragments/owner.sql.ts'
import { jsonTexts } from '../../db/statements/json-texts.ts'
import type { Reader, Tx } from '../../db/sql.ts'
import { timestampText } from '../../db/fragments/timestamp-text.sql.ts'
import type { GapBits } from '../../model/gaps.ts'
import { must } from '../../platform/must.ts'
import { keyOf } from './payload-key.ts'

/** A stored payload as shelving compares it: tags instead of bodies, so that bodies of unchanged payloads are not read. */
export interface ShelvedRow {
  storeId: number
  productId: number
  contentTag: string
  priceTag: string
  /** exclusion_reason of the content half, stored again with the prices. */
  exclusion: string | null
  /** The prices alone, as shownPrices writes them; null: written before there was a price history. */
  shown: string | null
  gaps: GapBits
  resolver: number
  /** `updated_at` of the content half as the API writes it; null: it has none. */
  updatedAt: string | null
}

/** A stored price half, without its body. */
export type ShelvedPriceRow = Omit<ShelvedRow, 'contentTag' | 'gaps' | 'updatedAt'> & { priceGaps: number }

/** Tags of stored payloads. */
export interface ShelvedTags {
  rows: ShelvedRow[]
  /** keyOf of halves stored without the other half. No writer leaves such; they are repaired as if the payload were not stored. */
  alone: ReadonlySet<string>
}

/**
 * Tags of stored payloads. Two statements whose results are joined here: each is a single index scan (on PostgreSQL 17 and later, 80 pages
 * instead of 12,000 for 1,500 payloads), and the planner cannot choose a bad join.
 */
export async function shelvedTags(
  reader: Reader,
  accountId: number,
  storeIds: readonly number[],
  productIds: readonly number[],
): Promise<ShelvedTags> {
  const [contents, prices] = await Promise.all([
    reader<
      { storeId: number; productId: number; tag: string; gaps: number; resolver: number; updatedAt: string | null }[]
    >`
      select s.store_id as "storeId", c.product_id as "productId", c.tag, c.gaps, c.resolver,
        ${timestampText(reader, reader`c.updated_at`)} as "updatedAt"
      from unnest(${[...storeIds]}::bigint[]) as s (store_id)
      cross join lateral (
        select product_id, tag, gaps, resolver, updated_at from payload_content
        where account_id = ${accountId} and store_id = s.store_id and product_id = any(${[...productIds]}::bigint[]) offset 0
      ) c`,
    shelvedPriceTags(reader, accountId, storeIds, productIds),
  ])
  const contentOf = new Map(contents.map((row) => [keyOf(row), row]))
  const rows: ShelvedRow[] = []
  const alone = new Set<string>()
  for (const price of prices) {
    const key = keyOf(price)
    const content = contentOf.get(key)
    if (content === undefined) {
      alone.add(key)
      continue
    }
    contentOf.delete(key)
    rows.push({
      ...price,
      contentTag: content.tag,
      updatedAt: content.updatedAt,
      gaps: { content: content.gaps, price: price.priceGaps },
      resolver: Math.min(content.resolver, price.resolver),
    })
  }
  for (const key of contentOf.keys()) alone.add(key)
  return { rows, alone }
}

/** The time when the transaction began, as the API writes timestamps. Sent at once. */
export async function transactionTime(tx: Tx): Promise<string> {
  const [row] = await tx<{ at: string }[]>`select ${timestampText(tx, tx`now()`)} as at`
  return must(row).at
}

/** Tags of stored price halves. */
export function shelvedPriceTags(
  reader: Reader,
  accountId: number,
  storeIds: readonly number[],
  productIds: readonly number[],
) {
  return reader<ShelvedPriceRow[]>`
    select s.store_id as "storeId", p.product_id as "productId", p.tag as "priceTag", p.exclusion, p.shown,
      p.gaps as "priceGaps", p.resolver
    from unnest(${[...storeIds]}::bigint[]) as s (store_id)
    cross join lateral (
      select product_id, tag, exclusion, shown, gaps, resolver from payload_price
      where account_id = ${accountId} and store_id = s.store_id and product_id = any(${[...productIds]}::bigint[]) offset 0
    ) p`
}

/** Bodies of stored payloads, for payloads that an older resolver wrote, and for the audit. */
export function shelvedBodies(
  reader: Reader,
  accountId: number,
  storeIds: readonly number[],
  productIds: readonly number[],
) {
  return reader<ShelvedBody[]>`
    select s.store_id as "storeId", w.product_id as "productId", c.body as content, p.body as price,
      c.tag as "contentTag", p.tag as "priceTag", c.sku, c.gaps as "contentGaps", p.gaps as "priceGaps",
      ${timestampText(reader, reader`c.updated_at`)} as "updatedAt"
    from unnest(${[...storeIds]}::bigint[]) as s (store_id)
    cross join unnest(${[...productIds]}::bigint[]) as w (product_id)
    cross join lateral (
      select body, tag, sku, gaps, updated_at from payload_content
      where account_id = ${accountId} and store_id = s.store_id and product_id = w.product_id offset 0
    ) c
    cross join lateral (
      select body, tag, gaps from payload_price
      where account_id = ${accountId} and store_id = s.store_id and product_id = w.product_id offset 0
    ) p`
}

/** Stored price halves, for the guard against price jumps. */
export function shelvedPrices(
  reader: Reader,
  accountId: number,
  storeIds: readonly number[],
  productIds: readonly number[],
) {
  return reader<{ storeId: number; productId: number; price: string }[]>`
    select s.store_id as "storeId", p.product_id as "productId", p.body as price
    from unnest(${[...storeIds]}::bigint[]) as s (store_id)
    cross join lateral (
      select product_id, body from payload_price
      where account_id = ${accountId} and store_id = s.store_id and product_id = any(${[...productIds]}::bigint[]) offset 0
    ) p`
}

export interface ShelvedBody {
  storeId: number
  productId: number
  content: string
  price: string
  contentTag: string
  priceTag: string
  sku: string | null
  contentGaps: number
  priceGaps: number
  updatedAt: string | null
}

export interface HalfRow {
  /** Whether neither half of its payload is stored. */
  isNew: boolean
  storeId: number
  productId: number
  tag: string
  body: string
  /** Bits of src/model/gaps.ts for this half. */
  gaps: number
}

export interface ContentRow extends HalfRow {
  sku: string | null
  /** As the API writes timestamps. */
  updatedAt: string | null
}

export interface PriceRow extends HalfRow {
  exclusion: string | null
  shown: string
}

/**
 * A statement that writes content halves in key order. @param isNew none of them is stored, which is certain because their products are
 * locked. Then "on conflict" is left out: looking for existing rows takes a quarter of the time of the write (measured).
 */
export function contentsWrite(
  tx: Tx,
  accountId: number,
  resolver: number,
  rows: readonly ContentRow[],
  isNew: boolean,
) {
  const replacing = tx`
    on conflict (account_id, store_id, product_id) do update
      set resolver = excluded.resolver, tag = excluded.tag, sku = excluded.sku, gaps = excluded.gaps,
        updated_at = excluded.updated_at, body = excluded.body`
  return tx`
    insert into payload_content (account_id, store_id, product_id, resolver, tag, sku, gaps, updated_at, body)
    select owner.account_id, store_id, product_id, ${resolver}, tag, sku, gaps, updated_at, body
    from ${ownerOf(tx, accountId)}, unnest(${rows.map((row) => row.storeId)}::bigint[], ${rows.map((row) => row.productId)}::bigint[],
      ${rows.map((row) => row.tag)}::text[], ${rows.map((row) => row.sku)}::text[], ${rows.map((row) => row.gaps)}::smallint[],
      ${rows.map((row) => row.updatedAt)}::timestamptz[],
      string_to_array(${jsonTexts(rows.map((row) => row.body))}, E'\\x1e'))
      as given (store_id, product_id, tag, sku, gaps, updated_at, body)${isNew ? tx`` : replacing}`
}

/** A statement that writes price halves in key order. @param isNew see contentsWrite */
export function pricesWrite(tx: Tx, accountId: number, resolver: number, rows: readonly PriceRow[], isNew: boolean) {
  const replacing = tx`
    on conflict (account_id, store_id, product_id) do update
      set resolver = excluded.resolver, tag = excluded.tag, exclusion = excluded.exclusion, shown = excluded.shown,
        gaps = excluded.gaps, body = excluded.body`
  return tx`
    insert into payload_price (account_id, store_id, product_id, resolver, tag, exclusion, shown, gaps, body)
    select owner.account_id, store_id, product_id, ${resolver}, tag, exclusion, shown, gaps, body
    from ${ownerOf(tx, accountId)}, unnest(${rows.map((row) => row.storeId)}::bigint[], ${rows.map((row) => row.productId)}::bigint[],
      ${rows.map((row) => row.tag)}::text[], ${rows.map((row) => row.exclusion)}::text[],
      ${rows.map((row) => row.shown)}::text[], ${rows.map((row) => row.gaps)}::smallint[],
      string_to_array(${jsonTexts(rows.map((row) => row.body))}, E'\\x1e'))
      as given (store_id, product_id, tag, exclusion, shown, gaps, body)${isNew ? tx`` : replacing}`
}

/** Statements that delete payloads of products that left a store's catalog. */
export function payloadsDelete(tx: Tx, accountId: number, rows: readonly { storeId: number; productId: number }[]) {
  return [...Map.groupBy(rows, (row) => row.storeId)].flatMap(([storeId, gone]) => {
    const products = gone.map((row) => row.productId)
    return [
      tx`delete from payload_content
        where account_id = ${accountId} and store_id = ${storeId} and product_id = any(${products}::bigint[])`,
      tx`delete from payload_price
        where account_id = ${accountId} and store_id = ${storeId} and product_id = any(${products}::bigint[])`,
    ]
  })
}
