import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { OfferRecord } from '../../model/offer.ts'
import { detectMapping } from '../proposal/detect.ts'
import { summariesOf, chunked, readAll } from '../fixtures.ts'
import { presetMapping } from './preset-mapping.ts'

const exported = (name: string) => readFileSync(new URL(`../exports/${name}`, import.meta.url))

async function offersOf(name: string, preset: string): Promise<OfferRecord[]> {
  const rows = await readAll(exported(name), presetMapping(preset, {}))
  expect(summariesOf(rows).filter((row) => row.includes('!'))).toEqual([])
  return rows.flatMap((row) => ('offer' in row ? [row.offer] : []))
}
const briefly = (offers: readonly OfferRecord[]) =>
  offers.map(
    ({ sku, cost, quantity, category, group }) => `${sku} ${cost} ${quantity} ${category} ${group?.key ?? '-'}`,
  )

describe('ready mappings of shop systems, on files in their form (exports/README.md)', () => {
  it('wix: a variant costs what its product costs and its surcharge, less the discount; a product without variants is an offer', async () => {
    const offers = await offersOf('wix.csv', 'wix')
    expect(briefly(offers)).toEqual([
      'TIN-1 18 7 Storage -',
      'TW-50-G 3.5 1 Storage product_2e7a11',
      'product_2e7a11/100 m/Natural 6 0 Storage product_2e7a11',
      'product_3b90ff 1039.9 0 null -',
    ])
    expect(offers[0]).toMatchObject({
      texts: { en: { title: 'Seed tin', description: '<p>Keeps seeds dry.\nTwelve dividers.</p>' } },
      manufacturer: 'Grove',
      images: [
        'https://static.wixstatic.com/media/a1b2c3_0001~mv2.jpg',
        'https://static.wixstatic.com/media/a1b2c3_0002~mv2.png',
      ],
    })
    expect(offers[1]).toMatchObject({
      texts: { en: { title: 'Twine - 50 m / Green' } },
      images: ['https://static.wixstatic.com/media/a1b2c3_0003~mv2.jpg'],
      group: {
        title: { en: 'Twine' },
        options: [
          { key: 'Length', value: '50 m' },
          { key: 'Colour', value: 'Green' },
        ],
      },
    })
    expect(offers[3]?.texts?.['en']?.title).toBe('Apron')
  })

  it('squarespace: a row without an ID is a variant of the product above it, and what is hidden is left out with its variants', async () => {
    const offers = await offersOf('squarespace.csv', 'squarespace')
    expect(briefly(offers)).toEqual([
      'SQ100 180 3 garden/benches 65a1',
      'SQ101 1190 1000 garden/benches 65a1',
      'id:b2-01 6.5 0 workshop -',
    ])
    expect(offers[1]).toMatchObject({
      texts: { en: { title: 'Ash bench "Lea" - 160 cm / Wax', description: '<p>Oiled.</p>' } },
      images: ['https://images.site.example/v1/bench.jpg', 'https://images.site.example/v1/bench+side.jpg'],
      group: {
        title: { en: 'Ash bench "Lea"' },
        options: [
          { key: 'Length', value: '160 cm' },
          { key: 'Finish', value: 'Wax' },
        ],
      },
    })
  })

  it('medusa: each row is a variant, with the currency of the first price that it has', async () => {
    const offers = await offersOf('medusa.csv', 'medusa')
    expect(briefly(offers)).toEqual([
      'BAG-S-O 79 undefined undefined field-bag',
      'field-bag/L/Sand 1090.5 undefined undefined field-bag',
      'TAG 2.25 undefined undefined -',
    ])
    expect(offers.map(({ currency }) => currency)).toEqual(['EUR', 'USD', 'EUR'])
    expect(offers[0]).toMatchObject({
      texts: { en: { title: 'Field bag - S / Olive' } },
      eans: ['4006381333931'],
      hs_code: '420222',
      country_of_origin: 'PT',
      images: ['https://shop.example/static/bag.jpg', 'https://shop.example/static/bag-open.jpg'],
      group: {
        title: { en: 'Field bag' },
        options: [
          { key: 'Size', value: 'S' },
          { key: 'Colour', value: 'Olive' },
        ],
      },
    })
    expect(offers[2]).toMatchObject({ texts: { en: { title: 'Gift tag' } }, attributes: [] })
  })
})

describe('ready mappings of marketplaces and price comparisons', () => {
  it('ceneo: prices in złoty; the availability counts where no stock is stated', async () => {
    const offers = await offersOf('ceneo.xml', 'ceneo')
    expect(briefly(offers)).toEqual([
      '701 1249.9 6 Dom i ogród/Narzędzia/Kosiarki -',
      '702 19 1 Dom i ogród -',
      '703 75 0 Dom i ogród -',
    ])
    expect(offers[0]).toMatchObject({
      currency: 'PLN',
      manufacturer: 'Olza',
      mpn: 'OL-701',
      eans: ['5901234123457'],
      images: ['701', '701-2', '701-3'].map((name) => `https://sklep.example/i/${name}.jpg`),
      attributes: [{ key: 'Szerokość koszenia', value: '38 cm' }],
      texts: { pl: { title: 'Kosiarka ręczna Olza', description: '<p>Cicha &amp; lekka.</p>' } },
    })
    expect(offers[1]?.attributes).toEqual([{ key: 'Kolor', value: 'Zielony' }])
    const deeper = exported('ceneo.xml')
      .toString()
      .replace(/(<offers[^>]*>)/, '$1<group name="other">')
      .replace('</offers>', '</group></offers>')
    const { preset, mapping } = await detectMapping(chunked(deeper))
    expect([preset, mapping.items]).toEqual(['ceneo', 'offers.group.o'])
  })

  it('heureka: what is sent at once counts as a piece where no stock is stated', async () => {
    const offers = await offersOf('heureka.xml', 'heureka')
    expect(briefly(offers)).toEqual([
      'R-38 1290.5 1 Dům a zahrada/Nářadí/Rukavice R',
      'R-40 1310 0 Dům a zahrada/Nářadí/Rukavice R',
      'H-1 89 27 Dům a zahrada -',
    ])
    expect(offers[0]).toMatchObject({
      texts: { cs: { title: 'Rukavice Sever M' } },
      manufacturer: 'Sever',
      eans: ['8594000000018'],
      mpn: 'SV-R',
      images: ['r', 'r2', 'r3'].map((name) => `https://obchod.example/i/${name}.jpg`),
      group: { options: [{ key: 'Velikost', value: 'M' }] },
      attributes: [
        { key: 'Velikost', value: 'M' },
        { key: 'Podšívka', value: 'ne' },
      ],
    })
  })

  it('amazon-listings: quotes are part of a title, an ASIN is no EAN, and what Amazon sends has no stock of ours', async () => {
    const offers = await offersOf('amazon-listings.txt', 'amazon-listings')
    expect(briefly(offers)).toEqual([
      'FOX-12 34 974 undefined -',
      'TAPE-1 8.9 undefined undefined -',
      'HOE-U 1120.5 0 undefined -',
    ])
    expect(offers[0]).toMatchObject({
      texts: { en: { title: 'Pruning saw 12" "Fox"' } },
      eans: ['4006381333931'],
      condition: 'new',
      attributes: [{ key: 'ASIN', value: 'B0EXAMPLE1' }],
    })
    expect(offers[1]?.eans).toEqual([])
    expect(offers[2]?.condition).toBe('used')
  })
})
