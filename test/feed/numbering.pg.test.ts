import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { productIdsAfter } from '../../src/catalog/products/products.sql.ts'
import { deleteProducts, setOverrides, setOwnStock } from '../../src/catalog/products/products.ts'
import { setListing } from '../harness/product-edits.ts'
import { writeOffers } from '../../src/catalog/products/offers/offers.ts'
import { inTransaction, type Tx } from '../../src/db/sql.ts'
import { readFeed, type Cursor } from '../../src/feed/read.ts'
import { ShelfwireError } from '../../src/platform/errors.ts'
import { pick, prng, shuffled } from '../../src/demo/catalog/prng.ts'
import { openCompiledAccounts } from '../../src/shelf/inputs/compiled-inputs.ts'
import { shelveBatch, shelveIn } from '../../src/shelf/shelve.ts'
import {
  createAccount,
  giveOffers,
  offer,
  openBench,
  type TestAccount,
  productIdsOf,
  type Said,
  expectAudited,
} from '../harness/account.ts'
import { createDatabase } from '../harness/database.ts'
import { inGate } from '../harness/gate.ts'
import { hold, openNamed, seedFor } from '../harness/interleave.ts'
import { entries, Mirror, oracle, type Saved } from './mirror.ts'
import { worldOfFile } from '../harness/world.ts'

const accounts = openCompiledAccounts()

const { database, bench } = worldOfFile({ connectionsMax: 24 })

/** Marks products by setting their own stock; nothing is shelved. */
async function markStock(accountId: number, productIds: readonly number[], quantity: number): Promise<void> {
  const rows = productIds.map((productId) => ({ productId, quantity, cost: null }))
  await inTransaction(database.db, (tx) => setOwnStock(tx, accountId, rows))
}

async function head({ accountId, storeIds }: TestAccount): Promise<Cursor> {
  return { kind: 'pair', ...(await readFeed(database.db, accountId, storeIds[0], { kind: 'now' }, 1)).next }
}

/** The product ids that the default store's feed shows after a cursor, and the next cursor. */
async function changesAfter(
  { accountId, storeIds }: TestAccount,
  cursor: Cursor,
): Promise<{ ids: number[]; next: Cursor }> {
  const window = await readFeed(database.db, accountId, storeIds[0], cursor, 1_000)
  return { ids: window.changes.map((change) => change.productId), next: { kind: 'pair', ...window.next } }
}

test('an account that does not exist is an error, not an empty feed', async () => {
  await expect(readFeed(database.db, 987_654_321, 1, { kind: 'beginning' }, 5)).rejects.toMatchObject({
    code: 'unknown-account',
  })
})

test.each(['commit', 'rollback'] as const)(
  'a writer waits for one of the same account that has numbered its changes, not for one of another account; after a %s the feed shows exactly what was committed',
  async (ending) => {
    const [ours, others] = [await createAccount(bench), await createAccount(bench)]
    const [p = 0, q = 0] = await giveOffers(bench, ours, [offer('P'), offer('Q')])
    const [r = 0] = await giveOffers(bench, others, [offer('R')])
    await markStock(ours.accountId, [p, q], 7)
    await markStock(others.accountId, [r], 7)
    const [start, startOfOthers] = [await head(ours), await head(others)]
    await using b = openNamed(database)
    await using a = await hold(database.db, (tx) => shelveIn(tx, accounts, ours.accountId, [p], {}))
    const running = shelveBatch(b.db, accounts, ours.accountId, [q])
    expect(await b.fate(running)).toBe('blocked')
    await shelveBatch(database.db, accounts, others.accountId, [r])
    expect((await changesAfter(others, startOfOthers)).ids).toEqual([r])
    expect((await changesAfter(ours, start)).ids).toEqual([])
    await a[ending]()
    await running
    const seen = await changesAfter(ours, start)
    expect(seen.ids).toEqual(ending === 'commit' ? [p, q] : [q])
    await bench.shelf.drain(ours.accountId)
    expect((await changesAfter(ours, seen.next)).ids).toEqual(ending === 'commit' ? [] : [p])
  },
)

test('a reader between two writers, one of which has numbered its changes and not committed, misses no change of either', async () => {
  const account = await createAccount(bench)
  const { accountId } = account
  const [p = 0, q = 0] = await giveOffers(bench, account, [offer('P'), offer('Q')])
  await markStock(accountId, [p, q], 7)
  const start = await head(account)
  await using b = openNamed(database)
  await using a = await hold(database.db, (tx) => shelveIn(tx, accounts, accountId, [p], {}))
  const running = shelveBatch(b.db, accounts, accountId, [q])
  await b.fate(running)
  const between = await changesAfter(account, start)
  await a.commit()
  await running
  const after = await changesAfter(account, between.next)
  expect([...between.ids, ...after.ids].sort((x, y) => x - y)).toEqual([p, q])
})

test('positions ascend when the clock steps back an hour between two writes', async () => {
  const account = await createAccount(bench)
  const { accountId } = account
  const [p = 0, q = 0] = await giveOffers(bench, account, [offer('P'), offer('Q')])
  await database.db`update change_counter set last_at = (last_at at time zone 'UTC' + interval '1 hour') at time zone 'UTC' where account_id = ${accountId}`
  await markStock(accountId, [p], 7)
  await bench.shelf.drain(accountId)
  const cursor = await head(account)
  await markStock(accountId, [q], 7)
  await bench.shelf.drain(accountId)
  expect((await changesAfter(account, cursor)).ids).toEqual([q])
  const all = await readFeed(database.db, accountId, account.storeIds[0], { kind: 'beginning' }, 1_000)
  expect(all.changes.map((change) => change.productId)).toEqual([p, q])
  expect(all.changes[0]?.changedAt.getTime()).toBeGreaterThan(Date.now() + 3_500_000)
})

test.each(['read committed', 'repeatable read', 'serializable'])(
  'a writer that waited for the counter gets the next numbers at its first attempt, also where the default isolation is %s',
  async (isolation) => {
    await using own = await createDatabase()
    await own.db.unsafe(
      `alter database ${new URL(own.url).pathname.slice(1)} set default_transaction_isolation = '${isolation}'`,
    )
    await using connections = openNamed(own, 4)
    const pool = connections.db
    const there = openBench(pool)
    const account = await createAccount(there)
    const [p = 0, q = 0] = await giveOffers(there, account, [offer('P'), offer('Q')])
    for (const productId of [p, q])
      await inTransaction(pool, (tx) => setOwnStock(tx, account.accountId, [{ productId, quantity: 7, cost: null }]))
    await using b = openNamed(own)
    await using a = await hold(pool, (tx) => shelveIn(tx, accounts, account.accountId, [p], {}))
    let attempts = 0
    const running = inTransaction(b.db, async (tx) => {
      attempts++
      await shelveIn(tx, accounts, account.accountId, [q], {})
    })
    expect(await b.fate(running)).toBe('blocked')
    await a.commit()
    await running
    expect(attempts).toBe(1)
    const { changes } = await readFeed(pool, account.accountId, account.storeIds[0], { kind: 'beginning' }, 10)
    expect(changes.map((change) => change.productId)).toEqual([p, q])
    await expectAudited(pool, account.accountId)
  },
)

const WRITERS = 8
const TRANSACTIONS_EACH = inGate(12, 30)
/** How many saved states of each mirror are tried; the test below tries all states of a quiet feed. */
const CURSORS_TRIED_EACH = 25
const SKUS = Array.from({ length: 25 }, (_, i) => `S${i}`)

type Write = (tx: Tx) => Promise<Said>

/** Chooses one random change of an account's inputs, completely, so that a retry repeats the same change. */
async function drawWrite(account: TestAccount, random: () => number): Promise<Write> {
  const { accountId } = account
  const number = (below: number) => Math.floor(random() * below)
  const ids = await productIdsAfter(database.db, accountId, 0, 1_000)
  const some = [...new Set(Array.from({ length: 1 + number(4) }, () => pick(ids, random)))].sort((x, y) => x - y)
  const kind = random()
  if (kind < 0.4) {
    const supplier = pick(account.suppliers, random)
    const skus = [...new Set(Array.from({ length: 1 + number(5) }, () => pick(SKUS, random)))]
    const records = skus.map((sku) =>
      offer(sku, {
        cost: `${1 + number(50)}.5`,
        quantity: number(9),
        ...(random() < 0.3 ? { manufacturer: `M${number(5)}` } : {}),
      }),
    )
    return async (tx) => (await writeOffers(tx, accountId, supplier, records)).productIds
  }
  if (kind < 0.6) {
    const rows = some.map((productId) => ({
      productId,
      quantity: number(20),
      cost: random() < 0.5 ? null : `${number(30)}.25`,
    }))
    return (tx) => setOwnStock(tx, accountId, rows)
  }
  if (kind < 0.75) {
    const rows = some.map((productId) => ({
      productId,
      field: 'title' as const,
      locale: pick(['en', 'de'], random),
      value: random() < 0.3 ? null : `T${number(9)}`,
    }))
    return (tx) => setOverrides(tx, accountId, rows)
  }
  if (kind < 0.92) {
    const [storeId, isListed] = [pick(account.storeIds, random), random() < 0.5]
    return (tx) => setListing(tx, accountId, storeId, some, isListed)
  }
  return (tx) => deleteProducts(tx, accountId, some.slice(0, 1))
}

class Abandoned extends Error {}

/** Writes, and then does not shelve, shelves at once, or shelves in a transaction that pauses between numbering and its end. */
async function writeOnce(account: TestAccount, random: () => number): Promise<void> {
  const { accountId } = account
  const write = await drawWrite(account, random)
  const [way, pauseMs, isAbandoned] = [random(), random() * 15, random() < 0.15]
  const productIds = await inTransaction(database.db, async (tx) => productIdsOf(await write(tx))).catch(
    (error: unknown) => {
      // another writer deleted the product meanwhile
      if (error instanceof ShelfwireError && error.code === 'unknown-product') return []
      throw error
    },
  )
  if (way < 0.15 || productIds.length === 0) return
  if (way < 0.35) return void (await shelveBatch(database.db, accounts, accountId, productIds))
  const shelving = inTransaction(database.db, async (tx) => {
    await shelveIn(tx, accounts, accountId, productIds, {})
    await sleep(pauseMs)
    if (isAbandoned) throw new Abandoned()
  })
  await shelving.catch((error: unknown) => {
    if (!(error instanceof Abandoned)) throw error
  })
}

const numberOf = (cursor: Cursor) => (cursor.kind === 'pair' ? cursor.id : -1)

/** Polls in windows of random size until `isOver`; restores a random saved state now and then. Returns the saved states. */
async function readOn(mirror: Mirror, random: () => number, isOver: () => boolean): Promise<Saved[]> {
  const saved: Saved[] = [mirror.save()]
  while (!isOver()) {
    // a client that keeps only one kind must read to the end in one window; see change_types in the docs
    const window = await mirror.poll(mirror.keeps === 'all' ? 1 + Math.floor(random() * 12) : 1_000)
    if (mirror.keeps !== 'all') expect(window.hasMore).toBe(false)
    if (window.changes.length > 0) saved.push(mirror.save())
    const back = random()
    // as after a crash that lost the latest state and cursor
    if (back < 0.04) mirror.restore(pick(saved, random))
    else if (back < 0.08 && mirror.keeps === 'all') {
      mirror.cursor = pick(
        saved.filter((kept) => numberOf(kept.cursor) <= numberOf(mirror.cursor)),
        random,
      ).cursor
    }
    await sleep(random() * 4)
  }
  await mirror.readAll(() => (mirror.keeps === 'all' ? 1 + Math.floor(random() * 12) : 1_000))
  return saved
}

test(
  'with random writers, pauses, rollbacks, window sizes and restarts every mirror ends equal to the payload tables',
  { timeout: 120_000 },
  async () => {
    const seed = seedFor('numbering property')
    const accounts = [
      await createAccount(bench, 'one'),
      await createAccount(bench, 'two'),
      await createAccount(bench, 'three'),
    ]
    for (const account of accounts)
      await giveOffers(
        bench,
        account,
        SKUS.slice(0, 10).map((sku) => offer(sku)),
      )
    let isOver = false
    const mirrors = accounts.flatMap(({ accountId, storeIds }) =>
      storeIds.flatMap((storeId, i) => [
        new Mirror(database.db, accountId, storeId),
        ...(i === 0
          ? [
              new Mirror(database.db, accountId, storeId, 'price'),
              new Mirror(database.db, accountId, storeId, 'content'),
            ]
          : []),
      ]),
    )
    const reading = mirrors.map((mirror, i) => readOn(mirror, prng(seed + 1_000 + i), () => isOver))
    for (const walk of reading) walk.catch(() => {})
    const writing = Array.from({ length: WRITERS }, async (_, i) => {
      const random = prng(seed + i)
      for (let n = 0; n < TRANSACTIONS_EACH; n++) await writeOnce(pick(accounts, random), random)
    })
    try {
      await Promise.all(writing)
      for (const { accountId } of accounts) await bench.shelf.drain(accountId)
    } finally {
      await Promise.allSettled(writing)
      isOver = true
      await Promise.allSettled(reading)
    }
    const random = prng(seed + 2_000)
    for (const [i, mirror] of mirrors.entries()) {
      const saved = (await reading[i]) ?? []
      const expected = entries(await oracle(database.db, mirror.accountId, mirror.storeId, mirror.keeps))
      expect(entries(mirror.products), `mirror ${i} (${mirror.keeps}), SEED=${seed}`).toEqual(expected)
      // the state saved at any cursor plus the rest read later equals reading everything
      for (const kept of shuffled(saved, random).slice(0, CURSORS_TRIED_EACH)) {
        mirror.restore(kept)
        await mirror.readAll(() => (mirror.keeps === 'all' ? 1 + Math.floor(random() * 40) : 1_000))
        expect(
          entries(mirror.products),
          `mirror ${i} (${mirror.keeps}) from ${JSON.stringify(kept.cursor)}, SEED=${seed}`,
        ).toEqual(expected)
      }
    }
    for (const { accountId } of accounts) {
      await expectAudited(database.db, accountId)
    }
  },
)

test('the state saved at any cursor plus the rest read later equals reading everything', async () => {
  const account = await createAccount(bench)
  const { accountId, storeIds } = account
  const ids = await giveOffers(
    bench,
    account,
    Array.from({ length: 30 }, (_, i) => offer(`L${i}`)),
  )
  await bench.shelf.write(accountId, (tx) => setListing(tx, accountId, storeIds[0], ids.slice(0, 9), false))
  await bench.shelf.write(accountId, (tx) => setListing(tx, accountId, storeIds[0], ids.slice(0, 4), true))
  const expected = entries(await oracle(database.db, accountId, storeIds[0]))
  const walker = new Mirror(database.db, accountId, storeIds[0])
  for (let isMore = true; isMore;) {
    const rest = new Mirror(database.db, accountId, storeIds[0])
    rest.restore(walker.save())
    expect(entries((await rest.readAll(() => 7)).products)).toEqual(expected)
    isMore = (await walker.poll(1)).hasMore
  }
  expect(entries(walker.products)).toEqual(expected)
})
