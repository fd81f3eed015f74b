import { createHmac } from 'node:crypto'
import { beforeAll, afterAll, describe, expect, inject, test } from 'vitest'
import { Shelfwire } from '../../client/src/shelfwire.ts'
import { openDb } from '../../src/db/sql.ts'
import { withDatabase } from '../harness/every-server.ts'
import { tokenFor } from '../harness/service.ts'
import { worldOfFile } from '../harness/world.ts'
import { fillAccount, pictureOf, writerOf, type Writer } from './shop-account.ts'
import { expected, payable, shown } from './medusa-rows.ts'
import { shoppersOf, type Shoppers } from './medusa-shopper.ts'
import { furnish, isMedusaInstalled, startMedusa, type MedusaShop } from './medusa-shop.ts'

// The plugin of connectors/medusa, packed and installed into a real Medusa shop, is compared with what `/v1` says of two stores. The tests go on
// from one another: a shop takes half a minute to start. test/connectors/medusa.sh installs Medusa; without it this is skipped.

const { service, account, http } = worldOfFile({ service: { roles: ['api', 'work'] }, account: 'acme' })

const SECRET = 'whsec_of_a_test'
const BODY = JSON.stringify({ event: 'price', store_id: null, product_ids: [1], occurred_at: '2026-11-28T00:00:00Z' })

describe.skipIf(!isMedusaInstalled())('a Medusa shop with the plugin', () => {
  let shop: MedusaShop
  let shelf: Shelfwire
  let shoppers: Shoppers
  let writer: Writer
  const closing = new AsyncDisposableStack()
  let options: Record<string, unknown>

  /** As the service signs it. @returns the status that the shop answers */
  const hint = async (secret = SECRET) => {
    const timestamp = String(Math.floor(Date.now() / 1_000))
    const signature = createHmac('sha256', secret).update(`${timestamp}.${BODY}`).digest('hex')
    const answer = await fetch(`${shop.url}/hooks/shelfwire`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-service-timestamp': timestamp,
        'x-service-signature': `sha256=${signature}`,
      },
      body: BODY,
    })
    return answer.status
  }

  /** Until the shop is as the stores are. */
  const becomesEqual = async (what: string, timeout = 40_000) => {
    const wanted = await expected(shelf)
    await expect
      .poll(() => shown(shop).catch(String), {
        message: `${what}: ${shop.printed().slice(-3_000)}`,
        timeout,
        interval: 300,
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
    const admin = openDb({ url: inject('serverUrl'), connectionsMax: 1 })
    closing.defer(() => admin.end())
    const name = `medusa_${process.pid}`
    await admin.unsafe(`create database ${name}`)
    closing.defer(async () => {
      await admin.unsafe(`drop database ${name} with (force)`)
    })
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
    shop = closing.use(await startMedusa(withDatabase(inject('serverUrl'), name), options))
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
      const id = (title: string) => [...filled.values()].find((variant) => variant.title === title)!.variant
      const changes: (() => Promise<unknown>)[] = [
        () => writer.patchOffer('TEE-red-S', { cost: '11', quantity: 99 }),
        // leaves its group
        () => writer.patchOffer('CUP-1', { group: null }),
        // no list price any more
        () => writer.patchOffer('Spade', { list_price: null }),
        // another category, other pictures, another size
        () =>
          writer.patchOffer('TEE-navy-M', {
            category: 'Kitchen',
            images: [pictureOf('tee-navy-2')],
            group: {
              key: 'TEE',
              title: { en: 'Tee' },
              position: 5,
              options: [
                { key: 'size', label: 'Size', value: 'XL' },
                { key: 'colour', label: 'Colour', value: 'navy' },
              ],
            },
          }),
        () => writer.write('PATCH', `/products/${id('Spade')}`, { title: { en: 'Spade with a handle' } }),
        // one variant of several is not sold any more: it has no stock
        async () => {
          const red = [...filled.values()].find(({ sku }) => sku === 'TEE-red-L')!
          await writer.write('PATCH', `/products/${red.variant}`, { exclusions: { pl: 'not_here' } })
        },
        () => writer.write('DELETE', `/products/${id('Rake')}`),
        () => writer.write('PATCH', `/products/${id('Bucket')}`, { exclusions: { '*': 'sold_out' } }),
      ]
      for (const [at, change] of changes.entries()) {
        await change()
        expect(await hint()).toBe(200)
        await becomesEqual(`change ${at}`)
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

  test('finds and mends what somebody has changed in the shop', { timeout: 120_000 }, async () => {
    await verified({}).toMatchObject({
      isEqual: true,
      stores: [
        { store: 'main', isEqual: true, asOf: expect.any(String) },
        { store: 'pl', isEqual: true },
      ],
    })
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
    await verified({ repair: true }).toMatchObject({
      isEqual: false,
      deviations: [
        { article: tee!.external_id, differences: [{ member: expect.stringMatching(/^variants\.\d+\.prices$/) }] },
      ],
      repaired: 1,
    })
    expect(await shown(shop)).toEqual(right)
    await verified({}).toMatchObject({ isEqual: true, deviations: [] })
  })

  test('goes on after kills where it was, and makes nothing twice', { timeout: 240_000 }, async () => {
    for (const [at, after] of [300, 900].entries()) {
      for (let i = 0; i < 40; i++)
        await writer.putOffer(`KILL-${i}`, { quantity: i + at, texts: { en: { title: `Thing ${i} ${at}` } } })
      expect(await hint()).toBe(200)
      await new Promise((resolve) => setTimeout(resolve, after))
      await shop.kill()
      await shop.start()
      expect(await hint()).toBe(200)
      await becomesEqual(`kill ${at}`, 90_000)
    }
    await verified({}).toMatchObject({ isEqual: true, deviations: [] })
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
