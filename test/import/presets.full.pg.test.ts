import { createReadStream } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { detectMapping } from '../../src/supplier-files/proposal/detect.ts'
import { presetMapping } from '../../src/supplier-files/presets/preset-mapping.ts'
import { createAccount } from '../harness/account.ts'
import { openStoreBench } from './store-bench.ts'
import { ofFile } from '../harness/world.ts'

// Exports of other systems need no mapping: each is recognized, imported by its built-in mapping, and read in a store. The costs
// here were computed by hand from the rows of src/supplier-files/exports; the default rule adds 25 %.

const stores = ofFile(openStoreBench)

const file = (name: string) => fileURLToPath(new URL(`../../src/supplier-files/exports/${name}`, import.meta.url))

/** sku, exact cost in euros, stock, category, number of pictures. */
type Row = readonly [sku: string, cost: string, stock: number, category: string | null, images: number]

/** `cost` in euros plus `percent`, in cents, rounded half up with integer arithmetic. */
function cents(cost: string, percent: number): number {
  const [whole = '', fraction = ''] = cost.split('.')
  const millionths = BigInt(whole + fraction.padEnd(6, '0')) * BigInt(100 + percent)
  return Number((millionths + 500_000n) / 1_000_000n)
}

it.each<[name: string, language: string, rows: Row[]]>([
  [
    'magento2.csv',
    'en',
    [
      ['SPADE', '24.9', 0, 'Tools/Spades', 1],
      ['SPADE-L', '1034.5', 0, null, 0],
      ['SPADE-S', '24.9', 100, 'Tools/Spades', 3],
    ],
  ],
  [
    'shopify.csv',
    'en',
    [
      ['0012', '12.5', 7, 'Home & Garden/Lawn & Garden/Gardening', 4],
      ['gift-card', '25', 1, 'Cards', 0],
      ['trowel/Oak', '13', 0, 'Home & Garden/Lawn & Garden/Gardening', 4],
    ],
  ],
  [
    'woocommerce.csv',
    'en',
    [
      ['GLOVE-L', '9', 0, 'Clothing/Gloves', 2],
      ['GLOVE-M', '7.5', 12, 'Clothing/Gloves', 1],
      ['HAT', '18', 4, 'Clothing/Hats', 1],
      ['id:13', '3', 1, 'Plans', 0],
    ],
  ],
  [
    'woocommerce-de.csv',
    'de',
    [
      ['HANDSCHUH-L', '9.5', 1, 'Kleidung/Handschuhe', 1],
      ['HANDSCHUH-M', '1064.99', 5, 'Kleidung/Handschuhe', 1],
    ],
  ],
  [
    'prestashop.csv',
    'en',
    [
      ['CAN-10', '21.666667', 40, 'Watering', 2],
      ['id:8', '30', 0, 'Watering', 1],
    ],
  ],
  [
    'vendure.csv',
    'en',
    [
      ['BE-120-O', '149', 6, 'Garden', 3],
      ['BE-150-O', '179.5', 2, 'Garden', 2],
      ['BE-150-R', '169', 0, 'Garden', 2],
      ['DIB-1', '12.9', 40, 'Garden', 1],
    ],
  ],
  [
    'google.xml',
    'en',
    [
      // 99 and 105.29 US dollars, at 1.25 per euro
      ['CLOCK-BLACK', '79.2', 1, 'home/clocks', 3],
      ['CLOCK-WHITE', '84.232', 0, 'Home & Garden/Decor/Clocks', 1],
    ],
  ],
  [
    'wix.csv',
    'en',
    [
      ['TIN-1', '18', 7, 'Storage', 2],
      ['TW-50-G', '3.5', 1, 'Storage', 1],
      ['product_2e7a11/100 m/Natural', '6', 0, 'Storage', 1],
      ['product_3b90ff', '1039.9', 0, null, 0],
    ],
  ],
  [
    'squarespace.csv',
    'en',
    [
      ['SQ100', '180', 3, 'garden/benches', 2],
      ['SQ101', '1190', 1000, 'garden/benches', 2],
      ['id:b2-01', '6.5', 0, 'workshop', 1],
    ],
  ],
  // 249.95 euros for ten
  ['bmecat-1.2.xml', 'de', [['SP-1000', '24.995', 17, 'Werkzeug/Spaten', 1]]],
  ['bmecat-2005.xml', 'de', [['SP-1000', '24.995', 17, 'Garten/Spaten und Schaufeln', 1]]],
])('%s comes in whole', async (name, language, expected) => {
  const account = await createAccount(stores.bench)
  const { preset } = await detectMapping(createReadStream(file(name)))
  const mapping = presetMapping(preset ?? '', { imageBaseUrl: 'https://shop.example/media' })
  const report = await stores.bring(account, 0, createReadStream(file(name)), mapping)
  expect(report).toMatchObject({ created: expected.length, refused: [], warnings: [] })
  const get = await stores.reader(account)
  const shown: unknown[] = []
  for (const [sku] of expected) {
    const [offer] = await stores.database.db<{ productId: number; category: string | null }[]>`
      select product_id as "productId", category from offer_content
      where account_id = ${account.accountId} and supplier_sku = ${sku}`
    const { data } = (await get(`/v1/products/${offer?.productId}?store=${language === 'de' ? 'de' : 'main'}`))
      .body as {
      data: {
        title: string
        stock: number
        images: unknown[]
        prices: { base_cost: number; computed_price: number; currency: string }[]
      }
    }
    expect(data.title).toMatch(/\w/)
    const [price] = data.prices
    const amounts = [price?.base_cost, price?.computed_price].map((amount) => Math.round((amount ?? 0) * 100))
    shown.push([sku, ...amounts, data.stock, offer?.category, data.images.length])
  }
  expect(shown).toEqual(expected.map(([sku, cost, ...rest]) => [sku, cents(cost, 0), cents(cost, 25), ...rest]))
})
