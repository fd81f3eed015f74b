import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { mapYielding } from '../../platform/turns/yielding.ts'
import type { Reader } from '../../db/sql.ts'
import type { Head } from '../payloads/change-counter.sql.ts'
import { elementOf } from '../payloads/digest.ts'
import { digestsAfter, tagsAfter, type DigestRow, type TaggedHalf } from '../payloads/digests.sql.ts'
import { withoutCosts } from './without-costs.ts'

export interface DigestPage {
  /** The account's counter in the snapshot of the digests. */
  head: Head
  blocks: DigestRow[]
  /** The last block of this page; null: no further blocks. */
  nextAfterBlock: number | null
}

export interface TaggedProduct {
  id: number
  contentTag: string
  priceTag: string
}

export interface TagPage {
  head: Head
  products: TaggedProduct[]
  /** The last product of this page; null: no further products. */
  nextAfterId: number | null
}

/**
 * Stored digests of a store's blocks after `afterBlock`.
 * @throws ShelfwireError unknown-account
 */
export async function readDigests(
  reader: Reader,
  accountId: number,
  storeId: number,
  afterBlock: number,
  limit: number,
): Promise<DigestPage> {
  const { head, rows, hasMore } = known(accountId, await digestsAfter(reader, accountId, storeId, afterBlock, limit))
  return { head, blocks: rows, nextAfterBlock: hasMore ? (rows.at(-1)?.block ?? null) : null }
}

/**
 * The same for tokens that do not see purchase prices: computed from price halves without costs, up to LIMITS.digestComputedBlocks and
 * LIMITS.digestComputedBytes, but at least one block. Stored digests cover the costs, which someone who knows everything else could find by trying
 * amounts.
 */
export async function readDigestsWithoutCosts(
  reader: Reader,
  accountId: number,
  storeId: number,
  afterBlock: number,
  limit: number,
): Promise<DigestPage> {
  const blocksMax = Math.min(limit, LIMITS.digestComputedBlocks)
  const afterId = Math.min((afterBlock + 1) * LIMITS.idBlockSize - 1, Number.MAX_SAFE_INTEGER)
  const page = await readTags(reader, accountId, storeId, {
    afterId,
    limit: blocksMax * LIMITS.idBlockSize,
    seesCosts: false,
  })
  const blocks = new Map<number, DigestRow>()
  await mapYielding(page.products, ({ id, contentTag, priceTag }) => {
    const block = Math.floor(id / LIMITS.idBlockSize)
    const row = blocks.get(block) ?? { block, products: 0, content: 0n, price: 0n }
    row.products++
    row.content ^= elementOf(id, contentTag)
    row.price ^= elementOf(id, priceTag)
    blocks.set(block, row)
  })
  const all = [...blocks.values()]
  // the page may end within its last block, which is then incomplete
  const whole = page.nextAfterId === null || all.length <= 1 ? all : all.slice(0, -1)
  const shown = whole.slice(0, blocksMax)
  const isEnd = page.nextAfterId === null && shown.length === all.length
  return { head: page.head, blocks: shown, nextAfterBlock: isEnd ? null : (shown.at(-1)?.block ?? null) }
}

/**
 * Tags of the products of a store after `afterId`, as this caller reads them.
 * @throws ShelfwireError unknown-account
 */
export async function readTags(
  reader: Reader,
  accountId: number,
  storeId: number,
  { afterId, limit, seesCosts }: { afterId: number; limit: number; seesCosts: boolean },
): Promise<TagPage> {
  const range = { afterId, limit: limit + 1, hasBodies: !seesCosts }
  const { head, halves, isCut } = known(accountId, await tagsAfter(reader, accountId, storeId, range))
  const contents = new Map<number, string>()
  for (const { half, id, tag } of halves) if (half === 'content') contents.set(id, tag)
  const prices = halves.filter(({ half }) => half === 'price').sort((a, b) => a.id - b.id)
  const shown = prices.slice(0, limit)
  const products = await mapYielding(shown, (price): TaggedProduct[] => {
    const contentTag = contents.get(price.id)
    return contentTag === undefined ? [] : [{ id: price.id, contentTag, priceTag: tagOf(price) }]
  })
  const hasMore = isCut || prices.length > limit
  return { head, products: products.flat(), nextAfterId: hasMore ? (shown.at(-1)?.id ?? null) : null }
}

const tagOf = ({ tag, body }: TaggedHalf) => (body === null ? tag : withoutCosts(body).priceTag)

function known<T>(accountId: number, found: T | undefined): T {
  if (found === undefined) throw new ShelfwireError('unknown-account', `there is no account ${accountId}`)
  return found
}
