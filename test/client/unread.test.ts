import { rm, mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { Shelfwire, type Batch, type Target } from '../../client/src/shelfwire.ts'
import { MemoryTarget } from '../../client/src/targets/memory.ts'
import { NdjsonTarget } from '../../client/src/targets/ndjson.ts'
import { SqliteTarget } from '../../client/src/targets/sqlite.ts'
import { FakeShelfwire } from '../../client/src/testing/fake-shelfwire.ts'

// A fill writes the lines of the export unchanged and unparsed, unless a target has read their products.

const many = (count: number) => Array.from({ length: count }, (_, i) => ({ id: i + 1 }))

/** A client of the fake whose export is changed on its way. */
function shelfOf(fake: FakeShelfwire, change: (text: string) => string): Shelfwire {
  const changing: typeof fetch = async (...asked) => {
    const response = await fake.fetch(...asked)
    if (fake.requests.at(-1)?.path !== '/export') return response
    return new Response(change(await response.text()), response)
  }
  return new Shelfwire({ url: fake.url, token: fake.token, fetch: changing })
}

/** Passes each batch on to another target, as a user's own target may do. */
class Around implements Target {
  readonly #target: Target
  readonly #change: (batch: Batch) => Batch

  constructor(target: Target, change: (batch: Batch) => Batch) {
    this.#target = target
    this.#change = change
  }

  position(store: string): Promise<string | null> {
    return this.#target.position(store)
  }

  apply(batch: Batch): Promise<boolean> {
    return this.#target.apply(this.#change(batch))
  }

  ids(store: string, after: number, limit: number): Promise<number[]> {
    return this.#target.ids(store, after, limit)
  }
}

afterEach(() => {
  vi.restoreAllMocks()
})

const textsIn = (target: SqliteTarget) => [...target.held('main')].flat().map(({ text }) => text)

/** Records the number of products in each batch that has some. */
function sizesOf(target: Target): number[] {
  const sizes: number[] = []
  const apply = target.apply.bind(target)
  target.apply = (batch) => {
    if (batch.products.length > 0) sizes.push(batch.products.length)
    return apply(batch)
  }
  return sizes
}

test('the bytes of a line are kept, also where they are another way to write the product', async () => {
  const odd = (text: string) => text.replaceAll('"stock":', String.raw`"odd":"\u0041\/","stock": `)
  const fake = new FakeShelfwire({ products: many(3) })
  const lines = odd(
    fake
      .products('main')
      .map((product) => JSON.stringify(product))
      .join('\n'),
  ).split('\n')
  const sqlite = new SqliteTarget(':memory:')
  await shelfOf(fake, odd)
    .sync({ stores: ['main'], target: sqlite })
    .once()
  expect(textsIn(sqlite)).toEqual(lines)
  sqlite.close()

  const directory = await mkdtemp(join(tmpdir(), 'shelfwire-unread-'))
  try {
    const target = new NdjsonTarget(directory)
    await shelfOf(fake, odd)
      .sync({ stores: ['main'], target })
      .once()
    await target.close()
    expect(await readFile(join(directory, 'main', `${'0'.repeat(16)}.ndjson`), 'utf8')).toBe(`${lines.join('\n')}\n`)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
})

test.each<[string, (batch: Batch) => Batch]>([
  ['a copy', (batch) => ({ ...batch, products: batch.products.map((product) => ({ ...product, stock: 77 })) })],
  [
    'a change in its place',
    (batch) => {
      for (const product of batch.products) product.stock = 77
      return batch
    },
  ],
  [
    'other products in its place',
    (batch) => {
      const changed = batch.products.map((product) => ({ ...product, stock: 77 }))
      batch.products = changed
      return batch
    },
  ],
])('what a target around another one changes is written: %s', async (_, change) => {
  const fake = new FakeShelfwire({ products: many(450) })
  const target = new SqliteTarget(':memory:')
  await new Shelfwire(fake).sync({ stores: ['main'], target: new Around(target, change) }).once()
  expect([...target.walk('main')].map(({ stock }) => stock)).toEqual(Array(450).fill(77))
  target.close()
})

test('a target of one’s own has batches of 200, and one that says so has others', async () => {
  const fake = new FakeShelfwire({ products: many(450) })
  const sizes = async (target: Target) => {
    const seen = sizesOf(target)
    await new Shelfwire(fake).sync({ stores: ['main'], target }).once()
    return seen
  }
  expect(await sizes(new MemoryTarget())).toEqual([200, 200, 50])
  expect(await sizes(Object.assign(new MemoryTarget(), { fillSize: 300 }))).toEqual([300, 150])
})

test('a line that was damaged on its way is no product: pages follow', async () => {
  const fake = new FakeShelfwire({ products: many(50) })
  const target = new MemoryTarget()
  const shelf = shelfOf(fake, (text) => text.replace('{"id":7,', '<html>{"id":7,'))
  await shelf.sync({ stores: ['main'], target }).once()
  expect([...target.products('main').values()]).toEqual(fake.products('main'))
  expect(fake.requests.filter(({ path }) => path === '/products').length).toBeGreaterThan(0)
})

test('damage within a line is found by verify in a SQLite mirror, and refused by a directory', async () => {
  const fake = new FakeShelfwire({ products: many(50) })
  const damage = (text: string) => text.replace(/("id":7,.{20})/, '$1"",,')
  const sqlite = new SqliteTarget(':memory:')
  const shelf = shelfOf(fake, damage)
  await shelf.sync({ stores: ['main'], target: sqlite }).once()
  const [found] = await shelf.verify(sqlite, { stores: ['main'], repair: true })
  expect(found).toMatchObject({ isEqual: false, findings: [{ id: 7, kind: 'different' }], repaired: { written: 1 } })
  expect([...sqlite.walk('main')]).toEqual(fake.products('main'))
  sqlite.close()

  const directory = await mkdtemp(join(tmpdir(), 'shelfwire-unread-'))
  try {
    const target = new NdjsonTarget(directory)
    const sync = shelf.sync({ stores: ['main'], target })
    await expect(sync.once()).rejects.toMatchObject({ code: 'no-answer' })
    // continues by pages
    await sync.once()
    await target.close()
    expect(await shelf.verify(target, { stores: ['main'] })).toMatchObject([{ isEqual: true, products: 50 }])
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
})

/** A target that reads the products of a batch, as users' own targets do. */
class Reading extends SqliteTarget {
  override apply(batch: Batch): Promise<boolean> {
    for (const product of batch.products) product.stock = 77
    return super.apply(batch)
  }
}

test.each<[string, () => Target & { close?(): void }, (target: Target) => { id: number; stock: number }[]]>([
  ['without a size', () => new MemoryTarget(), (target) => [...(target as MemoryTarget).products('main').values()]],
  [
    'with a size',
    () => Object.assign(new MemoryTarget(), { fillSize: 1_000 }),
    (target) => [...(target as MemoryTarget).products('main').values()],
  ],
  ['that another one is beneath', () => new Reading(':memory:'), (target) => [...(target as Reading).walk('main')]],
])('damage within a line is nothing that a target of one’s own sees, pages follow: one %s', async (_, make, all) => {
  const fake = new FakeShelfwire({ products: many(50) })
  const target = make()
  const told: string[] = []
  await shelfOf(fake, (text) => text.replace(/("id":7,.{20})/, '$1"",,'))
    .sync({ stores: ['main'], target, onStatus: ({ state }) => told.push(state) })
    .once()
  expect(told).toContain('retrying')
  expect(all(target).map(({ id }) => id)).toEqual(fake.products('main').map(({ id }) => id))
  target.close?.()
})

test('a target that only looks on from around keeps the bytes of the lines', async () => {
  const odd = (text: string) => text.replaceAll('"stock":', String.raw`"odd":"\u0041","stock": `)
  const fake = new FakeShelfwire({ products: many(3) })
  const target = new SqliteTarget(':memory:')
  const around = new Around(target, (batch) => batch)
  await shelfOf(fake, odd)
    .sync({ stores: ['main'], target: around })
    .once()
  expect(textsIn(target)).toEqual(fake.products('main').map((product) => odd(JSON.stringify(product))))
  target.close()
})

test('a line feed that was lost takes no product away', async () => {
  const fake = new FakeShelfwire({ products: many(50) })
  const target = new SqliteTarget(':memory:')
  let isLost = false
  const shelf = shelfOf(fake, (text) => (isLost ? text.replace(/\n(?=\{"id":8,)/, '') : text))
  const sync = shelf.sync({ stores: ['main'], target })
  await sync.once()
  fake.put('main', { id: 1, title: 'later' })
  await sync.once()
  fake.restore()
  isLost = true
  await sync.once()
  const ids = await target.ids('main', 0, 100)
  expect(ids).toEqual(fake.products('main').map(({ id }) => id))
  expect([...target.walk('main')]).toEqual(fake.products('main'))
  target.close()
})

test('a text may have what looks like the end and the beginning of a product', async () => {
  const fake = new FakeShelfwire({ products: [{ id: 7, title: '}{"id":8,"x":1}' }, { id: 9 }] })
  const target = new SqliteTarget(':memory:')
  await new Shelfwire(fake).sync({ stores: ['main'], target }).once()
  expect(textsIn(target)).toEqual(fake.products('main').map((product) => JSON.stringify(product)))
  expect(fake.requests.filter(({ path }) => path === '/products').map(({ query }) => query['after_id'])).toEqual(['9'])
  target.close()
})

test('a comparison by the export goes on by pages after a damaged line', async () => {
  const fake = new FakeShelfwire({ products: many(50) })
  const target = new MemoryTarget()
  await new Shelfwire(fake).sync({ stores: ['main'], target }).once()
  fake.fault({ path: '/digest', code: 'unknown-route' })
  const shelf = shelfOf(fake, (text) => text.replace(/("id":7,.{20})/, '$1"",,'))
  expect(await shelf.verify(target, { stores: ['main'] })).toMatchObject([
    { isEqual: true, findings: [], products: 50 },
  ])
})

test('a batch of large products is written before it is full', async () => {
  const fake = new FakeShelfwire({ products: many(7) })
  const large = (text: string) => text.replaceAll('"stock":', `"odd":"${'x'.repeat(6_000_000)}","stock":`)
  const target = Object.assign(new MemoryTarget(), { fillSize: 1_000 })
  const sizes = sizesOf(target)
  await shelfOf(fake, large)
    .sync({ stores: ['main'], target })
    .once()
  expect(sizes).toEqual([3, 3, 1])
})

test('products that come slowly are written within a minute, so that no other process takes this one for gone', async () => {
  const fake = new FakeShelfwire({ products: many(50) })
  let now = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const slow: typeof fetch = async (...asked) => {
    const response = await fake.fetch(...asked)
    if (fake.requests.at(-1)?.path !== '/export') return response
    const lines = (await response.text()).split(/(?<=\n)/)
    const body = new ReadableStream<string>({
      pull(controller) {
        now += 4_000
        const line = lines.shift()
        if (line === undefined) controller.close()
        else controller.enqueue(line)
      },
    })
    return new Response(body.pipeThrough(new TextEncoderStream()), response)
  }
  const target = new MemoryTarget()
  const sizes = sizesOf(target)
  await new Shelfwire({ url: fake.url, token: fake.token, fetch: slow }).sync({ stores: ['main'], target }).once()
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(50)
  // the bound includes products that are read ahead
  expect(Math.max(...sizes)).toBeLessThanOrEqual(8)
})
