import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { mergeProducts } from '../../src/catalog/products/merge-split.ts'
import { productIdBlocksAbandon } from '../../src/catalog/products/products.sql.ts'
import { deleteProducts, setOverrides, setOwnStock } from '../../src/catalog/products/products.ts'
import { writeOffers } from '../../src/catalog/products/offers/offers.ts'
import { setRates } from '../../src/catalog/settings/prices/rates.ts'
import { inTransaction, type Db, type Reader, type Tx } from '../../src/db/sql.ts'
import { pick, prng } from '../../src/demo/catalog/prng.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { auditAccount } from '../../src/shelf/audit.ts'
import { counterGet } from '../../src/shelf/payloads/change-counter.sql.ts'
import { openCompiledAccounts } from '../../src/shelf/inputs/compiled-inputs.ts'
import { shelfDelete } from '../../src/shelf/deleted-store.sql.ts'
import { digestFillStep } from '../../src/shelf/payloads/digest-fill.ts'
import { digestText } from '../../src/shelf/payloads/digest.ts'
import { readDigests, readDigestsWithoutCosts, readTags } from '../../src/shelf/reads/read-digests.ts'
import { shelveBatch, shelveIn } from '../../src/shelf/shelve.ts'
import { createAccount, expectAudited, giveOffers, offer, productIdsOf, type Said } from '../harness/account.ts'
import { inGate } from '../harness/gate.ts'
import { hold, openNamed, seedFor } from '../harness/interleave.ts'
import { setListing } from '../harness/product-edits.ts'
import { worldOfFile } from '../harness/world.ts'

// Digests match the stored payloads, whatever writes them.

const { database, bench } = worldOfFile()

interface Half {
  productId: number
  body: string
}

/** The digest as docs/feed.md describes it for clients, computed from the bytes that they read. */
function digestOf(halves: readonly Half[]): string {
  const sum = Buffer.alloc(16)
  for (const { productId, body } of halves) {
    const tag = createHash('sha512').update(body).digest('base64url').slice(0, 16)
    const own = createHash('sha512').update(`${productId}:${tag}`).digest()
    for (let i = 0; i < 16; i++) sum[i] = (sum[i] ?? 0) ^ (own[i] ?? 0)
  }
  return sum.toString('hex')
}

/** The digests of a store by block, computed from the stored bodies. */
async function scanned(reader: Reader, accountId: number, storeId: number) {
  const found = []
  const contents = await bodies('content')
  const prices = await bodies('price')
  const blocks = [...new Set(contents.map(blockOf))].sort((a, b) => a - b)
  for (const block of blocks) {
    const own = (rows: readonly Half[]) => rows.filter((row) => blockOf(row) === block)
    found.push({
      block,
      products: own(contents).length,
      content: digestOf(own(contents)),
      price: digestOf(own(prices)),
    })
  }
  return found

  function bodies(half: 'content' | 'price') {
    return reader<Half[]>`
      select product_id as "productId", body from ${reader(`payload_${half}`)}
      where account_id = ${accountId} and store_id = ${storeId}`
  }
}

const blockOf = ({ productId }: Half) => Math.floor(productId / LIMITS.idBlockSize)

/** The digests of a store as the service reads them. */
async function read(reader: Reader, accountId: number, storeId: number) {
  const blocks = []
  for (let after: number | null = -1; after !== null;) {
    const page: Awaited<ReturnType<typeof readDigests>> = await readDigests(reader, accountId, storeId, after, 1_000)
    blocks.push(...page.blocks)
    after = page.nextAfterBlock
  }
  return blocks.map(({ content, price, ...row }) => ({
    ...row,
    content: digestText(content),
    price: digestText(price),
  }))
}

async function expectDigests(accountId: number, storeIds: readonly number[], message?: string): Promise<void> {
  for (const storeId of storeIds)
    expect(await read(database.db, accountId, storeId), message).toEqual(await scanned(database.db, accountId, storeId))
}

/** An account with products in several blocks of ids. */
async function stocked(name: string, products = 12, blocks = 3) {
  const account = await createAccount(bench, name)
  const ids: number[] = []
  for (let part = 0; part < blocks; part++) {
    ids.push(
      ...(await giveOffers(
        bench,
        account,
        Array.from({ length: products }, (_, i) => offer(`${name}-${part}-${i}`)),
      )),
    )
    await inTransaction(database.db, (tx) => productIdBlocksAbandon(tx, account.accountId))
  }
  return { ...account, ids }
}

/** Restores the state of an account's blocks right after the migration. */
async function forget(accountId: number): Promise<void> {
  await database.db`
    update payload_block set content_digest = null, price_digest = null where account_id = ${accountId}`
  await database.db`insert into digest_fill (account_id, due_at) values (${accountId}, now())`
}

async function fill(db: Db): Promise<void> {
  while (await digestFillStep(db, 1));
}

test('digests are those of the bytes that are read, whatever is written', async () => {
  const { accountId, storeIds, suppliers, ids } = await stocked('writes')
  await expectDigests(accountId, storeIds)
  const [first = 0, second = 0, third = 0, fourth = 0] = ids
  const writes: [name: string, write: (tx: Tx) => Promise<Said>][] = [
    [
      'a price',
      async (tx) => (await writeOffers(tx, accountId, suppliers[0]!, [offer('writes-0-0', { cost: '77' })])).productIds,
    ],
    [
      'a text',
      (tx) => setOverrides(tx, accountId, [{ productId: second, field: 'title', locale: 'en', value: 'New' }]),
    ],
    [
      'a product that enters',
      async (tx) => (await writeOffers(tx, accountId, suppliers[1]!, [offer('new')])).productIds,
    ],
    ['a product that leaves a store', (tx) => setListing(tx, accountId, storeIds[1], [third], false)],
    ['a product that is merged into another', (tx) => mergeProducts(tx, accountId, first, [second])],
    ['a product that is deleted', (tx) => deleteProducts(tx, accountId, [fourth])],
    [
      'a rate, and so all prices of a store',
      async (tx) => void (await setRates(tx, accountId, [{ currency: 'PLN', rate: '5' }])),
    ],
    ['nothing new', (tx) => setOwnStock(tx, accountId, [{ productId: first, quantity: 0, cost: null }])],
  ]
  for (const [name, write] of writes) {
    const before = await read(database.db, accountId, storeIds[2])
    await bench.shelf.write(accountId, async (tx) => ({ productIds: productIdsOf(await write(tx)) }))
    await bench.shelf.drain(accountId)
    await expectDigests(accountId, storeIds, name)
    const isSame = JSON.stringify(before) === JSON.stringify(await read(database.db, accountId, storeIds[2]))
    expect([name, isSame]).toEqual([name, ['nothing new', 'a product that leaves a store'].includes(name)])
  }
  await expectAudited(database.db, accountId)
})

test('they follow bytes that a newer resolver writes without a change in the feed', async () => {
  const { accountId, storeIds, ids } = await stocked('resolver', 4, 2)
  // as if this release had added a member that rows of the previous one lack
  await database.db`
    update payload_content set resolver = 1, body = replace(body, ',"excluded":false', ''), tag = 'older ' || product_id
    where account_id = ${accountId}`
  await forget(accountId)
  await fill(database.db)
  const before = await read(database.db, accountId, storeIds[0])
  const head = await counterGet(database.db, accountId)
  await shelveBatch(database.db, openCompiledAccounts(), accountId, ids)
  expect(await counterGet(database.db, accountId)).toEqual(head)
  await expectDigests(accountId, storeIds)
  const after = await read(database.db, accountId, storeIds[0])
  expect(after.map(({ content }) => content)).not.toEqual(before.map(({ content }) => content))
  expect(after.map(({ price }) => price)).toEqual(before.map(({ price }) => price))
})

test('with two shelvers and writers at random, every answer is that of the bytes in its snapshot, at its cursor', async () => {
  const seed = seedFor('digests')
  const random = prng(seed)
  const { accountId, storeIds, suppliers } = await stocked('storm', 6, 3)
  const skus = Array.from({ length: 3 }, (_, part) => Array.from({ length: 6 }, (_, i) => `storm-${part}-${i}`)).flat()
  const ending = performance.now() + inGate(1_500, 4_000)
  const draws = prng(seed + 1)
  const writing = [0, 1].map(async () => {
    while (performance.now() < ending) {
      const some = skus.filter(() => draws() < 0.3)
      const cost = String(1 + Math.floor(draws() * 50))
      const isDelta = draws() < 0.5
      await bench.shelf.write(accountId, async (tx) => {
        const records = some.map((sku) => offer(sku, isDelta ? { cost } : { texts: { en: { title: `T${cost}` } } }))
        const { productIds } = await writeOffers(tx, accountId, suppliers[0]!, records)
        return { productIds }
      })
    }
  })
  let answers = 0
  const heads = new Set<number>()
  while (performance.now() < ending) {
    const storeId = pick(storeIds, random)
    await inTransaction(database.db, async (tx) => {
      await tx`set transaction isolation level repeatable read read only`
      const page = await readDigests(tx, accountId, storeId, -1, 1_000)
      expect(page.head).toEqual(await counterGet(tx, accountId))
      expect(await read(tx, accountId, storeId), `SEED=${seed}`).toEqual(await scanned(tx, accountId, storeId))
      heads.add(page.head.lastId)
    })
    answers++
  }
  await Promise.all(writing)
  expect(answers).toBeGreaterThan(10)
  expect(heads.size).toBeGreaterThan(3)
  await bench.shelf.drain(accountId)
  await expectDigests(accountId, storeIds, `SEED=${seed}`)
})

describe('blocks that were there before', () => {
  test('are computed for each answer, a few at a time, until they are filled', async () => {
    const { accountId, storeIds } = await stocked('before', 2, LIMITS.digestComputedBlocks + 2)
    const [store] = storeIds
    const known = await read(database.db, accountId, store)
    await forget(accountId)
    const page = await readDigests(database.db, accountId, store, -1, 1_000)
    expect(page.blocks).toHaveLength(LIMITS.digestComputedBlocks)
    expect(page.nextAfterBlock).toBe(page.blocks.at(-1)?.block)
    expect(await read(database.db, accountId, store)).toEqual(known)
    expect(await digestFillStep(database.db, 5)).toBe(true)
    expect(await read(database.db, accountId, store)).toEqual(known)
    await fill(database.db)
    expect(await digestFillStep(database.db)).toBe(false)
    const [unknown] = await database.db<{ count: number }[]>`
      select count(*)::int as count from payload_block
      where account_id = ${accountId} and (content_digest is null or price_digest is null)`
    expect(unknown).toEqual({ count: 0 })
    expect((await readDigests(database.db, accountId, store, -1, 1_000)).blocks).toHaveLength(known.length)
    await expectDigests(accountId, storeIds)
  })

  test('are not known before they are filled, whatever is written to them, and are right afterwards', async () => {
    const { accountId, storeIds, suppliers } = await stocked('unfilled', 3, 1)
    await forget(accountId)
    await giveOffers(bench, { accountId, suppliers } as never, [offer('unfilled-0-1', { cost: '99' })])
    await expectDigests(accountId, storeIds)
    await fill(database.db)
    await expectDigests(accountId, storeIds)
    await expectAudited(database.db, accountId)
  })

  test('are filled after a batch that has written its payloads, and is not committed', async () => {
    const { accountId, storeIds, suppliers } = await stocked('beside', 3, 1)
    await forget(accountId)
    const { productIds } = await inTransaction(database.db, (tx) =>
      writeOffers(tx, accountId, suppliers[0]!, [offer('beside-0-1', { cost: '99' })]),
    )
    await using a = openNamed(database)
    const batch = await hold(database.db, (tx) => shelveIn(tx, openCompiledAccounts(), accountId, [...productIds], {}))
    const filling = digestFillStep(a.db)
    expect(await a.fate(filling)).toBe('blocked')
    await batch.commit()
    await filling
    await fill(database.db)
    await expectDigests(accountId, storeIds)
  })
})

test('a deleted store takes its digests away with its payloads', async () => {
  const { accountId, storeIds, ids } = await stocked('deleted', 4, 2)
  await inTransaction(database.db, (tx) => shelfDelete(tx, accountId, storeIds[1], ids.slice(0, 5)))
  await expectDigests(accountId, storeIds)
  await inTransaction(database.db, (tx) => shelfDelete(tx, accountId, storeIds[1], ids.slice(5)))
  const rows = await database.db<{ content: string; price: string }[]>`
    select content_digest::text as content, price_digest::text as price from payload_block
    where account_id = ${accountId} and store_id = ${storeIds[1]}`
  expect(new Set(rows.flatMap(({ content, price }) => [content, price]))).toEqual(new Set(['0'.repeat(128)]))
})

test('the audit finds a digest that is not that of its tags', async () => {
  const { accountId, storeIds } = await stocked('audit', 2, 1)
  await database.db`
    update payload_block set price_digest = price_digest # ('x' || repeat('01', 16))::bit(128)
    where account_id = ${accountId} and store_id = ${storeIds[1]}`
  const { differences } = await auditAccount(database.db, accountId)
  expect(differences).toEqual([
    {
      storeId: storeIds[1],
      productId: expect.any(Number),
      what: expect.stringMatching(/^the digest of block \d+ is not that of its price halves$/),
    },
  ])
})

test('without purchase prices they are those of what is read, page by page', async () => {
  const account = await stocked('blind', 5, LIMITS.digestComputedBlocks + 1)
  const { accountId, storeIds } = account
  const [store] = storeIds
  const blind = async () => {
    const blocks = []
    let pages = 0
    for (let after: number | null = -1; after !== null; pages++) {
      const page: Awaited<ReturnType<typeof readDigests>> = await readDigestsWithoutCosts(
        database.db,
        accountId,
        store,
        after,
        1_000,
      )
      blocks.push(...page.blocks)
      after = page.nextAfterBlock
    }
    return { blocks, pages }
  }
  const { blocks, pages } = await blind()
  expect(pages).toBe(2)
  const rows = await database.db<Half[]>`
    select product_id as "productId", regexp_replace(body, ',"base_cost":[0-9.]+', '', 'g') as body from payload_price
    where account_id = ${accountId} and store_id = ${store}`
  const seeing = await read(database.db, accountId, store)
  expect(blocks.map(({ block, products, content }) => [block, products, digestText(content)])).toEqual(
    seeing.map(({ block, products, content }) => [block, products, content]),
  )
  for (const { block, price } of blocks)
    expect(digestText(price)).toBe(digestOf(rows.filter((row) => blockOf(row) === block)))
  expect(blocks.map(({ price }) => digestText(price))).not.toEqual(seeing.map(({ price }) => price))

  // of long price halves fewer are read for an answer, but at least a whole block
  const limits: { digestComputedBytes: number } = LIMITS
  const before = limits.digestComputedBytes
  try {
    for (const bytes of [1, 4_000]) {
      limits.digestComputedBytes = bytes
      const parts = await blind()
      expect(parts.blocks).toEqual(blocks)
      expect(parts.pages).toBeGreaterThan(bytes === 1 ? LIMITS.digestComputedBlocks : 2)
      const tags: { id: number }[] = []
      for (let afterId: number | null = 0; afterId !== null;) {
        const range = { afterId, limit: 1_000, seesCosts: false }
        const page: Awaited<ReturnType<typeof readTags>> = await readTags(database.db, accountId, store, range)
        expect(page.products.length).toBeGreaterThan(0)
        tags.push(...page.products)
        afterId = page.nextAfterId
      }
      expect(tags.map(({ id }) => id)).toEqual(rows.map(({ productId }) => productId).toSorted((a, b) => a - b))
    }
  } finally {
    limits.digestComputedBytes = before
  }
})
