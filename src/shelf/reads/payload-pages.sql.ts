import { hash } from 'node:crypto'
import type { Query, Reader } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import { withoutCosts } from './without-costs.ts'

// Lists of payloads in id order. Both halves of a product have the same key, so a page is two ranges of primary keys, which one statement
// reads side by side, in one snapshot, and which are joined here: PostgreSQL neither looks each product up nor sorts, nor copies texts.
// docs/decisions/158-a-page-is-two-ranges-of-keys.md says why.

/** Which half a list shows: both, both but for the description (which may be longer than all else), or the price half with ID and SKU. */
export type Shape = 'products' | 'products-without-description' | 'prices'

/** What a list shows. */
export interface View {
  shape: Shape
  /** Whether it has purchase prices. */
  seesCosts: boolean
}

export interface Page {
  /** How many products the store lists. */
  total: number
  /** Members of the JSON array, ready to send. */
  members: string[]
  /** Hash of the members' tags; null when the page is empty. */
  tag: string | null
  /** Where the next page starts; null after the last one. */
  nextAfterId: number | null
}

/** The total, or half of a product. */
type Row =
  | { total: number; id: null; tag: null; price: null; content: null }
  | PriceRow
  /** In a list of prices `content` is the SKU as JSON, which needs no tag. */
  | { total: null; id: number; tag: string | null; price: null; content: string }

interface PriceRow {
  total: null
  id: number
  tag: string
  price: string
  content: null
}

/** Keys of both tables: a range of ids with its order and limit, or a list of ids. */
type Keys = (table: 'payload_price' | 'payload_content', columns: Query<unknown>) => Query<unknown>

/** Rows of both halves. The parts of a union come in no guaranteed order. */
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
 * A content half without its description. PostgreSQL cuts it out, so that neither PostgreSQL nor this process copies it. A quoted name after a comma is
 * always that of a member and never part of a text, because within a text each quote follows a backslash; and no nested member has these names.
 * split_part compares bytes; substr counts characters and takes 20 times as long (measured).
 */
export const undescribed = (reader: Reader) => reader`
  split_part(body, ',"description":', 1) || ',"manufacturer":' || split_part(body, ',"manufacturer":', 2)`

const totalRow = (reader: Reader, total: Query<unknown>) =>
  reader`select coalesce(${total}, 0)::bigint, null, null, null, null`

/**
 * The page that starts `offset` products into the store's list. The counts per block say in which block of ids it
 * starts, so at most one block is skipped through, whatever the page number.
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

/** Those of the given products that the store lists; `total` is their number. */
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

/** Product objects after an id as JSON texts, without a total; one page of a walk over the whole store. */
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
 * Brings the halves of each product together; one that has a single half is not listed. Halves are written together. Should one be
 * missing all the same, the two ranges of a page end at different products, and the next page starts where the shorter one ended.
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
