import { beforeAll, afterAll, describe, expect, test } from 'vitest'
import { Shelfwire } from '../../client/src/shelfwire.ts'
import { tokenFor } from '../harness/service.ts'
import { worldOfFile } from '../harness/world.ts'
import { hint as hintTo, SECRET } from './hint.ts'
import { changesOfEachKind } from './offer-changes.ts'
import { startPictures, type PictureServer } from './picture-server.ts'
import { fillAccount, sellInPoland, writerOf, type Writer } from './shop-account.ts'
import { shopDatabase } from './shop-process.ts'
import { expected, shown, visible as visibleOf, type Row } from './vendure-rows.ts'
import { furnishVendure, isVendureInstalled, startVendure, type VendureShop } from './vendure-shop.ts'

// The plugin of connectors/vendure, packed and installed into a real Vendure shop, is compared with `/v1` of two stores. The tests
// build on each other, because a shop takes ten seconds to start. Skipped unless test/connectors/vendure.sh installed Vendure.

const { service, account, http } = worldOfFile({ service: { roles: ['api', 'work'] }, account: 'acme' })

const THINGS = 50

interface Report {
  isEqual: boolean
  stores: { store: string; isEqual: boolean; asOf: string }[]
  deviations: { article: string; differences: { member: string }[] }[]
  repaired: number
}

describe.skipIf(!isVendureInstalled())('a Vendure shop with the plugin', () => {
  let shop: VendureShop
  let shelf: Shelfwire
  let writer: Writer
  let pictures: PictureServer
  let poland: string
  let options: { stores: object[]; [name: string]: unknown }
  const closing = new AsyncDisposableStack()

  const hint = (secret?: string) => hintTo(`${shop.url}/shelfwire/hook`, secret)

  const visible = (wanted: ReadonlyMap<string, Row>) => visibleOf(shop, { polishToken: poland, wanted })

  /** Waits until the shop equals the stores. */
  const becomesEqual = async (what: string, timeout = 40_000) => {
    const wanted = await expected(shelf)
    await expect
      .poll(() => visible(wanted).catch(String), {
        message: `${what}: ${shop.printed().slice(-3_000)}`,
        timeout,
        interval: 300,
      })
      .toEqual(wanted)
    return wanted
  }

  const verified = (body: object) =>
    expect.poll(() => shop.ask<Report>('POST', '/shelfwire/verify', body).catch((error: unknown) => String(error)), {
      timeout: 20_000,
      interval: 500,
    })

  beforeAll(async () => {
    pictures = closing.use(await startPictures())
    writer = writerOf(http)
    await fillAccount(writer, account.groupId, pictures.address)
    await sellInPoland(writer)
    for (let i = 0; i < THINGS; i++)
      await writer.putOffer(`THING-${i}`, {
        cost: String(10 + i),
        quantity: i,
        texts: { en: { title: `Thing ${i}`, description: `No. ${i}` }, pl: { title: `Rzecz ${i}` } },
        images: [pictures.address(`thing-${i % 5}`)],
      })
    const token = await tokenFor(service.runtime, account.accountId, 'connector')
    shelf = new Shelfwire({ url: service.url, token })
    options = {
      url: service.url,
      token,
      stores: [{ store: 'main' }, { store: 'pl', channel: 'poland', stockLocation: 'Magazyn' }],
      webhookSecrets: [SECRET],
    }
    shop = closing.use(await startVendure(await shopDatabase(closing, 'vendure'), options))
    poland = (await furnishVendure(shop)).pl
  }, 300_000)
  afterAll(() => closing.disposeAsync())

  test(
    'is filled, through a kill, with products, options, variants, prices, stock, categories and pictures of two stores',
    { timeout: 180_000 },
    async () => {
      expect(await hint()).toBe(200)
      const count = async () => (await shown(shop, poland)).size
      await expect
        .poll(count, { timeout: 30_000, interval: 50 })
        .toBeGreaterThan(5)
        .catch((error: unknown) => Promise.reject(new Error(shop.printed().slice(-3_000), { cause: error })))
      await shop.kill()
      await shop.start()
      expect(await hint()).toBe(200)
      const filled = await becomesEqual('filled', 90_000)
      expect(filled.size).toBe(11 + THINGS)
      // each picture is copied once, or twice if the kill came in between
      expect(Math.max(...pictures.asked.values())).toBeLessThan(3)
    },
  )

  test(
    'shows shoppers prices with tax, list prices, collections and what they search for',
    { timeout: 60_000 },
    async () => {
      const query = `query($slug: String!) { product(slug: $slug) { name variants { priceWithTax currencyCode
      customFields { shelfwirePrices { compareAtPrice quantity } } } } }`
      interface Seen {
        product: { name: string; variants: { priceWithTax: number; currencyCode: string; customFields: object }[] }
      }
      const main = [...(await expected(shelf)).values()].find(({ sku }) => sku === 'Spade')!
      const seen = await shop.shopper<Seen>(query, { slug: 'spade' })
      expect(seen.product.variants).toMatchObject([{ priceWithTax: main.prices['main'], currencyCode: 'EUR' }])
      expect(seen.product.variants[0]?.customFields).toMatchObject({
        shelfwirePrices: expect.arrayContaining([{ compareAtPrice: main.details[0]?.[3], quantity: 1 }]),
      })
      const polish = await shop.shopper<Seen>(query, { slug: 'rzecz-3' }, poland)
      expect(polish.product).toMatchObject({ name: 'Rzecz 3', variants: [{ currencyCode: 'PLN' }] })
      await expect(
        shop.shopper('{ products { items { variants { customFields { shelfwireGroupPrices { price } } } } } }'),
      ).rejects.toThrow(/400|shelfwireGroupPrices/)
      const collection = async () =>
        await shop.shopper('{ collections { items { name parent { name } productVariants { totalItems } } } }')
      await expect.poll(collection, { timeout: 30_000, interval: 500 }).toEqual({
        collections: {
          items: expect.arrayContaining([
            expect.objectContaining({ name: 'Clothing', productVariants: { totalItems: 6 } }),
            { name: 'Shirts', parent: { name: 'Clothing' }, productVariants: { totalItems: 6 } },
          ]),
        },
      })
      const search = () =>
        shop.shopper('{ search(input: { term: "bucket", groupByProduct: true }) { items { productName } } }')
      await expect
        .poll(search, { timeout: 30_000, interval: 500 })
        .toEqual({ search: { items: [{ productName: 'Bucket' }] } })
    },
  )

  test(
    'follows what changes, and hides what is excluded, removed, or no longer in its group',
    { timeout: 240_000 },
    async () => {
      const filled = await expected(shelf)
      const idOf = (sku: string) => [...filled.values()].find((variant) => variant.sku === sku)!.variant
      const changes = changesOfEachKind(writer, { idOf, picture: pictures.address })
      for (const change of changes.flat()) await change()
      expect(await hint()).toBe(200)
      await becomesEqual('changes')
      const rake = (await shown(shop, poland)).get(`product:${idOf('Rake')} ${idOf('Rake')}`)
      expect(rake, 'is kept, and hidden').toMatchObject({ isShown: false })
      // a variant returns to its group
      const option = { key: 'volume', label: 'Volume', value: '300 ml' }
      await writer.patchOffer('CUP-1', { group: { key: 'CUP', title: { en: 'Cup' }, position: 1, options: [option] } })
      expect(await hint()).toBe(200)
      await becomesEqual('back in its group')
    },
  )

  test('moves a category to the top with its collection', { timeout: 60_000 }, async () => {
    const { id } = (await shelf.categories({ store: 'main' })).find(({ name }) => name === 'Shirts')!
    const above = async () => {
      const { collections } = await shop.admin<{
        collections: { items: { name: string; parent: { name: string } }[] }
      }>('{ collections { items { name parent { name } } } }')
      return collections.items.find(({ name }) => name === 'Shirts')?.parent.name
    }
    expect(await above()).toBe('Clothing')
    await writer.write('PATCH', `/categories/${id}`, { path: 'Shirts' })
    expect(await hint()).toBe(200)
    await expect.poll(above, { timeout: 30_000, interval: 500 }).toBe('__root_collection__')
    await writer.write('PATCH', `/categories/${id}`, { path: 'Clothing/Shirts' })
    expect(await hint()).toBe(200)
    await expect.poll(above, { timeout: 30_000, interval: 500 }).toBe('Clothing')
    await becomesEqual('moved and back')
  })

  test(
    'keeps what a store that is deactivated had, and brings the other one up to date',
    { timeout: 120_000 },
    async () => {
      const before = await expected(shelf)
      await writer.write('PATCH', '/stores/pl', { is_active: false })
      await writer.patchOffer('THING-7', { quantity: 77 })
      expect(await hint()).toBe(200)
      const seen = async () => [...(await visible(before)).values()].find(({ sku }) => sku === 'THING-7')
      await expect.poll(async () => (await seen())?.stock['Default Stock Location'], { timeout: 30_000 }).toBe(77)
      const thing = [...before.values()].find(({ sku }) => sku === 'THING-7')!
      expect(await seen()).toEqual({ ...thing, stock: { ...thing.stock, 'Default Stock Location': 77 } })
      expect(shop.printed()).toContain('store pl is not active')
      await verified({}).toMatchObject({ isEqual: true, stores: [{ store: 'main' }], deviations: [] })
      await writer.write('PATCH', '/stores/pl', { is_active: true })
      expect(await hint()).toBe(200)
      await becomesEqual('active again')
    },
  )

  test('takes no hint that is not signed with the secret', async () => {
    expect(await hint('another')).toBe(401)
    await expect(fetch(`${shop.url}/shelfwire/status`)).resolves.toMatchObject({ status: 403 })
    expect(await shop.ask('GET', '/shelfwire/status')).toMatchObject({
      stores: [
        { store: 'main', state: 'following' },
        { store: 'pl', state: 'following' },
      ],
      refused: [],
    })
  })

  test('finds and mends what somebody has changed in the shop', { timeout: 120_000 }, async () => {
    await verified({}).toMatchObject({
      isEqual: true,
      deviations: [],
      stores: [
        { store: 'main', isEqual: true, asOf: expect.any(String) },
        { store: 'pl', isEqual: true },
      ],
    })
    const told = async () =>
      ((await http('/v1/digest/checks')).body.data as { store: string; mirror: string; differing: number }[]).map(
        ({ store, mirror, differing }) => [store, mirror, differing],
      )
    const equal = [
      ['main', 'Vendure', 0],
      ['pl', 'Vendure', 0],
    ]
    expect(await told()).toEqual(equal)
    interface Found {
      products: { items: { id: string; customFields: { shelfwireKey: string }; variants: { id: string }[] }[] }
    }
    const { products } = await shop.admin<Found>(
      '{ products(options: { filter: { name: { eq: "Tee" } } }) { items { id customFields { shelfwireKey } variants { id } } } }',
    )
    const [tee] = products.items
    await shop.admin(
      'mutation($input: [UpdateProductVariantInput!]!) { updateProductVariants(input: $input) { id } }',
      {
        input: [{ id: tee!.variants[0]!.id, price: 1 }],
      },
    )
    await verified({}).toMatchObject({ isEqual: false })
    expect((await told())[0]).toEqual(['main', 'Vendure', 1])
    await verified({ repair: true }).toMatchObject({
      isEqual: false,
      deviations: [
        {
          article: tee!.customFields.shelfwireKey,
          differences: [{ member: expect.stringMatching(/^variants\.\d+\.prices/) }],
        },
      ],
      repaired: 1,
    })
    await becomesEqual('repaired')
    expect(await told()).toEqual(equal)
    await verified({}).toMatchObject({ isEqual: true, deviations: [] })
  })

  test('answers what its page in the dashboard asks, to a superadmin alone', { timeout: 60_000 }, async () => {
    const query = 'query { shelfwireSettings }'
    const { shelfwireSettings: settings } = await shop.admin<{ shelfwireSettings: object }>(query)
    const { total } = (await shelf.products.list({ store: 'main' })).meta
    expect(settings).toMatchObject({
      connection: { url: service.url, has_token: true, has_webhook_secret: true, problem: null },
      stores: [
        { store: 'main', sold_in: null, state: 'following', products: total, total },
        { store: 'pl', sold_in: 'poland', stock_location: 'Magazyn', state: 'following', products: total, total },
      ],
      last_run: { problem: null },
      refused: [],
      shop_owns: [],
    })
    expect(JSON.stringify(settings)).not.toContain(options['token'])
    expect(JSON.stringify(settings)).not.toContain(SECRET)
    const verify = 'mutation($repair: Boolean!) { shelfwireVerify(repair: $repair) }'
    await expect
      .poll(() => shop.admin(verify, { repair: false }).catch(String), { timeout: 20_000, interval: 500 })
      .toMatchObject({ shelfwireVerify: { isEqual: true, deviations: [] } })
    await writer.patchOffer('TEE-red-S', { quantity: 12 })
    expect(await shop.admin('mutation { shelfwireFollow }')).toEqual({ shelfwireFollow: true })
    await becomesEqual('followed from the page')
    const answer = await fetch(`${shop.url}/admin-api`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    expect(await answer.json()).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] })
  })

  test(
    'goes on after a kill, leaves alone what the shop owns, and takes away a store that the options name no more',
    { timeout: 240_000 },
    async () => {
      for (let i = 0; i < THINGS; i += 2) await writer.patchOffer(`THING-${i}`, { quantity: i + 100 })
      expect(await hint()).toBe(200)
      await new Promise((resolve) => setTimeout(resolve, 300))
      await shop.kill()
      await shop.start({ ...options, stores: [options.stores[0]], shopOwns: ['name', 'description'] })
      const { products } = await shop.admin<{ products: { items: { id: string }[] } }>(
        '{ products(options: { filter: { name: { contains: "Spade" } } }) { items { id } } }',
      )
      await shop.admin('mutation($input: UpdateProductInput!) { updateProduct(input: $input) { id } }', {
        input: { id: products.items[0]!.id, translations: [{ languageCode: 'en', name: 'Our spade' }] },
      })
      await writer.patchOffer('Spade', { cost: '20' })
      expect(await hint()).toBe(200)
      const wanted = await expected(shelf)
      const spade = [...wanted.values()].find(({ sku }) => sku === 'Spade')!
      const seen = async () => [...(await visible(wanted)).values()]
      await expect
        .poll(async () => (await seen()).find(({ sku }) => sku === 'Spade'), { timeout: 60_000, interval: 500 })
        .toMatchObject({
          texts: { en: ['Our spade', 'spade', ''] },
          prices: { main: spade.prices['main'] },
          channels: [],
        })
      const stockOf = (rows: readonly Row[]) =>
        Object.fromEntries(
          rows
            .filter(({ sku }) => sku.startsWith('THING'))
            .map(({ sku, stock }) => [sku, stock['Default Stock Location']]),
        )
      await expect
        .poll(async () => stockOf(await seen()), { timeout: 60_000, interval: 500 })
        .toEqual(stockOf([...wanted.values()]))
      expect((await seen()).flatMap(({ channels }) => channels)).toEqual([])
      await verified({}).toMatchObject({ isEqual: true, stores: [{ store: 'main' }], deviations: [] })
    },
  )

  test('leaves the shop as it is when it is uninstalled', { timeout: 120_000 }, async () => {
    const query =
      '{ products(options: { sort: { name: ASC } }) { totalItems items { name slug variants { sku priceWithTax stockLevel } } } }'
    const before = await shop.shopper(query)
    await shop.kill()
    await shop.start(null)
    expect(await shop.shopper(query)).toEqual(before)
  })
})
