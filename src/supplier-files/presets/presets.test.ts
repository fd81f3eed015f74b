import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { OfferRecord } from '../../model/offer.ts'
import { summariesOf, readAll } from '../fixtures.ts'
import { readMappingDocument } from '../mapping-document.ts'
import { presetMapping } from './preset-mapping.ts'

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
    expect(rows).toMatchObject([
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
      { line: 3, skipped: true, condition: { column: 'store_view_code', notIn: [''] } },
    ])
  })
})

const exported = (name: string) => readFileSync(new URL(`../exports/${name}`, import.meta.url))
async function offersOf(name: string, preset: string, overrides: object = {}): Promise<OfferRecord[]> {
  const rows = await readAll(exported(name), presetMapping(preset, overrides))
  expect(summariesOf(rows).filter((row) => row.includes('!'))).toEqual([])
  return rows.flatMap((row) => ('offer' in row ? [row.offer] : []))
}
const briefly = (offers: readonly OfferRecord[]) =>
  offers.map(({ sku, cost, quantity, category }) => `${sku} ${cost} ${quantity} ${category}`)

describe('ready mappings on files in the form of the systems (exports/README.md)', () => {
  it('magento2: every simple and configurable product is an offer, a store view is none', async () => {
    const offers = await offersOf('magento2.csv', 'magento2', { imageBaseUrl })
    expect(briefly(offers)).toEqual([
      'SPADE-S 24.9 100 Tools/Spades',
      'SPADE-L 1034.5 0 null',
      'SPADE 24.9 0 Tools/Spades',
    ])
    expect(offers[0]).toMatchObject({
      texts: { en: { title: 'Spade-S', description: '<p>A spade.</p>\n<p>&bull; Small.</p>' } },
      images: ['spade-s', 'spade-s_alt1', 'spade-s_back'].map(
        (image) => `https://shop.example/media/catalog/product/s/p/${image}.jpg`,
      ),
      attributes: [
        { key: 'weight', value: '1.2' },
        { key: 'size', value: 'S' },
        { key: 'material', value: 'Steel, forged' },
        { key: 'note', value: 'long, thin' },
      ],
    })
    expect(offers[1]?.images).toEqual([])
    expect(offers[2]?.attributes).toContainEqual({ key: 'climate', value: 'All-weather|Cool' })
  })

  it('shopify: each variant is an offer, with the texts and all pictures of its product, its own first', async () => {
    const offers = await offersOf('shopify.csv', 'shopify')
    const category = 'Home & Garden/Lawn & Garden/Gardening'
    expect(briefly(offers)).toEqual([`0012 12.5 7 ${category}`, `trowel/Oak 13 0 ${category}`, 'gift-card 25 1 Cards'])
    const photo = (name: string) => `https://cdn.example.com/s/files/1/${name}`
    expect(offers[1]).toMatchObject({
      texts: { en: { title: 'Hand trowel - Oak', description: '<p>Forged steel, ash handle.\nLength 30 cm.</p>' } },
      manufacturer: 'Grove',
      images: ['trowel-oak.jpg?v=4', 'trowel.jpg?v=1', 'trowel-side.jpg?v=3', 'trowel-box.jpg?v=5'].map(photo),
      imageAlts: {
        en: { [photo('trowel-side.jpg?v=3')]: 'From the side', [photo('trowel-box.jpg?v=5')]: 'In its box, closed' },
      },
      attributes: [{ key: 'Handle', value: 'Oak' }],
    })
    expect(offers[0]).toMatchObject({
      eans: ['4006381333931'],
      attributes: [
        { key: 'Handle', value: 'Ash' },
        { key: 'weight_g', value: '320.0' },
      ],
    })
    expect(offers[2]?.texts?.['en']?.title).toBe('Gift card')
    expect(offers[2]?.attributes).toEqual([])
  })

  it('woocommerce: variations take category and texts from their product, which is no offer', async () => {
    const offers = await offersOf('woocommerce.csv', 'woocommerce')
    expect(briefly(offers)).toEqual([
      'HAT 18 4 Clothing/Hats',
      'id:13 3 1 Plans',
      'GLOVE-M 7.5 12 Clothing/Gloves',
      'GLOVE-L 9 0 Clothing/Gloves',
    ])
    const picture = (name: string) => `https://shop.example/wp-content/uploads/2024/05/${name}.jpg`
    expect(offers[2]).toMatchObject({
      texts: { en: { title: 'Gloves - M, No', description: '<strong>Leather</strong> gloves.\\nLined.' } },
      images: [picture('gloves-m')],
      attributes: [
        { key: 'Size', value: 'M' },
        { key: 'Lining', value: 'No' },
      ],
    })
    expect(offers[3]?.images).toEqual([picture('gloves'), picture('gloves-back')])
    expect(offers[0]?.texts?.['en']?.description).toBe('Wide brim.')
  })

  it('woocommerce-de: German columns and prices', async () => {
    const offers = await offersOf('woocommerce-de.csv', 'woocommerce-de')
    expect(briefly(offers)).toEqual([
      'HANDSCHUH-M 1064.99 5 Kleidung/Handschuhe',
      'HANDSCHUH-L 9.5 1 Kleidung/Handschuhe',
    ])
    expect(offers[0]).toMatchObject({
      eans: ['4006381333931'],
      texts: { de: { title: 'Handschuhe - M', description: '<p>Handschuhe für Gärtner.</p>' } },
      attributes: [{ key: 'Größe', value: 'M' }],
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
    expect(summariesOf(read)).toEqual(['3-', '2:id:8'])
    expect(read[1]).toMatchObject({ offer: { category: 'A/B', quantity: 0, cost: '5' } })
  })

  it('prestashop-combinations: each is a variant of the product with its ID, the default one first', async () => {
    const offers = await offersOf('prestashop-combinations.csv', 'prestashop-combinations')
    // the expected values, from a simple split at the separators
    const [header = '', ...lines] = exported('prestashop-combinations.csv').toString().trim().split('\n')
    const columns = header.split(';')
    const rows = lines.map((line): Record<string, string> =>
      Object.fromEntries(line.split(';').map((cell, i) => [columns[i] ?? '', cell])),
    )
    expect(offers).toHaveLength(rows.length)
    for (const [i, row] of rows.entries()) {
      const names = row['Attribute (Name:Type:Position)*']!.split(',').map((name) => name.trim().split(':')[0])
      const values = row['Value (Value:Position)*']!.split(',').map((value) => value.trim().replace(/:\d+$/, ''))
      expect(offers[i]).toMatchObject({
        sku: row['Reference'] === '' ? `${row['Product ID*']}/${row['Value (Value:Position)*']}` : row['Reference'],
        quantity: Number(row['Quantity']),
        group: {
          key: row['Product ID*'],
          title: {},
          position: row['Default (0 = No, 1 = Yes)'] === '1' ? 0 : 1,
          options: names.map((key, at) => ({ key, label: null, value: values[at] })),
        },
      })
    }
    expect(offers.map(({ cost }) => cost)).toEqual(['12.5', '14.25', '15', '9'])
    expect(offers[0]).toMatchObject({ eans: ['4006381333931'], images: ['https://shop.example/img/p/7/can-green.jpg'] })
    expect(offers[2]?.group?.options.at(-1)).toEqual({ key: 'Color', label: null, value: '16:9 print' })
  })

  it('prestashop-combinations: without stars, by the reference, and what does not fit together', async () => {
    const header =
      'Product Reference;Attribute (Name:Type:Position);Value (Value:Position);Reference;Cost price;Quantity'
    const rows = await readAll(
      `${header}\nCAN;Size:select:0;L:0;CAN-L;5;1\nCAN;Size:select:0;L:0,Red:1;CAN-X;5;1\n`,
      presetMapping('prestashop-combinations', {}),
    )
    expect(rows[0]).toMatchObject({
      offer: { sku: 'CAN-L', cost: '5', group: { key: 'CAN', options: [{ key: 'Size', value: 'L' }] } },
    })
    // the offer keeps its known group
    expect(rows[1]).toMatchObject({
      offer: { sku: 'CAN-X' },
      dropped: expect.arrayContaining([
        {
          name: 'group_options.Value (Value:Position)',
          reason: '"L:0,Red:1" has 2 values, but "Size:select:0" 1 names',
        },
      ]) as unknown,
    })
    expect((rows[1] as { offer: OfferRecord }).offer).not.toHaveProperty('group')
  })

  it('vendure: each row is an offer; what a further variant leaves empty is its product’s', async () => {
    const offers = await offersOf('vendure.csv', 'vendure', { imageBaseUrl: 'https://shop.example/assets' })
    expect(briefly(offers)).toEqual([
      'BE-120-O 149 6 Garden',
      'BE-150-O 179.5 2 Garden',
      'BE-150-R 169 0 Garden',
      'DIB-1 12.9 40 Garden',
    ])
    // the expected values, from a simple split: only descriptions have commas within a cell
    let product: string[] = []
    const lines = exported('vendure.csv').toString().trim().split('\n').slice(1)
    for (const [i, line] of lines.entries()) {
      const cells = line.replace(/"[^"]*"/, 'text').split(',')
      if (cells[0] !== '') product = cells
      const names = product[5] === '' ? [] : product[5]!.split('|')
      const values = cells[6]!.split('|')
      expect(offers[i]?.group).toEqual(
        names.length === 0
          ? null
          : {
              key: product[1],
              title: { en: product[0] },
              position: null,
              options: names.map((key, at) => ({ key, label: null, value: values[at] })),
            },
      )
    }
    expect(offers[1]).toMatchObject({
      manufacturer: 'Grove',
      texts: { en: { title: 'Garden bench - 150 cm / oiled', description: 'Solid oak, oiled.' } },
      images: ['https://shop.example/assets/bench.jpg', 'https://shop.example/assets/bench-side.jpg'],
      attributes: [
        { key: 'length', value: '150 cm' },
        { key: 'finish', value: 'oiled' },
        { key: 'weight', value: 'heavy' },
        { key: 'wood', value: 'Oak' },
      ],
    })
    expect(offers[0]?.images?.[0]).toBe('https://shop.example/assets/bench-oiled.jpg')
  })

  it('prestashop', async () => {
    const offers = await offersOf('prestashop.csv', 'prestashop')
    expect(briefly(offers)).toEqual(['CAN-10 21.666667 40 Watering', 'id:8 30 0 Watering'])
    expect(offers[0]).toMatchObject({
      eans: ['4006381333931'],
      manufacturer: 'Haws',
      texts: { en: { title: 'Watering can', description: '<p>Ten litres; zinc.</p>' } },
      images: ['https://shop.example/img/p/7/can.jpg', 'https://shop.example/img/p/8/can-side.jpg'],
      imageAlts: {
        en: {
          'https://shop.example/img/p/7/can.jpg': 'Can',
          'https://shop.example/img/p/8/can-side.jpg': 'Can from the side',
        },
      },
      attributes: [
        { key: 'Volume', value: '10 l' },
        { key: 'Material', value: 'Zinc' },
        { key: 'weight', value: '0.950000' },
      ],
    })
    expect(offers[1]?.texts?.['en']).toMatchObject({ title: 'Hose; 20 m', description: '<p>Twenty metres.</p>' })
  })

  it('google', async () => {
    const offers = await offersOf('google.xml', 'google')
    expect(briefly(offers)).toEqual(['CLOCK-BLACK 99 1 home/clocks', 'CLOCK-WHITE 105.29 0 Home & Garden/Decor/Clocks'])
    expect(offers[0]).toMatchObject({
      currency: 'USD',
      eans: ['4006381333931'],
      manufacturer: 'Quiet',
      texts: { en: { title: 'Kitchen clock, black', description: 'A quiet clock <b>without</b> a tick.' } },
      images: ['clock-black.png', 'clock%20black%202.png', 'clock-black-3.png'].map(
        (name) => `https://cdn.shop.example/${name}`,
      ),
    })
    expect(offers[0]?.attributes).toContainEqual({ key: 'Drive', value: 'Quartz' })
    expect(offers.map(({ mpn, condition }) => [mpn, condition])).toEqual([
      ['Q-1', 'new'],
      [undefined, 'new'],
    ])
    expect(offers[1]?.attributes).toContainEqual({ key: 'color', value: 'White/Yellow' })
  })

  it.each([
    [
      'shopify',
      ',',
      {
        Handle: 'spade',
        Title: 'Spade',
        'Variant Price': '9',
        'Variant Grams': '350.0',
        'SEO Title': 'Spade, forged',
        'SEO Description': 'Digs.',
        'Google Shopping / MPN': 'SP-1',
        'Google Shopping / Condition': 'used',
      },
      {
        mpn: 'SP-1',
        condition: 'used',
        weight: '0.35',
        texts: { en: { seo_title: 'Spade, forged', seo_description: 'Digs.' } },
      },
    ],
    [
      'prestashop',
      ';',
      {
        'Product ID': '1',
        'Name *': 'Spade',
        MPN: 'SP-1',
        Weight: '0.950000',
        Width: '20.000000',
        Height: '0.000000',
        Depth: '110.5',
        'Delivery time of in-stock products': '2-4 days',
        'Meta title': 'Spade, forged',
        'Meta description': 'Digs.',
      },
      {
        mpn: 'SP-1',
        weight: '0.95',
        length: '110.5',
        width: '20',
        height: null,
        texts: { en: { delivery_time: '2-4 days', seo_title: 'Spade, forged', seo_description: 'Digs.' } },
      },
    ],
    [
      'woocommerce',
      ',',
      {
        ID: '1',
        Type: 'simple',
        Published: '1',
        Name: 'Spade',
        'In stock?': '1',
        'Regular price': '9',
        'Length (in)': '40',
        'Width (in)': '8.5',
      },
      { length: '101.6', width: '21.59', height: null },
    ],
    [
      'magento2',
      ',',
      { sku: 'A', name: 'Spade', meta_title: 'Spade, forged', meta_description: 'Digs.', country_of_manufacture: 'de' },
      { country_of_origin: 'DE', texts: { en: { seo_title: 'Spade, forged', seo_description: 'Digs.' } } },
    ],
    [
      'magento2',
      ',',
      // versions that write the country's name state no code; nothing is refused
      { sku: 'A', name: 'Spade', country_of_manufacture: 'Germany' },
      { country_of_origin: null },
    ],
  ])('%s: facts of an article', async (preset, delimiter, cells, facts) => {
    const [header = ''] = exported(`${preset}.csv`).toString().split(/\r?\n/)
    const columns = header.split(delimiter).map((name) => name.replaceAll('"', ''))
    for (const name of Object.keys(cells)) if (!columns.includes(name)) columns.push(name)
    const row = columns.map((name) => `"${(cells as Record<string, string>)[name] ?? ''}"`).join(delimiter)
    const text = `${columns.map((name) => `"${name}"`).join(delimiter)}\n${row}\n`
    const rows = await readAll(text, presetMapping(preset, preset === 'magento2' ? { imageBaseUrl } : {}))
    expect(summariesOf(rows).filter((line) => line.includes('!'))).toEqual([])
    expect(rows[0]).toMatchObject({ offer: facts })
  })

  it.each([
    ['bmecat-1.2.xml', 'Werkzeug/Spaten', {}],
    ['bmecat-2005.xml', 'Garten/Spaten und Schaufeln', { country_of_origin: 'DE', hs_code: '82011000' }],
  ])('bmecat: %s', async (name, category, origin) => {
    expect(await offersOf(name, 'bmecat')).toEqual([
      {
        sku: 'SP-1000',
        cost: '24.995',
        costTiers: [{ quantity: 100, cost: '19.99' }],
        currency: 'EUR',
        list_price: null,
        net_content: null,
        quantity: 17,
        eans: ['4006381333931'],
        manufacturer: 'Spatenwerk',
        mpn: 'PROFI-1',
        ...origin,
        category,
        texts: { de: { title: 'Spaten "Profi"', description: 'Geschmiedet, mit Stiel aus Esche.' } },
        images: ['https://lieferant.example/bilder/spaten%201.jpg'],
        imageAlts: { de: { 'https://lieferant.example/bilder/spaten%201.jpg': 'Spaten mit Stiel aus Esche' } },
        attributes: [{ key: 'Länge', value: '110 CMT, 120 CMT' }],
      },
    ])
  })

  it('bmecat: an update deletes articles by their mode and leaves what it does not name', async () => {
    const offers = await offersOf('bmecat-1.2-update.xml', 'bmecat')
    expect(offers.map(({ sku }) => sku)).toEqual(['SP-1000', 'SP-2000'])
    expect(offers[1]).toEqual({ sku: 'SP-2000', quantity: 0 })
  })
})

describe('a mapping file that begins with a ready mapping', () => {
  it('changes what it names and keeps the rest', async () => {
    const mapping = readMappingDocument({
      $schema: './mapping.schema.json',
      preset: 'shopify',
      fields: { sku: { join: ['Handle', 'Option1 Value'], with: '/' }, manufacturer: null },
    })
    const rows = await readAll(exported('shopify.csv'), mapping)
    const [offer] = rows.flatMap((row) => ('offer' in row ? [row.offer] : []))
    expect(offer).toMatchObject({ sku: 'trowel/Ash', cost: '12.5' })
    expect(offer).not.toHaveProperty('manufacturer')
    expect(() => readMappingDocument({ preset: 'shopfy' })).toThrow(/no preset "shopfy"/)
    expect(() => readMappingDocument({ preset: 7 })).toThrow(/no preset "7"/)
    expect(() => readMappingDocument({ preset: 'shopify', fields: { skew: 'x' } })).toThrow(/fields\.skew/)
  })
})
