import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeOffers } from '../../src/catalog/products/offers/offers.ts'
import { isStale } from '../../src/catalog/stale/stale.sql.ts'
import { sweepAppend } from '../../src/catalog/stale/sweeps.sql.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { compiledAccounts } from '../../src/shelf/inputs/compiled-inputs.ts'
import { shelveBatch } from '../../src/shelf/shelve.ts'
import { createAccount, expectAudited, giveOffers, offer } from '../harness/account.ts'
import { isCluster } from '../harness/database.ts'
import { until } from '../harness/interleave.ts'
import { worldOfFile } from '../harness/world.ts'

// The amount of product data that is held in memory at a time, for products of any size.

const { database, bench } = worldOfFile()
const { statementCharacters, shelveHeavyCharacters } = LIMITS
const SMALL = 200_000
beforeEach(() => void Object.assign(LIMITS, { statementCharacters: SMALL, shelveHeavyCharacters: 1_000 }))
afterEach(() => {
  Object.assign(LIMITS, { statementCharacters, shelveHeavyCharacters })
  database.db.onStatement = null
})

/** A text that PostgreSQL cannot compress, or that it compresses to almost nothing. */
const long = (seed: number, characters: number, isPlain: boolean) =>
  isPlain
    ? 'x'.repeat(characters)
    : Array.from({ length: characters }, (_, i) => String.fromCharCode(97 + ((i * i * 31 + i * seed * 7) % 26))).join(
        '',
      )

const heavy = (sku: string, seed: number, characters: number, isPlain: boolean) =>
  offer(sku, {
    attributes: Array.from({ length: 10 }, (_, i) => ({
      key: `k${i}`,
      value: long(seed + i, characters / 10, isPlain),
    })),
  })

/** The number of ids in a statement's list of ids, in PostgreSQL's form `{1,2}`. */
const idsIn = (values: readonly unknown[]) =>
  String(values.find((value) => String(value).includes('{') || Array.isArray(value))).split(',').length

/** Shelves offers in one batch. @returns the numbers of products that are read at once, and the lengths of the contents in each write. */
async function held(isPlain: boolean, characters: number, light: number, count: number) {
  const account = await createAccount(bench, `${isPlain}-${characters}-${light}`)
  const { accountId, suppliers } = account
  // the first products are short, so their size does not predict that of the others
  const lights = Array.from({ length: light }, (_, i) => offer(`A${i}`))
  const heavies = Array.from({ length: count }, (_, i) => heavy(`B${i}`, i, characters, isPlain))
  const { productIds } = await inTransaction(database.db, (tx) =>
    writeOffers(tx, accountId, suppliers[0]!, [...lights, ...heavies]),
  )
  const read: number[] = []
  const written: number[] = []
  database.db.onStatement = (text, values) => {
    if (/from offer o left join lateral/.test(text)) read.push(idsIn(values))
    if (/insert into payload_content/.test(text)) written.push(Math.max(...values.map((value) => String(value).length)))
  }
  await shelveBatch(database.db, compiledAccounts(database.db), accountId, [...productIds])
  database.db.onStatement = null
  await expectAudited(database.db, accountId)
  return { read, written }
}

test.for([true, false])('the first slice of a batch is few products where they are long: %s', async (isPlain) => {
  const { read } = await held(isPlain, 100_000, 0, 6)
  expect(read).toEqual([1, 1, 1, 1, 1, 1].slice(0, read.length))
  expect(read.reduce((sum, count) => sum + count, 0)).toBe(6)
})

test('light products before them are no measure for those that follow', async () => {
  const { read } = await held(true, 100_000, 20, 6)
  expect(read.reduce((sum, count) => sum + count, 0)).toBe(26)
  // the short ones, and as many long ones as may be held
  expect(read[0]).toBeLessThanOrEqual(22)
  expect(Math.max(...read.slice(1))).toBeLessThanOrEqual(2)
})

test('payloads of a product that is long alone are made of some stores after the others', async () => {
  const { written } = await held(true, 150_000, 0, 2)
  expect(written).toHaveLength(6)
  expect(Math.max(...written)).toBeLessThan(1.1 * SMALL)
})

test('light products are read a hundred at a time, as before', async () => {
  const account = await createAccount(bench, 'light')
  Object.assign(LIMITS, { statementCharacters })
  const { productIds } = await inTransaction(database.db, (tx) =>
    writeOffers(
      tx,
      account.accountId,
      account.suppliers[0]!,
      Array.from({ length: 150 }, (_, i) => offer(`L${i}`)),
    ),
  )
  const read: number[] = []
  database.db.onStatement = (text, values) => {
    if (/from offer o left join lateral/.test(text)) read.push(idsIn(values))
  }
  await shelveBatch(database.db, compiledAccounts(database.db), account.accountId, [...productIds])
  expect(read).toEqual([100, 50])
})

test('overrides of an owner weigh as well', async () => {
  const account = await createAccount(bench, 'overridden')
  const { accountId } = account
  const ids = await giveOffers(bench, account, [offer('O1'), offer('O2'), offer('O3')])
  await inTransaction(database.db, async (tx) => {
    await tx`
      insert into product_override (account_id, product_id, field, locale, value)
      select ${accountId}, id, 'description', 'en', ${'y'.repeat(SMALL)} from unnest(${ids}::bigint[]) id`
  })
  const read: number[] = []
  database.db.onStatement = (text, values) => {
    if (/from offer o left join lateral/.test(text)) read.push(idsIn(values))
  }
  await shelveBatch(database.db, compiledAccounts(database.db), accountId, ids)
  expect(read).toEqual([1, 1, 1])
})

test.skipIf(isCluster())(
  'a connection that breaks while products are weighed costs the batch, and no process',
  async () => {
    const account = await createAccount(bench, 'broken')
    const { accountId, suppliers } = account
    const { productIds } = await inTransaction(database.db, (tx) =>
      writeOffers(tx, accountId, suppliers[0]!, [offer('A'), offer('B')]),
    )
    const unhandled: unknown[] = []
    const note = (error: unknown) => void unhandled.push(error)
    process.on('unhandledRejection', note)
    try {
      // the statement that reads sizes waits for this lock, and the statement for marks waits behind it
      const broken = database.db.begin('', async (tx) => {
        await tx`lock table offer_content in access exclusive mode`
        const batch = shelveBatch(database.db, compiledAccounts(database.db), accountId, [...productIds])
        batch.catch(() => {})
        await until('the weighing waits', async () => {
          const waiting = await tx<{ pid: number }[]>`
          select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
          for (const { pid } of waiting) await tx`select pg_terminate_backend(${pid}::int)`
          return waiting.length > 0
        })
        return { batch }
      })
      await (await broken).batch.catch(() => {})
      // unhandled rejections are reported after the current turn
      await new Promise((resolve) => setTimeout(resolve, 50))
    } finally {
      process.off('unhandledRejection', note)
    }
    expect(unhandled).toEqual([])
    await bench.shelf.drain(accountId)
    await expectAudited(database.db, accountId)
  },
)

test.for(['marks', 'a sweep', 'a write'] as const)(
  'one transaction shelves as many heavy products as fit, by %s, and the others follow',
  async (by) => {
    const { shelveTransactionCharacters } = LIMITS
    const account = await createAccount(bench, `transactions ${by}`)
    const { accountId, suppliers } = account
    const offers = [offer('A0'), ...Array.from({ length: 5 }, (_, i) => heavy(`B${i}`, i, 50_000, true)), offer('C0')]
    const write = (cost: string) =>
      bench.shelf.write(accountId, (tx) =>
        writeOffers(
          tx,
          accountId,
          suppliers[0]!,
          offers.map((record) => ({ ...record, cost })),
        ),
      )
    await write('1')
    await bench.shelf.drain(accountId)
    // room for two products in three stores
    Object.assign(LIMITS, { shelveTransactionCharacters: 2 * 3 * 51_000 })
    const written: number[] = []
    let transaction = new Set<string>()
    database.db.onStatement = (text, values) => {
      if (/insert into payload_content|update payload_content/.test(text))
        for (const value of values)
          for (const found of String(value).matchAll(/"sku":"(B\d)"/g)) transaction.add(found[1]!)
      if (/change_counter/.test(text) && transaction.size > 0) {
        written.push(transaction.size)
        transaction = new Set()
      }
    }
    try {
      for (const record of offers) record.texts = { de: { title: `new by ${by}` } }
      if (by === 'a write') {
        expect((await write('2')).unshelved).toEqual([])
        expect(await isStale(database.db, accountId)).toBe(false)
      } else {
        await inTransaction(database.db, async (tx) => {
          await writeOffers(tx, accountId, suppliers[0]!, offers)
          if (by === 'marks') return
          await tx`delete from mark where account_id = ${accountId}`
          await sweepAppend(tx, accountId, 'test')
        })
        await bench.shelf.drain(accountId)
      }
    } finally {
      database.db.onStatement = null
      Object.assign(LIMITS, { shelveTransactionCharacters })
    }
    expect(written.reduce((sum, count) => sum + count, 0)).toBe(5)
    expect(Math.max(...written)).toBe(2)
    await expectAudited(database.db, accountId)
  },
)
