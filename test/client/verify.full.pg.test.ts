import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { openHash } from '../../client/src/verify/halves.ts'
import type { VerifiableTarget } from '../../client/src/verify/held.ts'
import { productText } from '../../client/src/verify/product-text.ts'
import type { Product } from '../../client/src/answers.ts'
import { Shelfwire } from '../../client/src/shelfwire.ts'
import { MemoryTarget } from '../../client/src/targets/memory.ts'
import { NdjsonTarget } from '../../client/src/targets/ndjson.ts'
import { PostgresTarget } from '../../client/src/targets/postgres.ts'
import { SqliteTarget, type SqliteOptions } from '../../client/src/targets/sqlite.ts'
import { prng } from '../../src/demo/catalog/prng.ts'
import { offer } from '../harness/account.ts'
import { createDatabase } from '../harness/database.ts'
import { seedFor } from '../harness/interleave.ts'
import { tokenFor } from '../harness/service.ts'
import { directoryOfFile, worldOfFile } from '../harness/world.ts'

// Verification of a mirror: every change in it is found by its digests and repaired; equal products are not read.

const SKUS = Array.from({ length: 60 }, (_, i) => `A${String(i).padStart(2, '0')}`)
const { service, account, ids, http } = worldOfFile({
  service: {},
  account: 'acme',
  products: SKUS.map((sku, i) =>
    offer(sku, {
      cost: `${i + 1}.05`,
      texts: { en: { title: `Article ${sku} «…»,"prices":[`, description: `"\\ \u2028 ${'long '.repeat(i)}` } },
      group: {
        key: `G${i % 7}`,
        title: { en: 'G' },
        options: [{ key: 'size', label: null, value: `${i}` }],
        position: i,
      },
    }),
  ),
})
const root = directoryOfFile('verify')
const store = 'main'

/** A client that records the paths of its requests. */
async function open(): Promise<{ shelf: Shelfwire; sent: string[] }> {
  const sent: string[] = []
  const shelf = new Shelfwire({
    url: service.url,
    token: await tokenFor(service.runtime, account.accountId, 'connector'),
    onRequest: ({ url }) => sent.push(new URL(url).pathname.replace('/v1', '')),
  })
  return { shelf, sent }
}

const putOffer = async (sku: string, cost: string) => {
  const { status } = await http(`/v1/account/suppliers/north/offers/${sku}`, {
    method: 'PUT',
    body: JSON.stringify({ cost, quantity: 5 }),
    headers: { 'content-type': 'application/json', prefer: 'wait=10' },
  })
  expect(status).toBeLessThan(300)
}

/** A target, with methods that change it behind the mirror's back. */
interface Ground {
  target: VerifiableTarget
  /** Replaces the stored text of a product. */
  change(id: number, to: (text: string) => string): Promise<void>
  lose(id: number): Promise<void>
  /** Adds a product with an id that the service does not have. */
  add(id: number): Promise<void>
}

let places = 0
const newPlace = () => join(root, String(++places))
const closing: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closing) await close()
})

function inSqlite(options?: SqliteOptions): Promise<Ground> {
  const file = newPlace()
  const target = new SqliteTarget(file, options)
  const db = new DatabaseSync(file)
  closing.push(
    async () => db.close(),
    async () => target.close(),
  )
  return Promise.resolve({
    target,
    async change(id, to) {
      const row = db.prepare('select product from shelfwire_product where store = ? and id = ?').get(store, id)
      db.prepare('update shelfwire_product set product = ? where store = ? and id = ?').run(
        to(String(row?.['product'])),
        store,
        id,
      )
    },
    lose: async (id) => void db.prepare('delete from shelfwire_product where store = ? and id = ?').run(store, id),
    add: async (id) =>
      void db
        .prepare(
          'insert into shelfwire_product select store, ?, product from shelfwire_product where store = ? and id = ?',
        )
        .run(id, store, ids[0]!),
  })
}

const GROUNDS: Record<string, () => Promise<Ground>> = {
  async memory() {
    const target = new MemoryTarget()
    const products = () => target.products(store) as Map<number, Product>
    return {
      target,
      change: async (id, to) => void products().set(id, JSON.parse(to(JSON.stringify(products().get(id)))) as Product),
      lose: async (id) => void products().delete(id),
      add: async (id) => void products().set(id, { ...[...products().values()][0]!, id }),
    }
  },
  SQLite: () => inSqlite(),
  // with threads, as a large mirror
  'SQLite by threads': () => inSqlite({ threadsFrom: 0 }),
  async 'a directory'() {
    const directory = newPlace()
    const target = new NdjsonTarget(directory, { dropDamaged: true })
    closing.push(() => target.close())
    const place = join(directory, store)
    const rewrite = (to: (line: string, id: number) => string | null) => {
      for (const name of readdirSync(place).filter((one) => one.endsWith('.ndjson'))) {
        const lines = readFileSync(join(place, name), 'utf8').split('\n').slice(0, -1)
        const kept = lines.flatMap((line) => to(line, Number(/"id":(\d+)/.exec(line)?.[1])) ?? [])
        writeFileSync(join(place, name), kept.map((line) => `${line}\n`).join(''))
      }
    }
    return {
      target,
      change: async (id, to) => rewrite((line, own) => (own === id ? to(line) : line)),
      lose: async (id) => rewrite((line, own) => (own === id ? null : line)),
      add: async (id) => {
        const name = `${String(id - (id % 200)).padStart(16, '0')}.ndjson`
        writeFileSync(join(place, name), `{"id":${id},"prices":[],"stock":0}\n`)
      },
    }
  },
  async PostgreSQL() {
    const database = await createDatabase()
    const pool = new pg.Pool({ connectionString: database.url })
    closing.push(
      () => pool.end(),
      async () => database[Symbol.asyncDispose](),
    )
    return {
      target: new PostgresTarget(pool),
      async change(id, to) {
        const { rows } = await pool.query<{ product: object }>(
          'select product from shelfwire_product where store = $1 and id = $2',
          [store, id],
        )
        await pool.query('update shelfwire_product set product = $3 where store = $1 and id = $2', [
          store,
          id,
          to(productText(rows[0]?.product)),
        ])
      },
      lose: async (id) =>
        void (await pool.query('delete from shelfwire_product where store = $1 and id = $2', [store, id])),
      add: async (id) =>
        void (await pool.query(
          'insert into shelfwire_product select store, $2, product from shelfwire_product where store = $1 and id = $3',
          [store, id, ids[0]],
        )),
    }
  },
}

/** The JSON with one character of a text or a number changed, still valid. */
function flipped(text: string, random: () => number): string {
  for (;;) {
    const at = Math.floor(random() * text.length)
    const [code, from] = [text.charCodeAt(at) ^ 1, text.slice(0, at)]
    const other = from + String.fromCharCode(code) + text.slice(at + 1)
    try {
      if (JSON.stringify(JSON.parse(other)) === other) return other
    } catch {
      // the changed character was a brace, a quote or a comma
    }
  }
}

describe.each(Object.entries(GROUNDS))('%s', (_, ground) => {
  test('is equal without reading a product; a flipped bit, a lost and an added product are found and repaired', async () => {
    const random = prng(seedFor('verify'))
    const { target, change, lose, add } = await ground()
    const { shelf, sent } = await open()
    await shelf.sync({ stores: [store], target }).once()
    sent.length = 0
    const verify = async (repair = false) => (await shelf.verify(target, { stores: [store], repair }))[0]!
    expect(await verify()).toMatchObject({ isEqual: true, products: SKUS.length, findings: [], changed: 0 })
    expect(sent).toEqual(['/changes', '/digest', '/changes'])
    for (let round = 0; round < 15; round++) {
      const id = ids[Math.floor(random() * ids.length)]!
      await change(id, (text) => flipped(text, random))
      expect(await verify()).toMatchObject({ isEqual: false, findings: [{ id, kind: 'different' }], repaired: null })
      expect(await verify(true)).toMatchObject({ isEqual: false, repaired: { written: 1, removed: 0 } })
      expect(await verify()).toMatchObject({ isEqual: true })
    }
    const [lost = 0, other = 0] = [ids[3], ids[40]]
    const ghost = 5_000_000
    await lose(lost)
    await add(ghost)
    await change(other, (text) => text.replace(/"stock":\d+/, '"stock":77'))
    sent.length = 0
    const found = await verify()
    expect(found).toMatchObject({
      isEqual: false,
      findings: [
        { id: lost, kind: 'missing' },
        { id: other, kind: 'different', differences: [{ member: 'stock', mirror: 77 }] },
        { id: ghost, kind: 'superfluous' },
      ],
    })
    // two blocks of ids differ, and of their products these three
    expect(sent.filter((path) => path === '/digest/products')).toHaveLength(2)
    expect(sent).not.toContain('/export')
    expect(await verify(true)).toMatchObject({ repaired: { written: 2, removed: 1 } })
    expect(await verify()).toMatchObject({ isEqual: true, findings: [], damages: [] })
  })

  test('is not different where it is behind: what has changed is left out, or caught up with before a repair', async () => {
    const { target, change } = await ground()
    const { shelf } = await open()
    await shelf.sync({ stores: [store], target }).once()
    await putOffer(SKUS[5]!, String(100 + Math.floor(performance.now())))
    await change(ids[6]!, (text) => text.replace(/"stock":\d+/, '"stock":78'))
    const [behind] = await shelf.verify(target, { stores: [store] })
    expect(behind).toMatchObject({ changed: 1, findings: [{ id: ids[6], kind: 'different' }] })
    const [repaired] = await shelf.verify(target, { stores: [store], repair: true })
    expect(repaired).toMatchObject({ changed: 0, repaired: { written: 1, removed: 0 } })
    expect((await shelf.verify(target, { stores: [store] }))[0]).toMatchObject({ isEqual: true, changed: 0 })
  })
})

test('a mirror that is not filled says so, and a service without digests is compared by its export', async () => {
  const target = new MemoryTarget()
  const { shelf } = await open()
  await expect(shelf.verify(target, { stores: [store] })).rejects.toMatchObject({ code: 'not-filled' })
  await shelf.sync({ stores: [store], target }).once()
  const sent: string[] = []
  const older = new Shelfwire({
    url: service.url,
    token: await tokenFor(service.runtime, account.accountId, 'connector'),
    fetch: (url, init) => {
      const address = url as string
      sent.push(new URL(address).pathname)
      return fetch(address.includes('/digest') ? address.replace('/digest', '/no-such-route') : address, init)
    },
  })
  expect(await older.verify(target, { stores: [store] })).toMatchObject([{ isEqual: true, products: SKUS.length }])
  const products = target.products(store) as Map<number, Product>
  products.get(ids[2]!)!.title = 'changed'
  products.delete(ids[3]!)
  expect(await older.verify(target, { stores: [store] })).toMatchObject([
    {
      isEqual: false,
      findings: [
        { id: ids[2], kind: 'different' },
        { id: ids[3], kind: 'missing' },
      ],
    },
  ])
  expect(sent.filter((path) => path === '/v1/export')).toHaveLength(2)
})

test('a hash is the same where Node’s own is missing', async () => {
  const fast = openHash()
  const { process } = globalThis
  Reflect.deleteProperty(globalThis, 'process')
  const slow = openHash()
  globalThis.process = process
  for (const text of ['', 'a', '«…» \u{1f600}', '{"id":1}'.repeat(100)])
    for (const encoding of ['latin1', 'base64url'] as const) {
      expect(slow(text, encoding)).toBeInstanceOf(Promise)
      expect(await slow(text, encoding)).toBe(await fast(text, encoding))
    }
})
