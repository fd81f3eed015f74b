import { describe, expect, inject, test } from 'vitest'
import { Shelfwire, type Product } from '../../client/src/shelfwire.ts'
import { openDb } from '../../src/db/sql.ts'
import { withDatabase } from '../harness/every-server.ts'
import { tokenFor } from '../harness/service.ts'
import { must } from '../../src/platform/must.ts'
import { worldOfFile } from '../harness/world.ts'
import { MedusaConnector } from './medusa-connector.ts'
import { shoppersOf, type SeenPrice } from './medusa-shopper.ts'
import { isMedusaInstalled, startMedusa, type MedusaShop } from './medusa-shop.ts'

// What a connector for a shop needs is in the payload: a real Medusa shop, filled and kept by 150 lines (medusa-connector.ts), is compared with
// what `/v1` says, read here by other code. test/connectors/medusa.sh installs the shop; without it this is skipped.

const { service, account, http } = worldOfFile({ service: { roles: ['api', 'work'] }, account: 'acme' })

const write = async (method: string, path: string, body?: object) => {
  const answer = await http(`/v1/account${path}`, {
    method,
    headers: { 'content-type': 'application/json', prefer: 'wait=20' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
}
const putOffer = (sku: string, more: object) =>
  write('PUT', `/suppliers/north/offers/${sku}`, { cost: '10', quantity: 5, ...more })
const patchOffer = (sku: string, more: object) => write('PATCH', `/suppliers/north/offers/${sku}`, more)

const SIZES = ['S', 'M', 'L']
const COLOURS = ['red', 'navy']
const EANS = ['4001234500003', '4001234500010', '4001234500027', '4001234500034', '4001234500041', '4001234500058']
const picture = (name: string) => `https://pictures.example/${name}.jpg`

/** A shirt in sizes and colours, a cup in two sizes, and articles without variants; categories on two levels. */
async function fillAccount() {
  await write('PATCH', '', { additional_members: ['slug', 'prices_is_default'] })
  await write('PUT', '/attributes/size', { labels: { en: 'Size' } })
  const of = (percent: string) => [{ country: 'DE', valid_from: '2021-01-01', percent }]
  await write('PUT', '/tax-classes/standard', { name: 'Standard', is_default: true, rates: of('19') })
  await write('PUT', '/tax-classes/reduced', { name: 'Reduced', rates: of('7') })
  await write('PATCH', '/stores/main', { tax_country: 'DE', prices_include_tax: true })
  const tiers = [
    { quantity: 5, percent_off: '5' },
    { quantity: 20, percent_off: '10' },
  ]
  await write('POST', '/pricing-rules', { name: 'By quantity', action: 'markup', percent: '25', priority: 1, tiers })
  await write('PATCH', `/groups/${account.groupId}`, { prices_include_tax: false })
  await write('POST', '/categories', { path: 'Clothing', external_id: 'C-1' })
  await write('POST', '/categories', { path: 'Clothing/Shirts', supplier_paths: ['Apparel/Tees'] })
  await write('POST', '/categories', { path: 'Kitchen', supplier_paths: ['Kitchen'], tax_class: 'reduced' })
  let position = 0
  for (const colour of COLOURS)
    for (const size of SIZES)
      await putOffer(`TEE-${colour}-${size}`, {
        cost: size === 'L' ? '12.5' : '10',
        quantity: position,
        eans: [must(EANS[position])],
        category: 'Apparel/Tees',
        weight: `0.${position + 1}`,
        country_of_origin: 'PT',
        hs_code: '610910',
        texts: { en: { title: `Tee, ${colour}, ${size}`, description: `<p>Cotton, ${colour}.</p>` } },
        images: [picture(`tee-${colour}`), picture('tee-label')],
        group: {
          key: 'TEE',
          title: { en: 'Tee' },
          position: (position += 1),
          options: [
            { key: 'size', label: 'Size', value: size },
            { key: 'colour', label: 'Colour', value: colour },
          ],
        },
      })
  for (const [at, size] of ['200 ml', '300 ml'].entries())
    await putOffer(`CUP-${at}`, {
      category: 'Kitchen',
      texts: { en: { title: `Cup ${size}` } },
      images: [picture('cup')],
      group: {
        key: 'CUP',
        title: { en: 'Cup' },
        position: at,
        options: [{ key: 'volume', label: 'Volume', value: size }],
      },
    })
  for (const name of ['Spade', 'Rake', 'Bucket'])
    await putOffer(name, {
      texts: { en: { title: name } },
      images: [picture(name.toLowerCase())],
      ...(name === 'Bucket' ? {} : { list_price: '49.95' }),
    })
}

interface Variant {
  product: string | undefined
  title: string | null
  handle: string
  status: string
  categories: string[]
  images: string[]
  variant: number
  sku: string | null
  ean: string | null
  weight: number | null
  options: Record<string, string>
  ownImages: string[]
  /** Amount, from and to how many. */
  price: (number | null)[][]
  stock: number
}

/** What the shop has, one entry a variant. */
async function shown(shop: MedusaShop): Promise<Map<number, Variant>> {
  const fields = [
    'title,handle,status,external_id,images.url,categories.name,variants.sku,variants.ean,variants.weight,variants.metadata',
    'variants.options.value,variants.options.option.title,variants.images.url',
    'variants.prices.amount,variants.prices.min_quantity,variants.prices.max_quantity',
    'variants.inventory_items.inventory.location_levels.stocked_quantity',
  ]
  const found = new Map<number, Variant>()
  // oxlint-disable-next-line typescript/no-explicit-any
  for (const product of (await shop.all(`/admin/products?fields=${fields.join()}`, 'products')) as any[])
    for (const each of product.variants)
      found.set(each.metadata.shelfwire_id, {
        product: product.external_id,
        title: product.title,
        handle: product.handle,
        status: product.status,
        categories: product.categories.map((category: { name: string }) => category.name),
        images: product.images.map((image: { url: string }) => image.url),
        variant: each.metadata.shelfwire_id,
        sku: each.sku,
        ean: each.ean,
        weight: each.weight,
        options: Object.fromEntries(
          each.options.map((option: { value: string; option: { title: string } }) => [
            option.option.title,
            option.value,
          ]),
        ),
        ownImages: each.images.map((image: { url: string }) => image.url).toSorted(),
        price: each.prices
          .map(({ amount, min_quantity: from, max_quantity: to }: Record<string, number | null>) => [amount, from, to])
          .toSorted(([a]: number[], [b]: number[]) => (b ?? 0) - (a ?? 0)),
        stock: each.inventory_items[0].inventory.location_levels[0].stocked_quantity,
      })
  return found
}

/** What a customer group pays in the store, as a shop shows it whose prices have tax in them. */
async function payable(shelf: Shelfwire, groupName: string | null): Promise<Map<number, SeenPrice>> {
  const group = (await shelf.customerGroups()).find(({ name, is_default: isDefault }) =>
    groupName === null ? isDefault : name === groupName,
  )
  const found = new Map<number, SeenPrice>()
  for await (const { id, excluded, prices } of shelf.products.walk({ store: 'main' })) {
    const own = must(prices.find(({ is_default: isDefault }) => isDefault))
    const price = must(prices.find(({ customer_group_id: of }) => of === group?.id))
    if (excluded) continue
    const rate = 1 + (price.tax_rate ?? 0) / 100
    const amount = price.tax_included === true ? price.computed_price : Number((price.computed_price * rate).toFixed(4))
    found.set(id, {
      amount,
      // what a group pays by a list of the type override strikes nothing through
      original: groupName === null ? (own.compare_at_price ?? own.computed_price) : amount,
      hasTax: true,
      list: groupName !== null ? 'override' : own.compare_at_price === undefined ? null : 'sale',
    })
  }
  return found
}

/** What the store says, one entry a variant, by walking its list and its groups. */
async function expected(shelf: Shelfwire): Promise<Map<number, Variant>> {
  const groups = new Map<number, Product[]>()
  for await (const { id } of shelf.groups({ store: 'main' }))
    groups.set(id, (await shelf.group(id, { store: 'main' })).products)
  const names = new Map((await shelf.categories({ store: 'main' })).map(({ id, name }) => [id, name]))
  const publicId = (await shelf.customerGroups()).find(({ is_default: isDefault }) => isDefault)?.id
  const found = new Map<number, Variant>()
  for await (const product of shelf.products.walk({ store: 'main' })) {
    const variants = product.group === undefined ? [product] : groups.get(product.group.id)!
    const [first] = variants
    const images = [...new Set(variants.flatMap((each) => each.images))]
    found.set(product.id, {
      product: product.group === undefined ? `product:${product.id}` : `group:${product.group.id}`,
      title: product.group === undefined ? product.title : first!.group!.title,
      handle: product.group === undefined ? product.slug! : `group-${product.group.id}`,
      status: variants.every(({ excluded }) => excluded) ? 'draft' : 'published',
      categories: [...new Set(variants.flatMap((each) => (each.categories ?? []).map(({ id }) => names.get(id)!)))],
      images,
      variant: product.id,
      sku: product.sku,
      ean: product.ean,
      weight: product.weight === undefined ? null : Number(product.weight) * 1_000,
      options:
        product.group === undefined
          ? { Version: String(product.id) }
          : Object.fromEntries(product.group.options.map(({ label, value }) => [label, value])),
      ownImages: variants.length === 1 ? images : product.images.toSorted(),
      price: product.prices.flatMap((price) =>
        price.customer_group_id !== publicId
          ? []
          : price.compare_at_price !== undefined
            ? [[price.compare_at_price, null, null]]
            : [
                [price.computed_price, null, null],
                ...(price.tiers ?? []).map(({ quantity, price: amount }, i, tiers) => {
                  const next = tiers[i + 1]
                  return [amount, quantity, next === undefined ? null : next.quantity - 1]
                }),
              ],
      ),
      stock: product.stock,
    })
  }
  return found
}

describe.skipIf(!isMedusaInstalled())('a Medusa shop that a small connector keeps', () => {
  test(
    'has the products of the store with options, variants, categories and pictures, and follows what changes',
    { timeout: 300_000 },
    async () => {
      await fillAccount()
      const admin = openDb({ url: inject('serverUrl'), connectionsMax: 1 })
      const name = `medusa_${process.pid}`
      await admin.unsafe(`create database ${name}`)
      await using _ = {
        async [Symbol.asyncDispose]() {
          await admin.unsafe(`drop database ${name} with (force)`)
          await admin.end()
        },
      }
      await using shop = await startMedusa(withDatabase(inject('serverUrl'), name))
      const shelf = new Shelfwire({
        url: service.url,
        token: await tokenFor(service.runtime, account.accountId, 'connector'),
      })
      const connector = new MedusaConnector(shelf, shop, 'main')
      let cursor = await connector.fill()
      const shoppers = await shoppersOf(shop)
      const filled = await shown(shop)
      expect(filled).toEqual(await expected(shelf))
      expect(filled.size).toBe(11)
      const everybody = await shoppers.look(null)
      expect(everybody).toEqual(await payable(shelf, null))
      expect([...everybody.values()].filter(({ list }) => list === 'sale')).toHaveLength(2)
      expect(await shoppers.look('Wholesale')).toEqual(await payable(shelf, 'Wholesale'))
      const tee = [...filled.values()].find(({ title }) => title === 'Tee')!
      expect(tee.categories).toEqual(['Shirts'])
      const tree = await shop.all(
        '/admin/product-categories?fields=name,external_id,parent_category.name',
        'product_categories',
      )
      expect(tree).toContainEqual(
        expect.objectContaining({ name: 'Shirts', parent_category: expect.objectContaining({ name: 'Clothing' }) }),
      )
      expect(tree).toContainEqual(expect.objectContaining({ name: 'Clothing', external_id: 'C-1' }))

      const id = (title: string) => [...filled.values()].find((variant) => variant.title === title)!.variant
      const changes: (() => Promise<unknown>)[] = [
        () => patchOffer('TEE-red-S', { cost: '11', quantity: 99 }),
        // leaves its group
        () => patchOffer('CUP-1', { group: null }),
        // no list price any more
        () => patchOffer('Spade', { list_price: null }),
        // another category, other pictures
        () => patchOffer('TEE-navy-M', { category: 'Kitchen', images: [picture('tee-navy-2')] }),
        () => write('PATCH', `/products/${id('Spade')}`, { title: { en: 'Spade with a handle' } }),
        () => write('DELETE', `/products/${id('Rake')}`),
        () => write('PATCH', `/products/${id('Bucket')}`, { exclusions: { '*': 'sold_out' } }),
      ]
      for (const [at, change] of changes.entries()) {
        await change()
        const before = cursor.since_id
        // the write is answered when the store reads it, and the feed has it
        cursor = await connector.follow(cursor)
        expect(cursor.since_id, `change ${at}`).toBeGreaterThan(before)
        expect(await shown(shop), `change ${at}`).toEqual(await expected(shelf))
        for (const group of [null, 'Wholesale'])
          expect(await shoppers.look(group), `change ${at} ${group}`).toEqual(await payable(shelf, group))
      }
    },
  )
})
