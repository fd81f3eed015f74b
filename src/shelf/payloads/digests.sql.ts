import { accountCondition, type Accounts } from '../../db/fragments/account-condition.ts'
import type { Query, Reader, Tx } from '../../db/sql.ts'
import type { Half } from '../../model/payload.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { Head } from './change-counter.sql.ts'

// Digests of blocks of product ids, and the tags that they are made of.

/** SQL that computes the digest of one half of a block from its tags, equal to what payload_block keeps. */
const computed = (
  reader: Reader,
  accountId: number,
  half: Half,
  storeId: Query<unknown>,
  block: Query<unknown>,
) => reader`
  coalesce((
    select bit_xor(('x' || encode(substring(sha512(convert_to(product_id || ':' || tag, 'UTF8')) for 16), 'hex'))::bit(128))
    from ${reader(`payload_${half}`)}
    where account_id = ${accountId} and store_id = ${storeId}
      and product_id >= ${block} * ${LIMITS.idBlockSize}::bigint and product_id < (${block} + 1) * ${LIMITS.idBlockSize}::bigint
  ), repeat('0', 128)::bit(128))`

const headOf = ({ lastId, lastAt }: Head): Head => ({ lastId, lastAt })

export interface DigestRow {
  block: number
  products: number
  content: bigint
  price: bigint
}

/**
 * The non-empty blocks after one, and the account's counter, in one statement and so in one snapshot. Digests that are not stored yet are
 * computed, for at most LIMITS.digestComputedBlocks; beyond that, fewer rows are returned. `hasMore`: blocks follow after the last row.
 */
export async function digestsAfter(
  reader: Reader,
  accountId: number,
  storeId: number,
  afterBlock: number,
  limit: number,
): Promise<{ head: Head; rows: DigestRow[]; hasMore: boolean } | undefined> {
  const rows = await reader<
    (Head & { block: number | null; products: number; content: string; price: string; found: number | null })[]
  >`
    select head.last_id as "lastId", head.last_at as "lastAt", shown.block, shown.products, shown.content, shown.price, shown.found
    from change_counter head
    left join lateral (
      select block, products, found,
        case when content_digest is not null then content_digest
          else ${computed(reader, accountId, 'content', reader`${storeId}::bigint`, reader`block`)} end::text as content,
        case when price_digest is not null then price_digest
          else ${computed(reader, accountId, 'price', reader`${storeId}::bigint`, reader`block`)} end::text as price
      from (
        select block, products, content_digest, price_digest, count(*) over ()::int as found,
          count(*) filter (where content_digest is null or price_digest is null) over (order by block) as unknown
        from (
          select block, products, content_digest, price_digest from payload_block
          where account_id = ${accountId} and store_id = ${storeId} and block > ${afterBlock} and products > 0
          order by block limit ${limit + 1}
        ) next
      ) counted
      where unknown <= ${LIMITS.digestComputedBlocks}
    ) shown on true
    where head.account_id = ${accountId}
    order by shown.block`
  const [first] = rows
  if (first === undefined) return undefined
  const found = rows.flatMap(({ block, products, content, price }) =>
    block === null ? [] : [{ block, products, content: BigInt(`0b${content}`), price: BigInt(`0b${price}`) }],
  )
  const shown = found.slice(0, limit)
  return { head: headOf(first), rows: shown, hasMore: (first.found ?? 0) > shown.length }
}

export interface TaggedHalf {
  half: Half
  id: number
  tag: string
  /** Of a price half, if bodies were requested. */
  body: string | null
}

/**
 * Tags of both halves of the products after an id, at most `limit` per half and in no particular order, and the account's counter, in one
 * snapshot.
 * @param hasBodies also return the bodies of price halves: all of the first block, and further ones up to LIMITS.digestComputedBytes.
 * @returns `isCut`: price halves were left out because of that limit
 */
export async function tagsAfter(
  reader: Reader,
  accountId: number,
  storeId: number,
  { afterId, limit, hasBodies }: { afterId: number; limit: number; hasBodies: boolean },
): Promise<{ head: Head; halves: TaggedHalf[]; isCut: boolean } | undefined> {
  const half = (name: Half) => reader`
    (select ${name}::text as half, product_id, tag, null::text as body, null::int as found from ${reader(`payload_${name}`)}
     where account_id = ${accountId} and store_id = ${storeId} and product_id > ${afterId}
     order by product_id limit ${limit})`
  // octet_length does not read the text itself
  const priced = reader`
    (select 'price'::text, product_id, tag, body, found from (
       select product_id, tag, body, sum(octet_length(body)) over by_id - octet_length(body) as before,
         min(product_id) over by_id as first_id, count(*) over ()::int as found
       from (
         select product_id, tag, body from payload_price
         where account_id = ${accountId} and store_id = ${storeId} and product_id > ${afterId}
         order by product_id limit ${limit}
       ) next
       window by_id as (order by product_id)
     ) measured
     where before < ${LIMITS.digestComputedBytes}
       or product_id / ${LIMITS.idBlockSize}::bigint = first_id / ${LIMITS.idBlockSize}::bigint)`
  const rows = await reader<
    (Head & { half: Half | null; id: number; tag: string; body: string | null; found: number | null })[]
  >`
    select head.last_id as "lastId", head.last_at as "lastAt", h.half, h.product_id as id, h.tag, h.body, h.found
    from change_counter head
    left join lateral (
      ${half('content')} union all ${hasBodies ? priced : half('price')}
    ) h on true
    where head.account_id = ${accountId}`
  const [first] = rows
  if (first === undefined) return undefined
  const measured = rows.filter(({ found }) => found !== null)
  return {
    head: headOf(first),
    halves: rows.flatMap(({ half: name, id, tag, body }) => (name === null ? [] : [{ half: name, id, tag, body }])),
    isCut: measured.length < (measured[0]?.found ?? 0),
  }
}

/** Accounts with blocks whose digests have to be computed. */
export async function accountsToDigest(reader: Reader, limit: number, accounts: Accounts = null): Promise<number[]> {
  const rows = await reader<{ accountId: number }[]>`
    select distinct account_id as "accountId" from digest_fill where due_at <= now()${accountCondition(reader, 'and', accounts)}
    limit ${limit}`
  return rows.map(({ accountId }) => accountId)
}

export interface BlockKey {
  storeId: number
  block: number
}

export interface FillPlace extends BlockKey {
  /** As text: a Date has no microseconds. */
  dueAt: string
}

/** Locks an account's progress. Undefined: it is complete, or another process has it. */
export async function digestFillLock(tx: Tx, accountId: number): Promise<FillPlace | undefined> {
  const [row] = await tx<FillPlace[]>`
    select due_at::text as "dueAt", store_id as "storeId", block from digest_fill
    where account_id = ${accountId} and due_at <= now() order by due_at limit 1 for update skip locked`
  return row
}

/** An account's blocks after `after`, by store and number. */
export function blocksAfter(reader: Reader, accountId: number, after: FillPlace, limit: number) {
  return reader<BlockKey[]>`
    select store_id as "storeId", block from payload_block
    where account_id = ${accountId} and (store_id, block) > (${after.storeId}, ${after.block})
    order by store_id, block limit ${limit}`
}

/**
 * Computes a block's digests from the stored tags. The counter must be locked, so that no batch commits between reading the tags and writing the
 * digest. Batches that already wrote their halves add to the result afterwards.
 */
export function digestsCompute(tx: Tx, accountId: number, { storeId, block }: BlockKey) {
  const [store, number] = [tx`${storeId}::bigint`, tx`${block}::bigint`]
  return tx`
    update payload_block set content_digest = ${computed(tx, accountId, 'content', store, number)},
      price_digest = ${computed(tx, accountId, 'price', store, number)}
    where account_id = ${accountId} and store_id = ${storeId} and block = ${block}`
}

export async function digestFillMove(tx: Tx, accountId: number, { dueAt, storeId, block }: FillPlace): Promise<void> {
  await tx`
    update digest_fill set store_id = ${storeId}, block = ${block}
    where account_id = ${accountId} and due_at = ${dueAt}::timestamptz`
}

export async function digestFillDelete(tx: Tx, accountId: number, dueAt: string): Promise<void> {
  await tx`delete from digest_fill where account_id = ${accountId} and due_at = ${dueAt}::timestamptz`
}

/** Blocks whose digests do not match their tags; digests that are not computed yet are not compared. At most 100. */
export function digestFaults(reader: Reader, accountId: number) {
  return reader<{ storeId: number; block: number; half: Half }[]>`
    select store_id as "storeId", block, half from (
      select store_id, block, 'content' as half,
        content_digest <> ${computed(reader, accountId, 'content', reader`b.store_id`, reader`b.block`)} as differs
      from payload_block b where account_id = ${accountId}
      union all
      select store_id, block, 'price',
        price_digest <> ${computed(reader, accountId, 'price', reader`b.store_id`, reader`b.block`)}
      from payload_block b where account_id = ${accountId}
    ) compared
    where differs
    limit 100`
}
