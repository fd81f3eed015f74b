import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { OfferRecord } from '../model/offer.ts'
import { brief, readAll } from './fixtures.ts'
import { presetMapping } from './preset-mapping.ts'
import { readOfferPages } from './read-offers.ts'

const file = fileURLToPath(new URL('../../../shared/data/magento-products.csv', import.meta.url))
const imageBaseUrl = 'https://shop.example/media/catalog/product/'

describe('the preset magento2', () => {
  it('requires imageBaseUrl; an unknown preset is refused', () => {
    expect(() => presetMapping('magento2', {})).toThrow(/imageBaseUrl is required by the preset magento2/)
    expect(() => presetMapping('toString', {})).toThrow(/no preset "toString": the presets are magento2, woocommerce/)
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

const exported = (name: string) => readFileSync(new URL(`exports/${name}`, import.meta.url))
async function offersOf(name: string, preset: string): Promise<OfferRecord[]> {
  const rows = await readAll(exported(name), presetMapping(preset, {}))
  expect(brief(rows).filter((row) => row.includes('!'))).toEqual([])
  return rows.flatMap((row) => ('offer' in row ? [row.offer] : []))
}

describe('ready mappings on what others exported (exports/ORIGINS.md)', () => {
  it('shopify: each variant is an offer, with the texts and all pictures of its product, its own first', async () => {
    const offers = await offersOf('shopify.csv', 'shopify')
    expect(offers.map(({ sku, cost, quantity }) => `${sku} ${cost} ${quantity}`)).toEqual([
      'chain-bracelet/Blue 42.99 1',
      'chain-bracelet/Black 42.99 0',
      'leather-anchor/Gold 69.99 1',
      'leather-anchor/Silver 55 0',
      'bangle-bracelet 39.99 1',
    ])
    const photo = (name: string) => `https://burst.shopifycdn.com/photos/${name}_925x.jpg`
    expect(offers[3]).toMatchObject({
      texts: {
        en: {
          title: 'Anchor Bracelet Mens - Silver',
          description: 'Black leather bracelet with gold or silver anchor for men.',
        },
      },
      category: 'Bracelet',
      manufacturer: 'Company 123',
      images: ['anchor-bracelet-for-men', 'anchor-bracelet-mens', 'leather-anchor-bracelet-for-men'].map(photo),
      attributes: [{ key: 'Color', value: 'Silver' }],
    })
    expect(offers[4]?.texts?.['en']?.title).toBe('Bangle Bracelet')
    expect(offers[4]?.attributes).toEqual([])
  })

  it('woocommerce: variations take category from their product, which is no offer', async () => {
    const offers = await offersOf('woocommerce.csv', 'woocommerce')
    expect(offers.map(({ sku, cost, quantity, category }) => `${sku} ${cost} ${quantity} ${category}`)).toEqual([
      'woo-beanie 18 1 Clothing/Accessories',
      'woo-single 2 1 Music',
      'woo-hoodie-red 42 1 Clothing/Hoodies',
      'woo-hoodie-green 45 1 Clothing/Hoodies',
    ])
    expect(offers[2]).toMatchObject({
      texts: { en: { title: 'Hoodie - Red, No' } },
      images: ['https://woocommercecore.mystagingwebsite.com/wp-content/uploads/2017/12/hoodie-2.jpg'],
      attributes: [
        { key: 'Color', value: 'Red' },
        { key: 'Logo', value: 'No' },
      ],
    })
  })

  it('woocommerce: a product without an SKU is named by its ID, in both directions', async () => {
    const [header = ''] = exported('woocommerce.csv').toString().split('\n')
    const columns = header.split(',').map((name) => name.replaceAll('"', ''))
    const row = (cells: Record<string, string>) =>
      columns.map((name) => `"${cells[name] ?? (name === 'Published' ? '1' : '')}"`).join(',')
    const child = { ID: '8', Type: 'variation', Parent: 'id:7', Name: 'C', 'Regular price': '5', 'In stock?': '0' }
    const parent = { ID: '7', Type: 'variable', Name: 'P', Categories: 'A > B, C' }
    const read = await readAll(`${header}\n${row(child)}\n${row(parent)}\n`, presetMapping('woocommerce', {}))
    expect(brief(read)).toEqual(['3-', '2:id:8'])
    expect(read[1]).toMatchObject({ offer: { category: 'A/B', quantity: 0, cost: '5' } })
  })

  it('prestashop', async () => {
    expect(await offersOf('prestashop.csv', 'prestashop')).toMatchObject([
      {
        sku: 'RP-demo_1',
        cost: '100',
        quantity: 160,
        eans: ['1234567890123'],
        texts: { en: { title: 'iPod Nano', description: '<p>New design.</p>' } },
        category: 'iPods',
        images: ['http://localhost/prestashop/img/p/1/5/15.jpg', 'http://localhost/prestashop/img/p/2/3/23.jpg'],
        attributes: [{ key: 'weight', value: '0.068357' }],
      },
      { sku: 'RP-demo_3', cost: '1500', quantity: 400, manufacturer: 'Apple' },
    ])
  })

  it('google', async () => {
    const [offer, second] = await offersOf('google.xml', 'google')
    expect(offer).toMatchObject({
      sku: 'celebird-eg-variants-apparel-upi-001',
      cost: '105.29',
      currency: 'USD',
      quantity: 1,
      eans: ['698615070527'],
      manufacturer: 'Diesel',
      category: 'accessories/watches',
      images: ['http://www.example.com/image/watch-black.png'],
    })
    expect(offer?.attributes).toContainEqual({ key: 'size', value: '44mm' })
    expect(second?.attributes).toContainEqual({ key: 'color', value: 'White/Yellow' })
  })

  it.each(['bmecat-1.2.xml', 'bmecat-2005.xml'])('bmecat: %s', async (name) => {
    expect(await offersOf(name, 'bmecat')).toEqual([
      {
        sku: '1000',
        cost: '1499.5',
        currency: 'EUR',
        eans: ['8712670911213'],
        manufacturer: 'Microsoft',
        texts: { de: { title: 'Apple MacBook Pro 13"', description: 'Das Kraftpaket unter den Notebooks.' } },
        images: ['https://example.com/images/55-K-31.jpg'],
        attributes: [{ key: 'Netzspannung', value: '110 VLT, 220 VLT' }],
      },
    ])
  })

  it('bmecat: an update deletes articles by their mode and leaves what it does not name', async () => {
    const offers = await offersOf('bmecat-1.2-update.xml', 'bmecat')
    expect(offers.map(({ sku }) => sku)).toEqual(['1000', '2000'])
    expect(offers[1]).toEqual({ sku: '2000', quantity: 0 })
  })
})
