import { hash } from 'node:crypto'
import type { Query, Reader } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import { withoutCosts } from './without-costs.ts'

// Lists of payloads in id order. Both halves have the same key, so a page is two ranges of primary keys, read by one statement in one snapshot and
// joined here: PostgreSQL neither looks up each product, nor sorts, nor copies texts. docs/decisions/158-a-page-is-two-ranges-of-keys.md says why.

/** What a list shows of a product: both halves, both without the description (often the longest member), or the price half with id and SKU. */
export type Shape = 'products' | 'products-without-description' | 'prices'

/** How a list shows products. */
export interface View {
  shape: Shape
  /** Whether purchase prices are included. */
  seesCosts: boolean
}

export interface Page {
  /** How many products the store lists. */
  total: number
  /** Members of the JSON array, ready to send. */
  members: string[]
  /** Hash of the members' tags; null when the page is empty. */
  tag: string | null
  /** `afterId` of the next page; null on the last one. */
  nextAfterId: number | null
}

/** A row of a page's statement: the total, or one half of a product. */
type Row =
  | { total: number; id: null; tag: null; price: null; content: null }
  | PriceRow
  /** In a list of prices, `content` is the SKU as JSON, and there is no tag. */
  | { total: null; id: number; tag: string | null; price: null; content: string }

interface PriceRow {
  total: null
  id: number
  tag: string
  price: string
  content: null
}

/** A query of one table's rows for a page: a range of ids with order and limit, or a list of ids. */
type Keys = (table: 'payload_price' | 'payload_content', columns: Query<unknown>) => Query<unknown>

/** Rows of both halves. The order of a union is not guaranteed. */
const halves = (reader: Reader, shape: Shape, keys: Keys) => reader`
  select null::bigint as total, product_id as id, tag, body as price, null::text as content
  from (${keys('payload_price', reader`product_id, tag, body`)}) p
  union all
  ${
    shape !== 'prices'
      ? reader`select null, product_id, tag, null, ${shape === 'products' ? reader`body` : undescribed(reader)}
          from (${keys('payload_content', reader`product_id, tag, body`)}) c`
      : reader`select null, product_id, null, null, coalesce(to_json(sku)::text, 'null')
          from (${keys('payload_content', reader`product_id, sku`)}) c`
  }`

/**
 * SQL for a content half without its description, cut out by PostgreSQL so that it is not transferred. A quoted name after a comma is always a
 * member's name, because quotes within texts follow a backslash, and no nested member has these names. split_part works on bytes; substr counts
 * characters and takes 20 times as long (measured).
 */
export const undescribed = (reader: Reader) => reader`
  split_part(body, ',"description":', 1) || ',"manufacturer":' || split_part(body, ',"manufacturer":', 2)`

const totalRow = (reader: Reader, total: Query<unknown>) =>
  reader`select coalesce(${total}, 0)::bigint, null, null, null, null`

/**
 * The page that starts `offset` products into the store's list. The counts per block tell in which block it starts, so at most one block is skipped
 * through, whatever the page number.
 */
export async function pageAt(
  reader: Reader,
  accountId: number,
  storeId: number,
  view: View,
  offset: number,
  limit: number,
): Promise<Page> {
  const range: Keys = (table, columns) => reader`
    select ${columns} from ${reader(table)}
    where account_id = ${accountId} and store_id = ${storeId} and product_id >= (select product_id from first)
    order by product_id limit ${limit}`
  const rows = await reader<Row[]>`
    with counts as materialized (
      select block, products, sum(products) over (order by block) as upto
      from payload_block where account_id = ${accountId} and store_id = ${storeId}
    ), place as (
      select block, upto - products as before from counts where upto > ${offset} order by block limit 1
    ), first as materialized (
      select l.product_id from place, lateral (
        select product_id from payload_price
        where account_id = ${accountId} and store_id = ${storeId}
          and product_id >= place.block * ${LIMITS.idBlockSize}::bigint
        order by product_id offset (${offset} - place.before) limit 1
      ) l
    )
    ${halves(reader, view.shape, range)}
    union all
    ${totalRow(reader, reader`(select max(upto) from counts)`)}`
  return joined(rows, view, limit)
}

/** The page of products after an id. */
export async function pageAfter(
  reader: Reader,
  accountId: number,
  storeId: number,
  view: View,
  afterId: number,
  limit: number,
): Promise<Page> {
  const rows = await reader<Row[]>`
    ${halves(reader, view.shape, rangeAfter(reader, accountId, storeId, afterId, limit))}
    union all
    ${totalRow(
      reader,
      reader`(select sum(products) from payload_block where account_id = ${accountId} and store_id = ${storeId})`,
    )}`
  return joined(rows, view, limit)
}

/** Those of the given products that the store lists; `total` is how many these are. */
export async function pageOf(
  reader: Reader,
  accountId: number,
  storeId: number,
  view: View,
  productIds: readonly number[],
): Promise<Page> {
  const listed: Keys = (table, columns) => reader`
    select ${columns} from ids cross join lateral (
      select ${columns} from ${reader(table)}
      where account_id = ${accountId} and store_id = ${storeId} and product_id = ids.id offset 0
    ) half`
  const rows = await reader<Row[]>`
    with ids as materialized (select id from unnest(${[...new Set(productIds)]}::bigint[]) as given (id))
    ${halves(reader, view.shape, listed)}`
  const page = joined(rows, view, Infinity)
  return { ...page, total: page.members.length }
}

/** Product objects after an id as JSON texts, without a total: one page of a walk through the whole store. */
export async function productsAfter(
  reader: Reader,
  accountId: number,
  storeId: number,
  view: View,
  afterId: number,
  limit: number,
): Promise<Pick<Page, 'members' | 'nextAfterId'>> {
  const rows = await reader<Row[]>`
    ${halves(reader, view.shape, rangeAfter(reader, accountId, storeId, afterId, limit))}`
  return joined(rows, view, limit)
}

const rangeAfter =
  (reader: Reader, accountId: number, storeId: number, afterId: number, limit: number): Keys =>
  (table, columns) =>
    reader`
    select ${columns} from ${reader(table)}
    where account_id = ${accountId} and store_id = ${storeId} and product_id > ${afterId}
    order by product_id limit ${limit}`

/**
 * Joins the halves of each product; a product with only one half is left out. Halves are always written together. Should one be missing nevertheless,
 * the two ranges of a page end at different products, and the next page starts where the shorter range ended.
 */
function joined(rows: readonly Row[], { shape, seesCosts }: View, limit: number): Page {
  const isWhole = shape !== 'prices'
  let total = 0
  let lastPrice = 0
  const prices = new Map<number, PriceRow>()
  const contents: Exclude<Row, PriceRow | { id: null }>[] = []
  for (const row of rows) {
    if (row.id === null) total = row.total
    else if (row.price === null) contents.push(row)
    else {
      prices.set(row.id, row)
      lastPrice = Math.max(lastPrice, row.id)
    }
  }
  contents.sort((a, b) => a.id - b.id)
  const members: string[] = []
  let tags = ''
  for (const { id, tag, content } of contents) {
    const half = prices.get(id)
    if (half === undefined) continue
    const { price, priceTag } = seesCosts ? { price: half.price, priceTag: half.tag } : withoutCosts(half.price)
    members.push(isWhole ? `{${content},${price}}` : `{"id":${id},"sku":${content},${price}}`)
    tags += isWhole ? `${tag}${priceTag}` : `${id}${content}${priceTag}`
  }
  const lastContent = contents.at(-1)
  const isEnd = lastContent === undefined || contents.length < limit || prices.size < limit
  return {
    total,
    members,
    tag: members.length === 0 ? null : hash('md5', tags),
    nextAfterId: isEnd ? null : Math.min(lastPrice, lastContent.id),
  }
}
