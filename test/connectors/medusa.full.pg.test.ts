import { beforeAll, afterAll, describe, expect, test } from 'vitest'
import { Shelfwire } from '../../client/src/shelfwire.ts'
import { tokenFor } from '../harness/service.ts'
import { openChromium } from '../browser/chromium.ts'
import { worldOfFile } from '../harness/world.ts'
import { hint as hintTo, SECRET } from './hint.ts'
import { changesOfEachKind } from './offer-changes.ts'
import { fillAccount, pictureOf, writerOf, type Writer } from './shop-account.ts'
import { shopDatabase } from './shop-process.ts'
import { expected, payable, shown } from './medusa-rows.ts'
import { shoppersOf, type Shoppers } from './medusa-shopper.ts'
import { furnish, isMedusaInstalled, OWNER, startMedusa, type MedusaShop } from './medusa-shop.ts'

// The plugin of connectors/medusa, packed and installed into a real Medusa shop, is compared with `/v1` of two stores. The tests
// build on each other, because a shop takes half a minute to start. Skipped unless test/connectors/medusa.sh installed Medusa.

const { service, account, http } = worldOfFile({ service: { roles: ['api', 'work'] }, account: 'acme' })

describe.skipIf(!isMedusaInstalled())('a Medusa shop with the plugin', () => {
  let shop: MedusaShop
  let shelf: Shelfwire
  let shoppers: Shoppers
  let writer: Writer
  const closing = new AsyncDisposableStack()
  let options: Record<string, unknown>

  const hint = (secret?: string) => hintTo(`${shop.url}/hooks/shelfwire`, secret)

  /** Waits until the shop equals the stores. */
  const becomesEqual = async (what: string, timeout = 40_000) => {
    const wanted = await expected(shelf)
    await expect
      .poll(() => shown(shop).catch(String), {
        message: `${what}: ${shop.printed().slice(-3_000)}`,
        timeout,
        // not more often, because each check reads the whole shop while it follows changes
        interval: 1_000,
      })
      .toEqual(wanted)
    for (const group of [null, 'Wholesale'])
      await expect
        .poll(() => shoppers.look(group), { message: `${what}: ${group}`, timeout: 20_000, interval: 300 })
        .toEqual(await payable(shelf, group))
    return wanted
  }

  const verified = (body: object) =>
    expect.poll(
      () => shop.call<Report>('POST', '/admin/shelfwire/verify', body).catch((error: unknown) => String(error)),
      {
        timeout: 20_000,
        interval: 500,
      },
    )
  interface Report {
    isEqual: boolean
    stores: { store: string; isEqual: boolean; asOf: string }[]
    deviations: { article: string; differences: { member: string }[] }[]
    repaired: number
  }

  beforeAll(async () => {
    writer = writerOf(http)
    await fillAccount(writer, account.groupId)
    const token = await tokenFor(service.runtime, account.accountId, 'connector')
    shelf = new Shelfwire({ url: service.url, token })
    options = {
      url: service.url,
      token,
      stores: [
        { store: 'main', salesChannel: 'Shelfwire', stockLocation: 'Warehouse' },
        { store: 'pl', salesChannel: 'Poland', stockLocation: 'Magazyn' },
      ],
      webhookSecrets: [SECRET],
    }
    shop = closing.use(await startMedusa(await shopDatabase(closing, 'medusa'), options, { hasAdmin: true }))
    await furnish(shop)
    shoppers = await shoppersOf(shop)
  }, 300_000)
  afterAll(() => closing.disposeAsync())

  test(
    'is filled with products, options, variants, prices, stock, categories and pictures of two stores',
    { timeout: 120_000 },
    async () => {
      expect(await hint()).toBe(200)
      const filled = await becomesEqual('filled', 90_000)
      expect(filled.size).toBe(11)
      expect([...(await shoppers.look(null)).values()].filter(({ list }) => list === 'sale')).toHaveLength(2)
      const tree = await shop.all('/admin/product-categories?fields=name,parent_category.name', 'product_categories')
      expect(tree).toContainEqual(
        expect.objectContaining({ name: 'Shirts', parent_category: expect.objectContaining({ name: 'Clothing' }) }),
      )
    },
  )

  test(
    'follows what changes, and names a variant that changes its group or leaves the store',
    { timeout: 240_000 },
    async () => {
      const filled = await shown(shop)
      const idOf = (sku: string) => [...filled.values()].find((variant) => variant.sku === sku)!.variant
      const changes = changesOfEachKind(writer, { idOf, picture: pictureOf })
      for (const [at, round] of changes.entries()) {
        for (const change of round) await change()
        expect(await hint()).toBe(200)
        await becomesEqual(`changes of round ${at}`)
      }
    },
  )

  test('takes no hint that is not signed with the secret', async () => {
    const filled = await shown(shop)
    await writer.patchOffer('TEE-red-S', { quantity: 55 })
    expect(await hint('another')).toBe(401)
    expect(await shown(shop)).toEqual(filled)
    expect(await hint()).toBe(200)
    await becomesEqual('hinted')
  })

  test(
    'keeps what a store that is deactivated had, and brings the other one up to date',
    { timeout: 120_000 },
    async () => {
      const stockOf = async () => {
        const rows = await shown(shop)
        const stock = [...rows.values()].find(({ sku }) => sku === 'TEE-red-S')!.stock
        return { size: rows.size, ...stock }
      }
      const before = await stockOf()
      expect(before).toMatchObject({ Magazyn: 55, Warehouse: 55 })
      await writer.write('PATCH', '/stores/pl', { is_active: false })
      await writer.patchOffer('TEE-red-S', { quantity: 56 })
      expect(await hint()).toBe(200)
      await expect.poll(stockOf, { timeout: 30_000 }).toEqual({ ...before, Warehouse: 56 })
      expect(shop.printed()).toContain('store pl is not active')
      await verified({}).toMatchObject({ isEqual: true, stores: [{ store: 'main' }] })
      await writer.write('PATCH', '/stores/pl', { is_active: true })
      expect(await hint()).toBe(200)
      await becomesEqual('active again')
    },
  )

  test('finds and mends what somebody has changed in the shop', { timeout: 120_000 }, async () => {
    await verified({}).toMatchObject({
      isEqual: true,
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
      ['main', 'Medusa', 0],
      ['pl', 'Medusa', 0],
    ]
    expect(await told()).toEqual(equal)
    const right = await shown(shop)
    const [tee] = (await shop.all(
      '/admin/products?q=Tee&fields=id,external_id,variants.id,variants.prices.*',
      'products',
    )) as unknown as {
      id: string
      external_id: string
      variants: { id: string; prices: { id: string; currency_code: string }[] }[]
    }[]
    const [variant] = tee!.variants
    const prices = [{ currency_code: 'eur', amount: 1 }]
    await shop.call('POST', `/admin/products/${tee!.id}/variants/${variant!.id}`, { prices })
    expect(await shown(shop)).not.toEqual(right)
    await verified({}).toMatchObject({ isEqual: false })
    expect((await told())[0]).toEqual(['main', 'Medusa', 1])
    await verified({ repair: true }).toMatchObject({
      isEqual: false,
      deviations: [
        { article: tee!.external_id, differences: [{ member: expect.stringMatching(/^variants\.\d+\.prices$/) }] },
      ],
      repaired: 1,
    })
    expect(await shown(shop)).toEqual(right)
    expect(await told()).toEqual(equal)
    await verified({}).toMatchObject({ isEqual: true, deviations: [] })
  })

  test('has a page in the settings of its admin', { timeout: 120_000 }, async () => {
    for (const [method, path] of [
      ['GET', '/settings'],
      ['POST', '/follow'],
      ['POST', '/verify'],
    ] as const)
      expect((await fetch(`${shop.url}/admin/shelfwire${path}`, { method })).status, path).toBe(401)
    const settings = await shop.call<object>('GET', '/admin/shelfwire/settings')
    const { total } = (await shelf.products.list({ store: 'main' })).meta
    expect(settings).toMatchObject({
      connection: { url: service.url, has_token: true, has_webhook_secret: true, problem: null },
      stores: [
        {
          store: 'main',
          sold_in: 'Shelfwire',
          stock_location: 'Warehouse',
          state: 'following',
          products: total,
          total,
        },
        { store: 'pl', sold_in: 'Poland', stock_location: 'Magazyn', state: 'following', products: total, total },
      ],
      last_run: { problem: null, ended: expect.any(String) },
      refused: [],
      shop_owns: [],
    })
    expect(JSON.stringify(settings)).not.toContain(options['token'])
    expect(JSON.stringify(settings)).not.toContain(SECRET)

    await using chromium = await openChromium()
    const page = await (await chromium.context()).newPage()
    await page.goto(`${shop.url}/app/login`)
    await page.locator('input[name=email]').fill(OWNER.email)
    await page.locator('input[name=password]').fill(OWNER.password)
    await page.locator('button[type=submit]').click()
    await page.waitForURL(/\/app\/(?!login)/)
    await page.goto(`${shop.url}/app/settings/shelfwire`)
    await page.getByRole('row', { name: /pl Poland Magazyn Follows/ }).waitFor()
    await page.getByText('Shelfwire answers').waitFor()
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByText('The shop is equal.').waitFor()

    const [spade] = (await shop.all('/admin/products?q=Spade', 'products')) as { id: string }[]
    await shop.call('POST', `/admin/products/${spade!.id}`, { description: 'Written in the shop' })
    await page.getByRole('button', { name: 'Repair' }).click()
    await page.getByText('The shop differs in 1 products; 1 were written again.').waitFor()
    await becomesEqual('repaired from the page')

    await writer.patchOffer('TEE-red-S', { quantity: 12 })
    await page.getByRole('button', { name: 'Follow now' }).click()
    await page.getByText('The shop looks for changes now.').waitFor()
    await becomesEqual('followed from the page')
    expect(chromium.faults).toEqual([])
  })

  test(
    'leaves alone what the shop owns, and takes away a store that the options name no more',
    { timeout: 240_000 },
    async () => {
      await shop.kill()
      await shop.start({ ...options, stores: [(options['stores'] as object[])[0]], shopOwns: ['title', 'description'] })
      const [spade] = (await shop.all('/admin/products?q=Spade', 'products')) as unknown as { id: string }[]
      await shop.call('POST', `/admin/products/${spade!.id}`, { title: 'Our spade' })
      await writer.patchOffer('Spade', { cost: '20', texts: { en: { title: 'Another spade' } } })
      expect(await hint()).toBe(200)
      const price = async () => [...(await shown(shop)).values()].find(({ sku }) => sku === 'Spade')
      const wanted = [...(await expected(shelf)).values()].find(({ sku }) => sku === 'Spade')!
      await expect
        .poll(price, { timeout: 60_000, interval: 500 })
        .toMatchObject({ title: 'Our spade', price: wanted.price.filter(([currency]) => currency === 'eur') })
      expect(new Set([...(await shown(shop)).values()].flatMap(({ channels }) => channels))).toEqual(
        new Set(['Shelfwire']),
      )
      await verified({}).toMatchObject({ isEqual: true, stores: [{ store: 'main' }], deviations: [] })
    },
  )

  test('leaves the shop as it is when it is uninstalled', { timeout: 120_000 }, async () => {
    const before = await shown(shop)
    await shop.kill()
    await shop.start(null)
    expect(await shown(shop)).toEqual(before)
  })
})
