import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { OfferRecord } from '../../model/offer.ts'
import { detectMapping } from '../proposal/detect.ts'
import { summariesOf, chunked, readAll } from '../fixtures.ts'
import { presetMapping } from './preset-mapping.ts'

// Ready mappings for inventory systems, marketplaces and procurement catalogs, with files in their form
// (exports/README.md).

const exported = (name: string) => readFileSync(new URL(`../exports/${name}`, import.meta.url))

async function offersOf(name: string, preset: string): Promise<OfferRecord[]> {
  const rows = await readAll(exported(name), presetMapping(preset, {}))
  expect(summariesOf(rows).filter((row) => row.includes('!'))).toEqual([])
  return rows.flatMap((row) => ('offer' in row ? [row.offer] : []))
}

/** Key, cost, quantity, EANs and group, and the title in the mapping's locale. */
const briefly = (offers: readonly OfferRecord[]) =>
  offers.map(
    ({ sku, cost, quantity, eans, group, texts }) =>
      `${sku} | ${Object.values(texts ?? {})[0]?.title} | ${cost} | ${quantity} | ${(eans ?? []).join()} | ${group?.key ?? '-'}`,
  )
const optionsOf = (offer: OfferRecord | undefined) => offer?.group?.options.map(({ key, value }) => `${key}=${value}`)

describe('ready mappings of systems', () => {
  it.each([
    [
      'bigcommerce.csv',
      'bigcommerce',
      ['BV-4 | Bench vise | 59.9 | 0 | 4009990012334 | -', 'id:32 | Clamp, 300 mm | 9.9 | 1000 |  | -'],
    ],
    [
      'bigcommerce-v3.csv',
      'bigcommerce-v3',
      [
        'WS-R | Wool scarf - Red | 19 | 8 | 4009990015076 | /wool-scarf/',
        'WS-G | Wool scarf - Grey | 27 | 0 |  | /wool-scarf/',
        'id:44 | Hat pin | 4.5 | 1000 |  | -',
      ],
    ],
    [
      'shopware6.csv',
      'shopware6',
      [
        'SWK-20 | Wollmütze | 16.81 | 14 |  | -',
        'SWK-20.1 | Wollmütze | 16.81 | 5 |  | a1',
        'SWK-30 | Schal; lang | 25.13 | 0 |  | -',
      ],
    ],
    [
      'opencart.csv',
      'opencart',
      ['FP-11 | Fountain pen | 48.5 | 14 | 4009990012334 | -', 'BLOT-12 | Blotting paper | 1.95 | 300 |  | -'],
    ],
    [
      'jtl.csv',
      'jtl',
      [
        'ST-9-38 | Gummistiefel 38 | 29.41 | 12 | 4009990012334 | ST-9',
        'ST-9-40 | Gummistiefel 40 | 1029.41 | 0 |  | ST-9',
        'EI-1 | Einlegesohle | 4.12 | 80 | 4009990013706 | -',
      ],
    ],
    [
      'odoo.csv',
      'odoo',
      [
        'LAMP-7 | Reading lamp | 31.2 | 18 | 4009990012334 | -',
        'id:__export__.product_template_8_2b | Bulb | null | 0 |  | -',
      ],
    ],
    [
      'odoo-technical.csv',
      'odoo-technical',
      ['LAMP-7 | Reading lamp | 31.2 | 18 | 4009990012334 | -', 'id:product.template_8 | Bulb | null | 0 |  | -'],
    ],
    [
      'akeneo.csv',
      'akeneo',
      [
        'AKN-7 | Bag | 39.5 | undefined | 4009990012334 | -',
        'AKN-8-M | Coat | 129 | undefined |  | akn_coat',
        'AKN-8-L | Coat | 119 | undefined |  | akn_coat',
      ],
    ],
    [
      'ebay-listings.csv',
      'ebay-listings',
      [
        'CAM-1 | Film camera, "half frame" | 79 | 3 | 4009990012334 | -',
        'id:296200000022 | Lens cap 52 mm | 3.5 | 40 |  | -',
      ],
    ],
    [
      'ebay-file-exchange.csv',
      'ebay-file-exchange',
      [
        'RD-1-S | Lenkergriffe - Schwarz | 14.9 | 6 | 4009990012334 | Lenkergriffe',
        'RD-1-R | Lenkergriffe - Rot | 15.9 | 0 |  | Lenkergriffe',
        'RD-2 | Sattel | 39 | 1 |  | -',
      ],
    ],
    [
      'idealo.csv',
      'idealo',
      [
        'LD-1 | Stehlampe, 150 cm | 129.9 | undefined | 4009990012334 | -',
        'LD-2 | Leuchtmittel | 1129 | undefined | 4009990013706,4009990015076 | -',
      ],
    ],
    [
      'amazon-flat-file.txt',
      'amazon-flat-file',
      [
        'SO-RED | Treadle socks red | 9.5 | 40 | 4009990012334 | SO-P',
        'SO-BLU | Treadle socks blue | 9.5 | 0 |  | SO-P',
        'LA-1 | Laces | 3 | 7 |  | -',
      ],
    ],
    [
      'woocommerce-wxr.xml',
      'woocommerce-wxr',
      ['id:7 | Wool cap | 15.5 | 1 |  | -', 'WJ-B | Wool jumper - Blue | 40 | 3 |  | 6'],
    ],
    [
      'cif.cif',
      'cif',
      ['GL-4 | Winter gloves | 12.4 | undefined |  | -', 'RP-10 | Rope, 10 m | 7.5 | undefined |  | -'],
    ],
    [
      'cxml.xml',
      'cxml',
      ['PN-12/red | Ballpoint pens, 12 | 3.25 | undefined |  | -', 'ST-1 | Stapler | 8 | undefined |  | -'],
    ],
    [
      'icecat.xml',
      'icecat',
      ['DK-24B | Lumo Desk 24 60.5 cm (23.8") Full HD | undefined | undefined | 4009990012334,4009990013706 | -'],
    ],
  ])('%s by %s', async (name, preset, expected) => {
    expect(briefly(await offersOf(name, preset))).toEqual(expected)
  })

  it('take what versions leave empty from their product', async () => {
    const [red, grey] = await offersOf('bigcommerce-v3.csv', 'bigcommerce-v3')
    expect(red).toMatchObject({ list_price: '25', texts: { en: { description: '<p>Soft.</p>' } } })
    expect(red?.images).toEqual([
      'https://cdn11.store.example/s-1/red.jpg',
      'https://cdn11.store.example/s-1/products/41/scarf.jpg',
    ])
    expect(grey?.images).toEqual(['https://cdn11.store.example/s-1/products/41/scarf.jpg'])
    const [boot] = await offersOf('jtl.csv', 'jtl')
    expect(boot).toMatchObject({
      category: 'Schuhe/Stiefel',
      manufacturer: 'Pfütz',
      mpn: 'GS38',
      weight: '1.1',
      images: ['https://media.example/st9.jpg'],
    })
    const [grip] = await offersOf('ebay-file-exchange.csv', 'ebay-file-exchange')
    expect(grip?.images).toEqual(['https://pics.example/rd1.jpg', 'https://pics.example/rd1b.jpg'])
    const [socks] = await offersOf('amazon-flat-file.txt', 'amazon-flat-file')
    expect(socks).toMatchObject({ manufacturer: 'Treadle', texts: { en: { description: 'Ribbed.' } } })
  })

  it('say in what versions differ', async () => {
    expect(optionsOf((await offersOf('bigcommerce-v3.csv', 'bigcommerce-v3'))[1])).toEqual(['Option=Grey'])
    expect(optionsOf((await offersOf('jtl.csv', 'jtl'))[0])).toEqual(['Größe=38'])
    expect(optionsOf((await offersOf('akeneo.csv', 'akeneo'))[2])).toEqual(['color=blue', 'size=l'])
    expect(optionsOf((await offersOf('ebay-file-exchange.csv', 'ebay-file-exchange'))[1])).toEqual(['Farbe=Rot'])
    expect(optionsOf((await offersOf('amazon-flat-file.txt', 'amazon-flat-file'))[0])).toEqual(['color=Red'])
  })

  it('read texts in the languages that columns name, and currencies that columns are called after', async () => {
    const [bag, coat] = await offersOf('akeneo.csv', 'akeneo')
    expect(bag?.texts).toMatchObject({
      en: { title: 'Bag', description: '<p>Felt.</p>' },
      de: { title: 'Tasche', description: '<p>Filz.</p>' },
    })
    expect([bag?.currency, bag?.weight, coat?.currency]).toEqual(['EUR', '0.35', 'USD'])
    const [pen] = await offersOf('opencart.csv', 'opencart')
    expect(pen).toMatchObject({ weight: '0.05', mpn: 'FP/M', texts: { de: { title: 'Füller' } } })
  })

  it('read attributes, delivery times and list prices of catalogs', async () => {
    const [pens] = await offersOf('cxml.xml', 'cxml')
    expect(pens).toMatchObject({ manufacturer: 'Scribe', mpn: 'BP12', texts: { en: { delivery_time: '14 days' } } })
    expect(pens?.attributes).toEqual([
      { key: 'unit', value: 'DZN' },
      { key: 'UNSPSC', value: '44121704' },
      { key: 'Colour', value: 'Red' },
      { key: 'Refill', value: 'Yes' },
    ])
    const [gloves, rope] = await offersOf('cif.cif', 'cif')
    expect([gloves?.list_price, gloves?.currency, rope?.currency]).toEqual(['15', 'USD', 'EUR'])
    const [desk] = await offersOf('icecat.xml', 'icecat')
    expect(desk?.attributes).toEqual([
      { key: 'Display diagonal', value: '60.5 cm' },
      { key: 'Panel type', value: 'IPS' },
    ])
  })

  it('ask about products that would come in beside their versions', async () => {
    const warnings: string[] = []
    await detectMapping(chunked(exported('shopware6.csv')), (warning) => warnings.push(warning))
    expect(warnings).toEqual([
      '1 of 3 rows has "0" in "active", and comes in like the others: is this article for sale? Else leave it out with "skip": [{"column": "active", "in": ["0"]}]',
      '1 row is the product of others ("parent_id"), and would come in as articles themselves: can they be bought? Else say by "skip" or by "offers" of "group" which rows are none',
    ])
  })
})
