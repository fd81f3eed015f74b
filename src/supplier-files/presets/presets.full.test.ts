import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import type { OfferRecord } from '../../model/offer.ts'
import { detectMapping } from '../proposal/detect.ts'
import { presetMapping } from './preset-mapping.ts'
import { readOfferPages } from '../read-offers.ts'

// Reads complete exports from other systems, whose licenses keep them out of this repository; they are in ../shared, if
// present.
const data = fileURLToPath(new URL('../../../../shared/data/', import.meta.url))
const file = `${data}magento-products.csv`
/** The name of an export begins with its ready mapping: `shopify-jewelry.csv`. */
const exported = existsSync(`${data}exports`) ? readdirSync(`${data}exports`) : []
const imageBaseUrl = 'https://shop.example/media/catalog/product/'

describe('whole exports of others', () => {
  it.skipIf(!existsSync(file))('magento2: every row is read (skipped where ../shared/data is missing)', async () => {
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
      country_of_origin: null,
      list_price: null,
      images: ['mh01-gray_main', 'mh01-gray_alt1', 'mh01-gray_back'].map(
        (name) => `https://shop.example/media/catalog/product/m/h/${name}.jpg`,
      ),
      attributes: [
        { key: 'weight', value: '1' },
        { key: 'size', value: 'XS' },
        { key: 'color', value: 'Gray' },
      ],
      group: {
        key: 'MH01',
        title: { en: 'Chaz Kangeroo Hoodie' },
        options: [
          { key: 'size', label: null, value: 'XS' },
          { key: 'color', label: null, value: 'Gray' },
        ],
        position: 2,
      },
      imageAlts: { en: {} },
    })
    // the groups in the file, read with csv-parse and none of our code
    const stated = new Map<string, unknown>()
    for (const row of parse<Record<string, string>>(readFileSync(file), { columns: true })) {
      for (const [i, piece] of (row['configurable_variations'] ?? '').split('|').entries()) {
        const { sku, ...options } = Object.fromEntries(piece.split(',').map((pair) => pair.split('='))) as {
          sku?: string
        }
        if (sku === undefined) continue
        const named = Object.entries(options).map(([key, value]) => ({ key, label: null, value }))
        stated.set(sku, { key: row['sku'], title: { en: row['name']?.trim() }, options: named, position: i + 1 })
      }
    }
    expect(stated.size).toBe(1_847)
    for (const { sku, group } of offers.values()) expect(group, sku).toEqual(stated.get(sku) ?? null)
    expect(offers.get('MH01')?.attributes).toContainEqual({
      key: 'climate',
      value: 'All-weather|Cool|Indoor|Spring|Windy',
    })
  })

  it.skipIf(exported.length === 0).each(exported.length === 0 ? ['no exports in ../shared/data/exports'] : exported)(
    '%s is recognized, and no row of it is refused',
    async (name) => {
      const path = `${data}exports/${name}`
      const { preset } = await detectMapping(createReadStream(path))
      expect(name.startsWith(`${preset}-`), `recognized as ${preset}`).toBe(true)
      let offers = 0
      for await (const page of readOfferPages(createReadStream(path), presetMapping(preset ?? '', { imageBaseUrl }))) {
        expect(page.filter((row) => 'faults' in row)).toEqual([])
        offers += page.filter((row) => 'offer' in row).length
      }
      expect(offers).toBeGreaterThan(0)
    },
  )
})
