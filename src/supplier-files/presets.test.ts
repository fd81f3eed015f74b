import { createReadStream, existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { OfferRecord } from '../model/offer.ts'
import { readAll } from './fixtures.ts'
import { presetMapping } from './preset-mapping.ts'
import { readOfferPages } from './read-offers.ts'

const file = fileURLToPath(new URL('../../../shared/data/magento-products.csv', import.meta.url))
const imageBaseUrl = 'https://shop.example/media/catalog/product/'

describe('the preset magento2', () => {
  it('requires imageBaseUrl, and is the only preset', () => {
    expect(() => presetMapping('magento2', {})).toThrow(/imageBaseUrl is required by the preset magento2/)
    expect(() => presetMapping('toString', {})).toThrow(/no preset "toString": the presets are magento2/)
  })

  it('clears fields that are empty in the export and skips rows of store views', async () => {
    const columns =
      'sku,store_view_code,name,description,weight,price,qty,categories,base_image,additional_images,additional_attributes'
    const rows = await readAll(
      `${columns}\nA,,n,,,,,Default Category,no_selection,,\nA,de,,,,,,,,,\n`,
      presetMapping('magento2', { imageBaseUrl }),
    )
    expect(rows).toEqual([
      {
        line: 2,
        offer: {
          sku: 'A',
          cost: null,
          quantity: 0,
          texts: { en: { title: 'n', description: null } },
          category: null,
          images: [],
          attributes: [],
        },
      },
      { line: 3, skipped: true },
    ])
  })

  it.skipIf(!existsSync(file))(
    'reads every row of a real export (skipped where ../shared/data is missing)',
    async () => {
      const offers = new Map<string, OfferRecord>()
      const faults: unknown[] = []
      const lines: number[] = []
      for await (const page of readOfferPages(createReadStream(file), presetMapping('magento2', { imageBaseUrl }))) {
        for (const row of page) {
          lines.push(row.line)
          if ('offer' in row) offers.set(row.offer.sku, row.offer)
          else faults.push(row)
        }
      }
      expect(faults).toEqual([])
      expect(offers.size).toBe(1_994)
      expect(lines.slice(0, 3)).toEqual([2, 4, 6])
      const offer = offers.get('MH01-XS-Gray')
      expect(offer?.texts?.['en']?.description).toMatch(/^<p>Ideal for cold-weather.*<\/p>\n<p>&bull; .*dry\.<\/p>$/s)
      expect({ ...offer, texts: { en: { title: offer?.texts?.['en']?.title } } }).toEqual({
        sku: 'MH01-XS-Gray',
        cost: '52',
        quantity: 100,
        texts: { en: { title: 'Chaz Kangeroo Hoodie-XS-Gray' } },
        category: 'Men/Tops/Hoodies & Sweatshirts',
        images: ['mh01-gray_main', 'mh01-gray_alt1', 'mh01-gray_back'].map(
          (name) => `https://shop.example/media/catalog/product/m/h/${name}.jpg`,
        ),
        attributes: [
          { key: 'weight', value: '1' },
          { key: 'size', value: 'XS' },
          { key: 'color', value: 'Gray' },
        ],
      })
      expect(offers.get('MH01')?.attributes).toContainEqual({
        key: 'climate',
        value: 'All-weather|Cool|Indoor|Spring|Windy',
      })
    },
  )
})
