import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { Shelfwire, type Batch, type Target } from '../../client/src/shelfwire.ts'
import { MemoryTarget } from '../../client/src/targets/memory.ts'
import { PostgresTarget } from '../../client/src/targets/postgres.ts'
import { SqliteTarget } from '../../client/src/targets/sqlite.ts'
import type { Product } from '../../client/src/answers.ts'
import { createDatabase } from '../harness/database.ts'
import { seedFor } from '../harness/interleave.ts'
import { prng } from '../../src/demo/catalog/prng.ts'
import { tokenFor } from '../harness/service.ts'
import { directoryOfFile, worldOfFile } from '../harness/world.ts'
import { startMirrorChild } from './mirror-child.ts'

// A mirror under faults: processes that are killed while they fill and follow, two that share a target, targets that fail.

const SKUS = Array.from({ length: 1_500 }, (_, i) => `A${i}`)
const STORES = ['main', 'pl']
const { database, service, account, http } = worldOfFile({ service: {}, account: 'acme', products: SKUS })
const directory = directoryOfFile('client')
const token = () => tokenFor(service.runtime, account.accountId, 'connector')
const open = async () => new Shelfwire({ url: service.url, token: await token() })

async function marks(): Promise<number> {
  const [row] = await database.db<{ count: number }[]>`select count(*)::int as count from mark`
  return row?.count ?? -1
}

/** Writes and deletes offers until it is stopped. @returns how many writes it made */
function startWriter(random: () => number): { end: () => Promise<number> } {
  const ending = new AbortController()
  let writes = 0
  const work = async () => {
    while (!ending.signal.aborted) {
      const sku = random() < 0.9 ? SKUS[Math.floor(random() * SKUS.length)]! : `N${writes}`
      const isDrop = random() < 0.2
      const { status } = await http(`/v1/account/suppliers/north/offers/${sku}`, {
        method: isDrop ? 'DELETE' : 'PUT',
        headers: { 'content-type': 'application/json' },
        ...(isDrop ? {} : { body: JSON.stringify({ cost: String(1 + Math.floor(random() * 500)), quantity: 3 }) }),
      })
      expect([200, 201, 204, 404]).toContain(status)
      writes++
      await sleep(5)
    }
  }
  const done = work()
  return {
    async end() {
      ending.abort()
      await done
      // until everything can be read
      await expect.poll(() => marks(), { timeout: 20_000 }).toBe(0)
      return writes
    },
  }
}

async function listed(shelf: Shelfwire, store: string): Promise<Map<number, Product>> {
  const found = new Map<number, Product>()
  for await (const product of shelf.products.walk({ store })) found.set(product.id, product)
  return found
}

/** The ids that a target says it has. */
async function held(target: Target, store: string): Promise<number[]> {
  return target.ids(store, 0, 1_000_000)
}

test('a mirror in SQLite whose process is killed again and again is equal in the end', async () => {
  const random = prng(seedFor('client-kills'))
  const file = join(directory, 'mirror.db')
  const work = { url: service.url, token: await token(), file, stores: STORES }
  const writer = startWriter(random)
  for (let kill = 0; kill < 12; kill++) {
    const child = startMirrorChild(work)
    // the first ones are killed while they fill
    await sleep(kill < 6 ? 250 + random() * 400 : 400 + random() * 1_200)
    child.process.kill('SIGKILL')
    await child.ended
  }
  expect(await writer.end()).toBeGreaterThan(10)
  const shelf = await open()
  const target = new SqliteTarget(file)
  await shelf.sync({ stores: STORES, target }).once()
  for (const store of STORES) {
    const expected = await listed(shelf, store)
    expect(await held(target, store)).toEqual([...expected.keys()])
    for (const [id, product] of expected) expect(target.product(store, id)).toEqual(product)
  }
  target.close()
}, 120_000)

test('two processes that share a mirror in PostgreSQL write nothing of before over what is newer', async () => {
  await using opened = new AsyncDisposableStack()
  const other = opened.use(await createDatabase())
  const pool = new pg.Pool({ connectionString: other.url, max: 6 })
  opened.defer(() => pool.end())
  const writer = startWriter(prng(seedFor('client-two')))
  const ending = new AbortController()
  const shelf = await open()
  const running = [0, 1].map(() =>
    shelf.sync({ stores: STORES, target: new PostgresTarget(pool), wait: 1 }).run({ signal: ending.signal }),
  )
  await sleep(6_000)
  await writer.end()
  ending.abort()
  await Promise.all(running)
  const target = new PostgresTarget(pool)
  await shelf.sync({ stores: STORES, target }).once()
  for (const store of STORES) {
    const expected = await listed(shelf, store)
    const { rows } = await pool.query<{ id: string; product: Product }>(
      'select id, product from shelfwire_product where store = $1 order by id',
      [store],
    )
    expect(rows.map(({ id }) => Number(id))).toEqual([...expected.keys()])
    for (const { id, product } of rows) expect(product).toEqual(expected.get(Number(id)))
  }
}, 60_000)

/** A target that fails before or after it has written, or is slow, as its own database would. */
class FailingTarget extends MemoryTarget {
  failures = 0
  readonly #random: () => number

  constructor(random: () => number) {
    super()
    this.#random = random
  }

  override async apply(batch: Batch): Promise<boolean> {
    const chance = this.#random()
    await sleep(chance * 3)
    if (chance < 0.2) throw this.#failure()
    const isWritten = await super.apply(batch)
    // the write succeeded, but the caller gets an error
    if (chance > 0.8) throw this.#failure()
    return isWritten
  }

  #failure(): Error {
    this.failures++
    return new Error('the target is gone')
  }
}

describe('a target that fails', () => {
  test('before and after it has written is equal in the end', async () => {
    const random = prng(seedFor('client-failing'))
    const writer = startWriter(random)
    const target = new FailingTarget(random)
    const shelf = await open()
    const ending = new AbortController()
    const retried: number[] = []
    const running = shelf
      .sync({
        stores: STORES,
        target,
        wait: 1,
        onStatus: (status) => {
          if (status.state === 'retrying') retried.push(status.pauseMs)
        },
      })
      .run({ signal: ending.signal })
    await sleep(8_000)
    await writer.end()
    const expected = await Promise.all(STORES.map((store) => listed(shelf, store)))
    const actual = () => STORES.map((store) => new Map(target.products(store)))
    await expect.poll(actual, { timeout: 60_000 }).toEqual(expected)
    ending.abort()
    await running
    expect(target.failures).toBeGreaterThan(3)
    expect(retried.length).toBeGreaterThan(3)
  }, 120_000)

  test('a store that is not active keeps what the target has', async () => {
    const shelf = await open()
    const target = new MemoryTarget()
    await shelf.sync({ stores: ['de'], target }).once()
    const before = target.products('de').size
    const set = (isActive: boolean) =>
      http('/v1/account/stores/de', {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ is_active: isActive }),
      })
    expect((await set(false)).status).toBe(200)
    const states: string[] = []
    const ending = new AbortController()
    const running = shelf
      .sync({ stores: ['de'], target, onStatus: ({ state }) => void states.push(state) })
      .run({ signal: ending.signal })
    await expect.poll(() => states, { timeout: 10_000 }).toContain('unknown-store')
    ending.abort()
    await running
    expect(target.products('de').size).toBe(before)
    expect((await set(true)).status).toBe(200)
  })
})
