import { pino } from 'pino'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { writeOffers } from '../../src/catalog/products/offers/offers.ts'
import { productsLock } from '../../src/catalog/products/products.sql.ts'
import { setOverrides, setOwnStock } from '../../src/catalog/products/products.ts'
import { setListing } from '../harness/product-edits.ts'
import { createRule, editRule } from '../../src/catalog/settings/rules/pricing-rules.ts'
import { editGroup } from '../../src/catalog/settings/stores/groups.ts'
import { setAttributeDefinitions } from '../../src/catalog/settings/content/attribute-definitions.ts'
import { setRates } from '../../src/catalog/settings/prices/rates.ts'
import { editSupplier } from '../../src/catalog/settings/suppliers/suppliers.ts'
import { openDb } from '../../src/db/open-db.ts'
import { inTransaction, type Tx } from '../../src/db/sql.ts'
import { openWake } from '../../src/db/wake.ts'
import { demoEan } from '../../src/demo/catalog/ean.ts'
import { pick, prng, shuffled } from '../../src/demo/catalog/prng.ts'
import type { Log } from '../../src/platform/log.ts'
import { runImport } from '../../src/imports/run.ts'
import { auditAccount } from '../../src/shelf/audit.ts'
import { Shelf } from '../../src/shelf/shelf.ts'
import type { ReadRow } from '../../src/supplier-files/reading.ts'
import { createAccount, giveOffers, offer, type TestAccount, productIdsOf, type Said } from '../harness/account.ts'
import { inGate } from '../harness/gate.ts'
import { seedFor } from '../harness/interleave.ts'
import { worldOfFile } from '../harness/world.ts'

const { database, bench } = worldOfFile({ connectionsMax: 20 })

const PRODUCTS = 20
const STORM_MS = inGate(2_000, 4_000)
const eans = Array.from({ length: PRODUCTS }, (_, i) => demoEan(i))

type Write = (tx: Tx) => Promise<Said>
/** Draws one change of one kind of input. */
type Writer = (random: () => number) => Write

/** A writer for every kind of input of these products' payloads. */
function writersOf(account: TestAccount, ids: readonly number[], ruleIds: readonly number[]): Record<string, Writer> {
  const { accountId, storeIds, suppliers, groupId } = account
  const number = (random: () => number, below: number) => Math.floor(random() * below)
  const some = (random: () => number) => shuffled(ids, random).slice(0, 1 + number(random, PRODUCTS))
  const offersOf =
    (supplier: { supplierId: number; currency: string }): Writer =>
    (random) => {
      const records = some(random).map((id) => {
        const i = ids.indexOf(id)
        return offer(`${supplier.supplierId}-${i}`, {
          eans: [eans[i] ?? ''],
          cost: `${1 + number(random, 90)}.10`,
          quantity: number(random, 6),
          manufacturer: `M${number(random, 3)}`,
        })
      })
      return async (tx) => (await writeOffers(tx, accountId, supplier, records)).productIds
    }
  const settings =
    (draw: (random: () => number) => (tx: Tx) => Promise<unknown>): Writer =>
    (random) => {
      const write = draw(random)
      return async (tx) => {
        await write(tx)
        return []
      }
    }
  return {
    'offers of the first supplier': offersOf(suppliers[0]!),
    'offers of the second supplier': offersOf(suppliers[1]!),
    'own stock': (random) => {
      const rows = some(random).map((productId) => ({
        productId,
        quantity: number(random, 9),
        cost: random() < 0.5 ? null : `${number(random, 40)}.3`,
      }))
      return (tx) => setOwnStock(tx, accountId, rows)
    },
    overrides: (random) => {
      const rows = some(random).map((productId) => ({
        productId,
        field: 'title' as const,
        locale: 'en',
        value: random() < 0.3 ? null : `Title ${number(random, 9)}`,
      }))
      return (tx) => setOverrides(tx, accountId, rows)
    },
    attributes: (random) => {
      const [productId, value] = [pick(ids, random), `c${number(random, 5)}`]
      return (tx) => setOverrides(tx, accountId, [{ productId, field: 'attribute', key: 'color', locale: '', value }])
    },
    listings: (random) => {
      const [storeId, products, isListed] = [pick(storeIds, random), some(random), random() < 0.6]
      return (tx) => setListing(tx, accountId, storeId, products, isListed)
    },
    rules: settings((random) => {
      const [ruleId, percent] = [pick(ruleIds, random), String(number(random, 60))]
      return (tx) => editRule(tx, accountId, ruleId, { percent })
    }),
    rates: settings((random) => {
      const rate = `4.${number(random, 90)}`
      return (tx) => setRates(tx, accountId, [{ currency: 'PLN', rate }])
    }),
    groups: settings((random) => {
      const name = `Trade ${number(random, 9)}`
      return (tx) => editGroup(tx, accountId, groupId, { name })
    }),
    labels: settings((random) => {
      const labels = { en: `Colour ${number(random, 9)}` }
      return (tx) => setAttributeDefinitions(tx, accountId, [{ key: 'color', unit: null, position: 1, labels }])
    }),
    suppliers: settings((random) => {
      const [supplier, safetyBuffer] = [pick(account.suppliers, random), number(random, 3)]
      return (tx) => editSupplier(tx, accountId, supplier.supplierId, { safetyBuffer })
    }),
  }
}

/** A log that collects its lines. */
function keepingLog(): { log: Log; lines: string[] } {
  const lines: string[] = []
  return { log: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }), lines }
}

/** A second process from the database's point of view: a pool, a listener and a shelf of its own. */
async function startOther(log: Log): Promise<AsyncDisposable> {
  const db = openDb({ url: database.url, connectionsMax: 4 })
  const wake = openWake(db, log)
  await wake.start()
  const loop = new Shelf(db, wake, log).startWorker('other')
  return {
    async [Symbol.asyncDispose]() {
      await loop.stop()
      await wake.stop()
      await db.end({ timeout: 5 })
    },
  }
}

test(
  'with writers of every input of the same products, two workers and sweeps, every payload ends as its inputs resolve',
  { timeout: 90_000 },
  async () => {
    const seed = seedFor('shelf storm')
    const account = await createAccount(bench)
    const { accountId, suppliers } = account
    const ids = await giveOffers(
      bench,
      account,
      eans.map((ean, i) => offer(`${suppliers[0]!.supplierId}-${i}`, { eans: [ean] })),
    )
    const ruleIds = [
      await inTransaction(database.db, (tx) =>
        createRule(tx, accountId, { name: 'Wholesale', percent: '10', groupIds: [account.groupId] }),
      ).then((made) => made.value),
      await inTransaction(database.db, (tx) =>
        createRule(tx, accountId, { name: 'Poland', percent: '30', storeIds: [account.storeIds[2]] }),
      ).then((made) => made.value),
    ]
    const { log, lines } = keepingLog()
    const writers = Object.entries(writersOf(account, ids, ruleIds))
    const counts = new Map<string, number>()
    {
      await using _other = await startOther(log)
      const worker = new Shelf(database.db, bench.wake, log).startWorker('own')
      const end = performance.now() + STORM_MS
      const writing = writers.map(async ([name, draw], i) => {
        const random = prng(seed + i)
        while (performance.now() < end) {
          const write = draw(random)
          // either a request that answers after shelving, or a page that leaves its marks to the loop, with or without a notification
          const way = random()
          if (way < 0.5)
            await bench.shelf.write(accountId, async (tx) => ({ productIds: productIdsOf(await write(tx)) }))
          else await inTransaction(database.db, write)
          if (way > 0.75) bench.wake.notify('mark', accountId)
          counts.set(name, (counts.get(name) ?? 0) + 1)
          await sleep(random() * 5)
        }
      })
      await Promise.allSettled(writing)
      await worker.stop()
      // a failed writer is a fault, because deadlocks are retried
      await Promise.all(writing)
    }
    expect(lines).toEqual([])
    expect([...counts.keys()].sort()).toEqual(writers.map(([name]) => name).sort())
    await bench.shelf.drain(accountId)
    const audit = await auditAccount(database.db, accountId)
    expect(audit, `SEED=${seed}`).toMatchObject({
      products: PRODUCTS,
      isStale: false,
      differences: [],
      differencesTotal: 0,
    })
    await expectBlocks(accountId)
  },
)

// the number of writes per batch depends on timing
test(
  'small writes that wait at the same time are shelved together, and each can be read when it is answered',
  { retry: 2 },
  async () => {
    const account = await createAccount(bench)
    const { accountId } = account
    const ids = await giveOffers(
      bench,
      account,
      eans.map((ean, i) => offer(`J${i}`, { eans: [ean], quantity: 0 })),
    )
    let counted = 0
    database.db.onStatement = (text) => {
      if (/update change_counter/.test(text)) counted++
    }
    try {
      const shownStock = async (productId: number) => {
        const [row] = await database.db<{ stock: number }[]>`
        select (('{' || body || '}')::jsonb ->> 'stock')::int as stock from payload_price
        where account_id = ${accountId} and product_id = ${productId} order by store_id limit 1`
        return row?.stock
      }
      const writer = async (which: number) => {
        for (let n = 1; n <= 12; n++) {
          // each product has two writers
          const productId = ids[(which >> 1) + 4 * (n % 3)] ?? 0
          const quantity = 100 * (which + 1) + n
          await bench.shelf.write(accountId, async (tx) => ({
            ...(await setOwnStock(tx, accountId, [{ productId, quantity, cost: '1' }])),
            half: 'price' as const,
          }))
          const stock = (await shownStock(productId)) ?? 0
          // the other writer may have written meanwhile, but an older value must not be read
          const isOfOther = Math.floor(stock / 100) === (which ^ 1) + 1
          expect(isOfOther ? quantity : stock).toBe(quantity)
        }
      }
      await Promise.all(Array.from({ length: 8 }, (_, which) => writer(which)))
      expect(counted).toBeGreaterThan(0)
      expect(counted, 'transactions for 96 writes').toBeLessThan(80)
    } finally {
      database.db.onStatement = null
    }
    expect(await auditAccount(database.db, accountId)).toMatchObject({ isStale: false, differencesTotal: 0 })
  },
)

test('a product that somebody has locked keeps no writers of others, which wait at the same time', async () => {
  const account = await createAccount(bench)
  const { accountId } = account
  const [first = 0, ...rest] = await giveOffers(
    bench,
    account,
    eans.map((ean, i) => offer(`L${i}`, { eans: [ean] })),
  )
  const [locked = 0, ...free] = rest.slice(0, 4)
  const answered: number[] = []
  const shelve = (productId: number) =>
    bench.shelf
      .write(accountId, () => Promise.resolve({ productIds: [productId], half: 'price' as const }))
      .then(() => answered.push(productId))
  const until = Promise.withResolvers<void>()
  const others: Promise<unknown>[] = []
  const holding = inTransaction(database.db, async (tx) => {
    await productsLock(
      tx,
      accountId,
      [first, locked].toSorted((a, b) => a - b),
      false,
    )
    // the first waits alone; the others arrive meanwhile and become one batch
    for (const id of [first, locked, ...free]) others.push(shelve(id))
    await until.promise
  })
  await expect
    .poll(() => answered.toSorted((a, b) => a - b), { timeout: 20_000 })
    .toEqual(free.toSorted((a, b) => a - b))
  until.resolve()
  await holding
  await Promise.all(others)
  expect(answered).toHaveLength(2 + free.length)
})

test('whoever skips products that are locked locks as many others, the lowest ones, each once', async () => {
  const account = await createAccount(bench)
  const { accountId } = account
  const given = await giveOffers(
    bench,
    account,
    Array.from({ length: 8 }, (_, i) => offer(`S${i}`)),
  )
  const ids = given.toSorted((a, b) => a - b)
  const isHeld = Promise.withResolvers<void>()
  const until = Promise.withResolvers<void>()
  const holding = inTransaction(database.db, async (tx) => {
    await productsLock(tx, accountId, [ids[1]!, ids[3]!], false)
    isHeld.resolve()
    await until.promise
  })
  await isHeld.promise
  const locked = await inTransaction(database.db, (tx) => productsLock(tx, accountId, given, true, 4))
  until.resolve()
  await holding
  expect(locked).toEqual([ids[0], ids[2], ids[4], ids[5]])
})

/** Expects the counts of blocks to match the payloads in every store. */
async function expectBlocks(accountId: number): Promise<void> {
  const counted = await database.db`
    select store_id, sum(products)::int as products from payload_block where account_id = ${accountId}
    group by 1 having sum(products) > 0 order by 1`
  const held = await database.db`
    select store_id, count(*)::int as products from payload_price where account_id = ${accountId} group by 1 order by 1`
  expect([...counted]).toEqual([...held])
}

test('two suppliers that first import the same EANs at the same time make one product per EAN', async () => {
  const seed = seedFor('imports at once')
  const account = await createAccount(bench)
  const { accountId, suppliers } = account
  const articles = Array.from({ length: 2_500 }, (_, i) => i)
  async function* feed(supplierId: number): AsyncGenerator<ReadRow[]> {
    const rows = shuffled(articles, prng(seed + supplierId)).map((i, at) => ({
      line: at + 1,
      offer: offer(`${supplierId}-${i}`, { eans: [demoEan(10_000 + i)] }),
    }))
    for (let at = 0; at < rows.length; at += 1_000) yield rows.slice(at, at + 1_000)
  }
  const reports = await Promise.all(
    suppliers.map((supplier) =>
      runImport(database.db, bench.wake, { accountId, supplier, mode: 'full' }, feed(supplier.supplierId)),
    ),
  )
  expect(reports).toMatchObject([
    { created: 2_500, refusedTotal: 0 },
    { created: 2_500, refusedTotal: 0 },
  ])
  const [row] = await database.db`
    select count(distinct ean)::int as eans, count(distinct product_id)::int as products, count(*)::int as stated
    from product_ean where account_id = ${accountId}`
  expect(row).toEqual({ eans: 2_500, products: 2_500, stated: 5_000 })
})

test('a transaction that is the victim of a deadlock is retried, and both succeed', async () => {
  const account = await createAccount(bench)
  const [p = 0, q = 0] = await giveOffers(bench, account, [offer('P'), offer('Q')])
  const met = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const ended = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let attempts = 0
  const crossing = async (first: number, second: number, own: number) => {
    const locked = await inTransaction(database.db, async (tx) => {
      // on a busy machine the retried one can lock its row again before the other, which waits for it, continues
      if (++attempts > 2) await ended[1 - own]?.promise
      await productsLock(tx, account.accountId, [first], false)
      met[own]?.resolve()
      await met[1 - own]?.promise
      return productsLock(tx, account.accountId, [second], false)
    })
    ended[own]?.resolve()
    return locked
  }
  expect(await Promise.all([crossing(p, q, 0), crossing(q, p, 1)])).toEqual([[q], [p]])
  expect(attempts).toBe(3)
})
