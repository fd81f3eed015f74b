import { expect, test } from 'vitest'
import { excludeProducts } from '../../src/catalog/products/listings/exclusions.ts'
import { deleteProducts } from '../../src/catalog/products/products.ts'
import { mergeProducts, splitProduct } from '../../src/catalog/products/merge-split.ts'
import { writeOffers } from '../../src/catalog/products/offers/offers.ts'
import { editStore } from '../../src/catalog/settings/stores/stores.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { editAccount } from '../../src/shelf/account.ts'
import { compiledAccounts } from '../../src/shelf/inputs/compiled-inputs.ts'
import { shelveBatch, shelveIn } from '../../src/shelf/shelve.ts'
import {
  createAccount,
  expectAudited,
  giveOffers,
  offer,
  writeAndShelve,
  type TestAccount,
} from '../harness/account.ts'
import { pictureOf, recordAs, shownOf, turnMirrorOn } from '../harness/images.ts'
import { hold, openNamed, until } from '../harness/interleave.ts'
import { setListing, setSlug } from '../harness/product-edits.ts'
import { isCluster } from '../harness/database.ts'
import { worldOfFile } from '../harness/world.ts'

// Slugs, the addresses of products in shops.

const { database, bench } = worldOfFile({ connectionsMax: 20 })

const titled = (sku: string, en: string, de = en) => offer(sku, { texts: { en: { title: en }, de: { title: de } } })

async function addressed(name: string, ...titles: string[]): Promise<TestAccount & { ids: number[] }> {
  const account = await createAccount(bench, name)
  await choose(account, ['slug'])
  const ids = await giveOffers(
    bench,
    account,
    titles.map((title, i) => titled(`S${i}`, title)),
  )
  return { ...account, ids }
}
const choose = ({ accountId }: TestAccount, additionalMembers: string[]) =>
  writeAndShelve(bench, accountId, (tx) => editAccount(tx, accountId, { additionalMembers }))

/** The slugs in the payloads of a store, by product. */
async function shown({ accountId, storeIds }: TestAccount, store = 0): Promise<Record<string, string | undefined>> {
  const rows = await database.db<{ productId: number; body: string }[]>`
    select product_id as "productId", body from payload_content
    where account_id = ${accountId} and store_id = ${storeIds[store] ?? 0} order by product_id`
  return Object.fromEntries(
    rows.map(({ productId, body }) => [productId, (JSON.parse(`{${body}}`) as { slug?: string }).slug]),
  )
}
/** The slugs that lead to a product in the first store: the current one, then the latest ones. */
async function leading({ accountId, storeIds }: TestAccount, productId: number): Promise<string[]> {
  const rows = await database.db<{ slug: string }[]>`
    select slug from product_slug where account_id = ${accountId} and store_id = ${storeIds[0]} and product_id = ${productId}
    order by retired = 0 desc, retired desc`
  return rows.map(({ slug }) => slug)
}
const isClean = ({ accountId }: TestAccount) => expectAudited(database.db, accountId)

test('a product has a slug of its title in each store that lists it, and keeps it when the title, the assortment and the choice of members change', async () => {
  const account = await addressed('stable', 'Green Hammer')
  const { accountId, storeIds, ids } = account
  const [a = 0] = ids
  await giveOffers(bench, account, [titled('S0', 'Green Hammer', 'Grüner Hammer')])
  expect([await shown(account), await shown(account, 1)]).toEqual([{ [a]: 'green-hammer' }, { [a]: 'green-hammer' }])
  await giveOffers(bench, account, [titled('S0', 'Red Hammer', 'Roter Hammer')])
  expect(await shown(account)).toEqual({ [a]: 'green-hammer' })
  await bench.shelf.write(accountId, (tx) => setListing(tx, accountId, storeIds[0], [a], false))
  expect(await shown(account)).toEqual({})
  await bench.shelf.write(accountId, (tx) => setListing(tx, accountId, storeIds[0], [a], true))
  await bench.shelf.write(accountId, (tx) => excludeProducts(tx, accountId, null, [a]))
  await choose(account, [])
  expect(await shown(account)).toEqual({ [a]: undefined })
  await choose(account, ['slug'])
  expect(await shown(account)).toEqual({ [a]: 'green-hammer' })
  // from the title in the store's language
  const [b = 0] = await giveOffers(bench, account, [titled('B', 'Green spade', 'Grüner Spaten')])
  expect([(await shown(account))[b], (await shown(account, 1))[b]]).toEqual(['green-spade', 'gruener-spaten'])
  await isClean(account)
})

test('an account that has not chosen the member has no slugs, and shelving it takes the same statements', async () => {
  const account = await createAccount(bench, 'without')
  const { accountId } = account
  const statements = async (sku: string) => {
    const seen: string[] = []
    const [id = 0] = await giveOffers(bench, account, [offer(sku)])
    database.db.onStatement = (text) => seen.push(text)
    await shelveBatch(database.db, compiledAccounts(database.db), accountId, [id])
    database.db.onStatement = null
    return seen
  }
  const without = await statements('A')
  expect(without.filter((text) => /insert into product_slug|update product_slug/.test(text))).toEqual([])
  await choose(account, ['slug'])
  // the slug is already registered, so it costs no statement
  expect(await statements('B')).toEqual(without)
})

test('of products with one title the second has its id in its slug, and another store has its own slugs', async () => {
  const account = await addressed('alike', 'Hammer', 'Hammer!', '😀', 'Hammer id1')
  const [a = 0, b = 0, c = 0, d = 0] = account.ids
  expect(await shown(account)).toEqual({
    [a]: 'hammer',
    [b]: `hammer-id${b}`,
    [c]: `product-${c}`,
    [d]: `hammer-id1-id${d}`,
  })
  const other = await addressed('alike elsewhere', 'Hammer')
  expect(await shown(other)).toEqual({ [other.ids[0] ?? 0]: 'hammer' })
  await isClean(account)
})

test('a product without a title gets its slug with the title', async () => {
  const account = await addressed('untitled')
  const [a = 0] = await giveOffers(bench, account, [offer('A', { texts: {} })])
  expect(await shown(account)).toEqual({ [a]: `product-${a}` })
  expect(await leading(account, a)).toEqual([])
  await isClean(account)
  await giveOffers(bench, account, [titled('A', 'Hammer')])
  expect(await shown(account)).toEqual({ [a]: 'hammer' })
  await isClean(account)
})

test('a slug by hand takes the place of the made one, which still leads to the product, and goes back to it', async () => {
  const account = await addressed('hand', 'Hammer', 'Spade')
  const { accountId, storeIds } = account
  const [a = 0, b = 0] = account.ids
  const set = (id: number, text: string | null) =>
    bench.shelf.write(accountId, (tx) => setSlug(tx, accountId, id, storeIds[0], text))
  await set(a, 'Best  Hammer!')
  expect(await shown(account)).toEqual({ [a]: 'best-hammer', [b]: 'spade' })
  expect((await shown(account, 1))[a]).toBe('hammer')
  expect(await leading(account, a)).toEqual(['best-hammer', 'hammer'])
  // the slug of another product is refused, and nothing changes
  await expect(set(b, 'best hammer')).rejects.toMatchObject({
    code: 'conflict',
    faults: [{ name: 'slugs.main', reason: `"best-hammer" is the slug of product ${a} in this store` }],
  })
  await expect(set(b, `x-id${a}`)).rejects.toMatchObject({ code: 'invalid-input' })
  await expect(set(b, '!!')).rejects.toMatchObject({ code: 'invalid-input' })
  await expect(set(b, 'x'.repeat(101))).rejects.toMatchObject({ code: 'invalid-input' })
  // an earlier slug of another product may be taken from it
  await set(b, 'hammer')
  expect(await leading(account, a)).toEqual(['best-hammer'])
  expect(await leading(account, b)).toEqual(['hammer', 'spade'])
  await set(a, null)
  expect(await shown(account)).toEqual({ [a]: `hammer-id${a}`, [b]: 'hammer' })
  await set(b, null)
  expect(await shown(account)).toEqual({ [a]: `hammer-id${a}`, [b]: 'spade' })
  expect(await leading(account, b)).toEqual(['spade', 'hammer'])
  await isClean(account)
})

test('of the slugs that a product had the last ones are kept', async () => {
  const account = await addressed('many', 'Hammer')
  const [a = 0] = account.ids
  const { accountId, storeIds } = account
  const count = LIMITS.oldSlugsMax + 5
  for (let i = 0; i <= count; i++)
    await inTransaction(database.db, (tx) => setSlug(tx, accountId, a, storeIds[0], `slug ${i}`))
  expect(await leading(account, a)).toEqual(
    Array.from({ length: LIMITS.oldSlugsMax + 1 }, (_, i) => `slug-${count - i}`),
  )
})

test('slugs of merged products lead to the one that stays, a split product gets one of its own, and deleted ones lead nowhere', async () => {
  const account = await addressed('merged', 'Hammer', 'Spade', 'Rake')
  const { accountId, suppliers, storeIds } = account
  const [a = 0, b = 0, c = 0] = account.ids
  await bench.shelf.write(accountId, (tx) => setSlug(tx, accountId, b, storeIds[0], 'best spade'))
  await bench.shelf.write(accountId, (tx) => mergeProducts(tx, accountId, a, [b]))
  expect(await shown(account)).toEqual({ [a]: 'hammer', [c]: 'rake' })
  expect(await leading(account, a)).toEqual(['hammer', 'best-spade', 'spade'])
  await isClean(account)
  const { value: d } = await bench.shelf.write(accountId, (tx) =>
    splitProduct(tx, accountId, a, [{ supplierId: suppliers[0]!.supplierId, supplierSku: 'S1' }]),
  )
  expect(await shown(account)).toEqual({ [a]: 'hammer', [c]: 'rake', [d]: `spade-id${d}` })
  await bench.shelf.write(accountId, (tx) => deleteProducts(tx, accountId, [c]))
  expect(await leading(account, c)).toEqual([])
  const [e = 0] = await giveOffers(bench, account, [titled('NEW', 'Rake')])
  expect((await shown(account))[e]).toBe('rake')
  // beyond the limit the oldest are deleted
  for (let i = 0; i < LIMITS.oldSlugsMax; i++)
    await inTransaction(database.db, (tx) => setSlug(tx, accountId, e, storeIds[0], `rake ${i}`))
  await bench.shelf.write(accountId, (tx) => mergeProducts(tx, accountId, a, [e]))
  const left = await leading(account, a)
  expect(left.slice(0, 2)).toEqual(['hammer', `rake-${LIMITS.oldSlugsMax - 1}`])
  expect(left).toHaveLength(LIMITS.oldSlugsMax + 1)
  await isClean(account)
})

test('a shelver that wants a slug which another one has just taken waits for it, and gets its own', async () => {
  const account = await addressed('waiting')
  const { accountId, suppliers } = account
  const [a = 0, b = 0] = await inTransaction(
    database.db,
    async (tx) =>
      (await writeOffers(tx, accountId, suppliers[0]!, [titled('A', 'Hammer'), titled('B', 'Hammer')])).productIds,
  )
  const compiled = compiledAccounts(database.db)
  await using second = openNamed(database)
  await using first = await hold(database.db, (tx) => shelveIn(tx, compiled, accountId, [b], {}))
  const running = shelveBatch(second.db, compiled, accountId, [a])
  expect(await second.fate(running)).toBe('blocked')
  await first.commit()
  await running
  await bench.shelf.drain(accountId)
  expect(await shown(account)).toEqual({ [a]: `hammer-id${a}`, [b]: 'hammer' })
  await isClean(account)
})

/** Makes both start to take slugs at the same moment; otherwise one mostly takes all of them before the other begins. */
async function atOnce(shelved: () => Promise<unknown>): Promise<void> {
  let running: Promise<unknown> = Promise.resolve()
  await inTransaction(database.db, async (tx) => {
    await tx`lock table product_slug in share mode`
    running = shelved()
    await Promise.race([
      running,
      until('both wait for the table', async () => {
        const waiting = await tx`select from pg_locks where relation = 'product_slug'::regclass and not granted`
        return waiting.length === 2
      }),
    ])
  })
  await running
}

test('two shelvers whose batches want the same slugs in opposite orders never wait for each other', async () => {
  const account = await addressed('crossing')
  const { accountId, suppliers } = account
  // more than one slice each, the second in the opposite order of titles
  const count = LIMITS.shelveSliceProducts + 50
  const names = Array.from({ length: count }, (_, i) => `Title ${String(i).padStart(3, '0')}`)
  const write = (prefix: string, titles: string[]) =>
    inTransaction(database.db, async (tx) => [
      ...(
        await writeOffers(
          tx,
          accountId,
          suppliers[0]!,
          titles.map((title, i) => titled(`${prefix}${String(i).padStart(3, '0')}`, title)),
        )
      ).productIds,
    ])
  const up = await write('U', names)
  const down = await write('D', names.toReversed())
  const compiled = compiledAccounts(database.db)
  let retried = 0
  database.db.onStatement = (text) => {
    if (/insert into product_slug/.test(text)) retried++
  }
  const shelved = () => Promise.all([up, down].map((ids) => shelveBatch(database.db, compiled, accountId, ids)))
  // a cluster has the table's locks on its nodes
  await (isCluster() ? shelved() : atOnce(shelved))
  database.db.onStatement = null
  // one takes them all; the other retries and then takes its own: no third try after a deadlock
  expect(retried).toBe(3)
  await bench.shelf.drain(accountId)
  const slugs = Object.values(await shown(account))
  expect(new Set(slugs).size).toBe(2 * count)
  expect(slugs.filter((slug) => /^title-\d{3}$/.test(slug ?? ''))).toHaveLength(count)
  await isClean(account)
})

test('products of a batch are read once, also those whose slugs are taken before their turn, and have their pictures', async () => {
  const account = await addressed('read early')
  const { accountId, suppliers } = account
  const url = 'https://images.example.com/hammer.png'
  await turnMirrorOn(database.db, accountId)
  await giveOffers(bench, account, [offer('FIRST', { images: [url] })])
  await inTransaction(database.db, (tx) => recordAs(tx, accountId, url, pictureOf('hammer')))
  await bench.shelf.drain(accountId)
  const count = LIMITS.shelveSliceProducts * 3
  const readings = async (prefix: string, description: string) => {
    const offers = Array.from({ length: count }, (_, i) =>
      offer(`${prefix}${i}`, { images: [url], texts: { en: { title: `${prefix} ${i % (count - 1)}`, description } } }),
    )
    const { productIds } = await inTransaction(database.db, (tx) => writeOffers(tx, accountId, suppliers[0]!, offers))
    let read = 0
    database.db.onStatement = (text) => {
      if (/from offer o left join lateral/.test(text)) read++
    }
    await shelveBatch(database.db, compiledAccounts(database.db), accountId, [...productIds])
    database.db.onStatement = null
    return read
  }
  // the first slice, and the others: as many as the first one has, and what is left
  expect(await readings('short', 'Of steel.')).toBe(3)
  // only one in eight can be kept in memory
  expect(await readings('long', 'Of steel. '.repeat(2_800))).toBeGreaterThan(3)
  const bodies = await database.db<{ body: string }[]>`
    select body from payload_content where account_id = ${accountId} and store_id = ${account.storeIds[0]}`
  const payloads = bodies.map(({ body }) => JSON.parse(`{${body}}`) as { slug: string; images: string[] })
  expect(new Set(payloads.map(({ images }) => images.join(' ')))).toEqual(new Set([shownOf('hammer')]))
  // the last one has the title of the first
  const slugs = new Set(payloads.map(({ slug }) => slug))
  expect([...slugs].filter((slug) => /^(?:short|long)-\d+$/.test(slug))).toHaveLength(2 * (count - 1))
  expect([...slugs].filter((slug) => /^(?:short|long)-0-id\d+$/.test(slug))).toHaveLength(2)
  await bench.shelf.drain(accountId)
  await isClean(account)
})

test('a slug that has just been set by hand is not given to a product that is shelved meanwhile', async () => {
  const account = await addressed('hand at once', 'Spade')
  const { accountId, suppliers, storeIds } = account
  const [a = 0] = account.ids
  const [b = 0] = await inTransaction(
    database.db,
    async (tx) => (await writeOffers(tx, accountId, suppliers[0]!, [titled('B', 'Hammer')])).productIds,
  )
  await using second = openNamed(database)
  await using first = await hold(database.db, (tx) => setSlug(tx, accountId, a, storeIds[0], 'hammer'))
  const running = shelveBatch(second.db, compiledAccounts(database.db), accountId, [b])
  expect(await second.fate(running)).toBe('blocked')
  await first.commit()
  await running
  await bench.shelf.drain(accountId)
  expect(await shown(account)).toEqual({ [a]: 'hammer', [b]: `hammer-id${b}` })
  await isClean(account)
})

test('a store in another language keeps the slugs that it has', async () => {
  const account = await addressed('language', 'Ärmel')
  const [a = 0] = account.ids
  const before = await shown(account, 1)
  expect(before).toEqual({ [a]: 'aermel' })
  await writeAndShelve(bench, account.accountId, (tx) =>
    editStore(tx, account.accountId, account.storeIds[1], { locale: 'sv' }),
  )
  expect(await shown(account, 1)).toEqual(before)
  await isClean(account)
})
