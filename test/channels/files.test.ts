import { parse } from 'csv-parse/sync'
import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { ChannelScope } from '../../src/channels/channel-product.ts'
import { csvHead } from '../../src/channels/csv.ts'
import { googleHead, GOOGLE_TAIL } from '../../src/channels/google.ts'
import { fillLink, linkTemplateFault } from '../../src/channels/link.ts'
import { cleanText, plainText } from '../../src/channels/plain-text.ts'
import { channelEntry } from '../../src/channels/channel-file.ts'
import { hasParser, itemsOf, readXml } from './read-xml.ts'

const SEED = { seed: Number(process.env['SEED'] ?? 5_411), numRuns: 300 }
const NASTY = [
  '<script>alert(1)</script>',
  ']]>',
  '&amp;',
  '&',
  '<',
  '>',
  '"',
  "'",
  '\0\u0001\u0008\u000b\u001f',
  '\r\n\t',
  '\ud800',
  '\udc00x',
  '\ufffe\uffff',
  '\u2028',
  '🪣',
  'zażółć 日本語',
  '<![CDATA[',
  '<?php',
  '<!DOCTYPE x [<!ENTITY y "z">]>',
  '&y;',
  '&#0;',
  '&#xD800;',
  '--',
  'a,b;"c"',
  '=1+1',
  '-10',
  '\u0085\u009f',
]

interface Given {
  sku?: string | null
  ean?: string | null
  title?: string | null
  description?: string | null
  manufacturer?: string | null
  mpn?: string
  condition?: string
  weight?: string
  categories?: { path: string }[]
  dimensions?: { length?: string; width?: string; height?: string }
  group?: { id: number }
  images?: string[]
  excluded?: boolean
  prices?: string
  stock?: number
}
const price = (group: number, amount: string, currency = 'EUR', listPrice?: string) =>
  `{"customer_group_id":${group},"customer_group":"G","base_cost":1,"computed_price":${amount},"currency":"${currency}","applied_rule_id":1${listPrice === undefined ? '' : `,"compare_at_price":${listPrice}`}}`

/** The JSON of a served product; prices are given as text, because their digits matter. */
function served({ prices = price(1, '19.9'), stock = 3, ...over }: Given = {}): string {
  const content = {
    id: 7,
    sku: 'A-1',
    ean: '4006381333931',
    title: 'Spade',
    description: '<p>Digs</p>',
    manufacturer: 'Acme',
    images: ['https://i.example/a.jpg', 'https://i.example/b.jpg'],
    store: 'main',
    excluded: false,
    exclusion_reason: null,
    attributes: [],
    ...over,
  }
  return `${JSON.stringify(content).slice(0, -1)},"prices":[${prices}],"stock":${stock}}`
}
const SCOPE: ChannelScope = {
  groupId: 1,
  linkTemplate: 'https://shop.example/p/{sku}?id={id}',
  columns: { listPrices: true, tiers: true, sales: false, unitPrices: true, tax: false },
  timeZone: 'UTC',
}
const google = (given: Given = {}, scope: ChannelScope = SCOPE) => channelEntry('google', scope, served(given))
const csv = (given: Given = {}, scope: ChannelScope = SCOPE) => channelEntry('csv', scope, served(given))
const feed = (entries: string, store = 'Main') => googleHead(store, 'https://shop.example') + entries + GOOGLE_TAIL
const row = (text: string) =>
  parse<Record<string, string>>(csvHead(SCOPE) + text, { columns: true, record_delimiter: '\r\n' })[0]

describe('an item for Google', () => {
  it('has what the specification names, in its form', () => {
    expect(feed(google())).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">\n<channel>\n<title>Main</title>\n' +
        '<link>https://shop.example</link>\n<description>Products of Main</description>\n<item>\n<g:id>A-1</g:id>\n<title>Spade</title>\n' +
        '<description>Digs</description>\n<link>https://shop.example/p/A-1?id=7</link>\n<g:image_link>https://i.example/a.jpg</g:image_link>\n' +
        '<g:additional_image_link>https://i.example/b.jpg</g:additional_image_link>\n<g:availability>in_stock</g:availability>\n' +
        '<g:price>19.90 EUR</g:price>\n<g:brand>Acme</g:brand>\n<g:gtin>4006381333931</g:gtin>\n<g:condition>new</g:condition>\n' +
        '</item>\n</channel>\n</rss>\n',
    )
  })

  it('leaves out what is not there', () => {
    const bare = google(
      { sku: null, ean: null, description: null, manufacturer: '', images: [], stock: 0 },
      {
        groupId: 1,
        linkTemplate: null,
        columns: { listPrices: true, tiers: true, sales: false, unitPrices: true, tax: false },
        timeZone: 'UTC',
      },
    )
    expect(bare).toBe(
      '<item>\n<g:id>7</g:id>\n<title>Spade</title>\n<g:availability>out_of_stock</g:availability>\n<g:price>19.90 EUR</g:price>\n' +
        '<g:identifier_exists>no</g:identifier_exists>\n<g:condition>new</g:condition>\n</item>\n',
    )
    expect(google({ ean: '4006381333932' }), 'a wrong check digit').not.toContain('gtin')
    expect(google({ ean: '2000000000008' }), 'a restricted range').not.toContain('gtin')
    expect(google({ sku: null, ean: '4006381333932' })).toContain('identifier_exists')
    expect(google({ sku: null })).not.toContain('identifier_exists')
    expect(google({ sku: null }), 'a link that would lead nowhere').not.toContain('<link>')
  })

  it('has the part number and the condition of an article, which is new unless somebody says otherwise', () => {
    const facts = google({ mpn: 'HS-24 <A>', condition: 'refurbished' })
    expect(facts).toContain('<g:mpn>HS-24 &lt;A&gt;</g:mpn>\n<g:condition>refurbished</g:condition>')
    expect(google({})).not.toContain('item_group_id')
    expect(google({ group: { id: 7 } })).toContain('<g:item_group_id>7</g:item_group_id>')
    expect(google({})).not.toContain('product_type')
    expect(google({ categories: [{ path: 'Garden > Soil' }] })).toContain(
      '<g:product_type>Garden &gt; Soil</g:product_type>',
    )
    expect(google({ categories: [{ path: 'x'.repeat(900) }] })).toContain(`>${'x'.repeat(750)}</g:product_type>`)
    expect(google({ weight: '0.35' })).toContain('<g:shipping_weight>0.35 kg</g:shipping_weight>')
    expect(google({ dimensions: { length: '30', width: '20.5', height: '400' } })).toContain(
      '<g:shipping_length>30 cm</g:shipping_length>\n<g:shipping_width>20.5 cm</g:shipping_width>\n<g:shipping_height>400 cm</g:shipping_height>\n',
    )
    for (const third of [{}, { height: '0.9' }, { height: '400.1' }])
      expect(google({ dimensions: { length: '30', width: '20', ...third } })).not.toContain('g:shipping_')
    expect(google({ condition: 'damaged' })).toContain('<g:condition>used</g:condition>')
    // a part number identifies the article together with its brand
    expect(google({ ean: null, mpn: 'HS-24' })).not.toContain('identifier_exists')
    expect(google({ ean: null, mpn: 'HS-24', manufacturer: null })).toContain('identifier_exists')
  })

  it('has at most ten more images and 5,000 signs of description, none cut in half', () => {
    expect(
      google({ images: Array.from({ length: 30 }, (_, i) => `https://i.example/${i}.jpg`) }).match(
        /additional_image_link>h/g,
      ),
    ).toHaveLength(10)
    const long = (text: string) => /<description>(.*)<\/description>/.exec(google({ description: text }))?.[1] ?? ''
    expect(long('x'.repeat(6_000))).toHaveLength(5_000)
    expect(long(`${'x'.repeat(4_999)}🪣🪣`)).toBe('x'.repeat(4_999))
    expect(long(`${'x'.repeat(4_998)}🪣🪣`)).toBe(`${'x'.repeat(4_998)}🪣`)
  })

  it.each([
    ['19.9', 'EUR', '19.90 EUR'],
    ['20', 'EUR', '20.00 EUR'],
    ['0', 'EUR', '0.00 EUR'],
    ['1234', 'JPY', '1234 JPY'],
    ['1.5', 'KWD', '1.500 KWD'],
    ['123456789012345678.91', 'EUR', '123456789012345678.91 EUR'],
    ['100000000000000000000', 'EUR', '100000000000000000000.00 EUR'],
  ])('%s %s is %s, digit by digit', (amount, currency, text) => {
    expect(google({ prices: price(1, amount, currency) })).toContain(`<g:price>${text}</g:price>`)
  })
})

describe('a list price above the price', () => {
  it.each([
    ['19.9', 'EUR', '25', '25.00', '19.90'],
    ['1234', 'JPY', '1500', '1500', '1234'],
    ['1.5', 'KWD', '2.075', '2.075', '1.500'],
    ['123456789012345678.91', 'EUR', '123456789012345678.92', '123456789012345678.92', '123456789012345678.91'],
  ])('of %s %s is %s: Google’s price, beside ours as that of a sale', (amount, currency, listPrice, before, now) => {
    const prices = price(1, amount, currency, listPrice)
    expect(google({ prices })).toContain(
      `<g:price>${before} ${currency}</g:price>\n<g:sale_price>${now} ${currency}</g:sale_price>\n`,
    )
    expect(row(csv({ prices }))).toMatchObject({ price: now, currency, compare_at_price: before })
  })

  it('is that of the group whose file it is, and in no other', () => {
    const prices = `${price(1, '19.9', 'EUR', '25')},${price(2, '30')}`
    expect(row(csv({ prices }))?.['compare_at_price']).toBe('25.00')
    expect(row(csv({ prices }, { ...SCOPE, groupId: 2 }))).toMatchObject({ price: '30.00', compare_at_price: '' })
    const other = google({ prices }, { ...SCOPE, groupId: 2 })
    expect(other).toContain('<g:price>30.00 EUR</g:price>')
    expect(other).not.toContain('sale_price')
  })
})

describe.each([
  ['google', google],
  ['csv', csv],
] as const)('what no channel of %s is told', (_, entry) => {
  it('is what is excluded, has no title, or no price of the group', () => {
    expect(entry()).not.toBe('')
    for (const given of [
      { excluded: true },
      { title: null },
      { title: '' },
      { title: ' \u0001\n' },
      { prices: '' },
      { prices: price(2, '1') },
    ])
      expect(entry(given)).toBe('')
    expect(entry({ prices: `${price(2, '5')},${price(3, '6')}` }, { ...SCOPE, groupId: 3 })).toContain('6.00')
    expect(entry({ prices: `${price(2, '5')},${price(3, '6')}` }, { ...SCOPE, groupId: 3 })).not.toContain('5.00')
  })
})

describe('a sale', () => {
  const sale = (more: string) => price(1, '15', 'EUR', '20').replace(/}$/, `${more}}`)
  const both = sale(',"lowest_price_30_days":18.5,"sale_begins_on":"2026-11-27","sale_ends_on":"2026-12-01"')

  it('is told to Google with its days in the time zone of the account, if both are stated', () => {
    const told = (prices: string, timeZone = 'Europe/Berlin') =>
      /<g:price>.*\n<g:sale_price>.*\n(?:<g:sale_price_effective_date>.*\n)?/.exec(
        google({ prices }, { ...SCOPE, timeZone }),
      )?.[0]
    const amounts = '<g:price>20.00 EUR</g:price>\n<g:sale_price>15.00 EUR</g:sale_price>\n'
    const period = (days: string) => `<g:sale_price_effective_date>${days}</g:sale_price_effective_date>\n`
    expect(told(both)).toBe(amounts + period('2026-11-27T00:00+0100/2026-12-01T23:59+0100'))
    expect(told(both, 'America/St_Johns')).toBe(amounts + period('2026-11-27T00:00-0330/2026-12-01T23:59-0330'))
    expect(told(both, 'UTC')).toBe(amounts + period('2026-11-27T00:00+0000/2026-12-01T23:59+0000'))
    expect(told(sale(',"sale_ends_on":"2026-12-01"'))).toBe(amounts)
  })

  it('has columns of its own in CSV files that were created since', () => {
    const since = { ...SCOPE, columns: { ...SCOPE.columns, sales: true, tiers: false, unitPrices: false, tax: false } }
    expect(csvHead(since)).toMatch(/,compare_at_price,lowest_price_30_days,sale_begins_on,sale_ends_on\r\n$/)
    expect(csv({ prices: both }, since)).toMatch(/,20\.00,18\.50,2026-11-27,2026-12-01\r\n$/)
    expect(csv({}, since)).toMatch(/,,,,\r\n$/)
  })
})

describe('a record of CSV', () => {
  it('has no column that came after the file was created', () => {
    const before = {
      ...SCOPE,
      columns: { ...SCOPE.columns, listPrices: false, tiers: false, unitPrices: false, tax: false },
    }
    expect(csvHead(before)).toBe(
      'id,sku,ean,title,description,manufacturer,price,currency,stock,link,image,additional_images\r\n',
    )
    expect(csv({ prices: price(1, '19.9', 'EUR', '25'), images: [] }, before)).toBe(
      '7,A-1,4006381333931,Spade,Digs,Acme,19.90,EUR,3,https://shop.example/p/A-1?id=7,,\r\n',
    )
  })

  it('has the columns of the header', () => {
    expect(csvHead(SCOPE)).toBe(
      'id,sku,ean,title,description,manufacturer,price,currency,stock,link,image,additional_images,compare_at_price,tiers,net_content,unit_price,unit_price_per\r\n',
    )
    const images = ['https://i.example/a b.jpg', 'https://i.example/c d.jpg', 'https://i.example/e,f.jpg']
    expect(csv({ title: 'A "B", C', images })).toBe(
      '7,A-1,4006381333931,"A ""B"", C",Digs,Acme,19.90,EUR,3,https://shop.example/p/A-1?id=7,https://i.example/a%20b.jpg,"https://i.example/c%20d.jpg https://i.example/e,f.jpg",,,,,\r\n',
    )
    expect(
      csv(
        { sku: null, ean: null, description: null, manufacturer: null, images: [], stock: 0 },
        {
          groupId: 1,
          linkTemplate: null,
          columns: { listPrices: true, tiers: true, sales: false, unitPrices: true, tax: false },
          timeZone: 'UTC',
        },
      ),
    ).toBe('7,,,Spade,,,19.90,EUR,0,,,,,,,,\r\n')
  })

  it('has tax in its last columns in files that were created since', () => {
    const since = { ...SCOPE, columns: { ...SCOPE.columns, tax: true } }
    const taxed = (members: string) => csv({ prices: price(1, '19.9').replace(/}$/, `,${members}}`) }, since)
    expect(csvHead(since)).toMatch(/,unit_price_per,tax_included,tax_rate,tax_class\r\n$/)
    expect(taxed('"tax_included":true,"tax_rate":5.5,"tax_class":"=reduced"')).toMatch(/,true,5\.5,=reduced\r\n$/)
    expect(taxed('"tax_included":false,"tax_class":"standard"')).toMatch(/,false,,standard\r\n$/)
    expect(csv({}, since)).toMatch(/,,,\r\n$/)
  })

  it('has prices by quantity in one cell, which no spreadsheet takes for a formula', () => {
    const tiers = '"tiers":[{"quantity":10,"price":18.5},{"quantity":50,"price":17}]'
    const prices = price(1, '19.9').replace(/}$/, `,${tiers}}`)
    expect(row(csv({ prices }))).toMatchObject({ price: '19.90', tiers: '10:18.50;50:17.00' })
    expect(csv({ prices }, { ...SCOPE, columns: { ...SCOPE.columns, tiers: false } })).not.toContain('18.50')
    expect(row(csv({}))).toMatchObject({ tiers: '' })
  })

  it('alters no value for the sake of spreadsheets', () => {
    for (const sku of ['-10', '=A1+B2', '+49', '@x']) expect(row(csv({ sku }))).toMatchObject({ sku })
  })

  it('alters them where people open the file, and leaves numbers', () => {
    const opened = (sku: string) =>
      channelEntry(
        'csv',
        {
          groupId: 1,
          linkTemplate: null,
          columns: { listPrices: true, tiers: true, sales: false, unitPrices: true, tax: false },
          timeZone: 'UTC',
        },
        served({ sku }),
        true,
      ).split(',')[1]
    expect(['=A1+B2', '-10', '@x', '+cmd'].map(opened)).toEqual(["'=A1+B2", '-10', "'@x", "'+cmd"])
  })

  it(`reads back what was given, whatever the texts (SEED=${SEED.seed})`, () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...NASTY))
    fc.assert(
      fc.property(text, text, (sku, title) => {
        const read = row(csv({ sku, title }))
        if (cleanText(title) === '') expect(read).toBeUndefined()
        else expect(read).toMatchObject({ sku: cleanText(sku), title: cleanText(title) })
      }),
      SEED,
    )
  })
})

test.skipIf(!hasParser)('XML is well formed whatever the texts hold, and reads back as they are', () => {
  const text = fc
    .array(fc.oneof(fc.string({ unit: 'binary', maxLength: 20 }), fc.constantFrom(...NASTY)), { maxLength: 6 })
    .map((parts) => parts.join(''))
  const products = fc.sample(
    fc.record({
      sku: text,
      title: text.map((title) => `T${title}`),
      description: text,
      manufacturer: text,
      images: fc.array(text, { maxLength: 3 }),
    }),
    { ...SEED, numRuns: 1_000 },
  )
  const xml = feed(
    products.map((given) => google(given, { ...SCOPE, linkTemplate: 'https://shop.example/?a=1&b={sku}' })).join(''),
    NASTY.join(''),
  )
  const parsed = readXml(xml)
  expect(parsed.children[0]?.children[0]).toMatchObject({ name: 'title', text: cleanText(NASTY.join('')) })
  const items = itemsOf(parsed)
  expect(items).toHaveLength(products.length)
  products.forEach((given, i) => {
    expect(items[i]?.['title']).toEqual([cleanText(given.title)])
    const sku = cleanText(given.sku)
    expect(items[i]?.['g:id']).toEqual([sku === '' ? '7' : sku])
    if (given.sku !== '')
      expect(items[i]?.['link']).toEqual([
        `https://shop.example/?a=1&b=${encodeURIComponent(given.sku.toWellFormed())}`,
      ])
    expect(items[i]?.['description'] ?? ['']).toEqual([plainText(given.description).slice(0, 5_000)])
  })
})

describe('the text of HTML', () => {
  it.each([
    ['<p>One</p><p>Two</p>', 'One Two'],
    ['a<br>b<br/>c', 'a b c'],
    ['<b>wo</b>rd', 'word'],
    ['<ul><li>a</li><li>b</li></ul>', 'a b'],
    ['a < b > c', 'a < b > c'],
    ['5<6', '5<6'],
    ['I <3 it', 'I <3 it'],
    ['x<y', 'x<y'],
    ['<a href="x>y">z</a>', 'z'],
    ["<a href='>'>z</a>", 'z'],
    ['<SCRIPT>var a = "<b>"</Script >after', 'after'],
    ['<style>p { }</style>t', 't'],
    ['<script>never ends', ''],
    ['a<!-- b > <i> -->c', 'a c'],
    ['a<!-- b', 'a'],
    ['&lt;b&gt; &amp;amp; &auml;&Auml;&nbsp;&#8364;&#x20AC; &bogus; &', '<b> &amp; äÄ €€ &bogus; &'],
    ['&valueOf;&toString;', '&valueOf;&toString;'],
    ['&#0;&#1;&#xD800;&#x110000;x', '\ufffdx'],
    ['İ<script>x</script>y', 'İ y'],
    ['<a "b>c', 'c'],
    ['  a \n\t b\u00a0 ', 'a b'],
    ['<', '<'],
    ['</', '</'],
    ['', ''],
  ])('%j is %j', (html, text) => expect(plainText(html)).toBe(text))

  it('takes time that grows with its length alone', () => {
    for (const part of [
      '<',
      '<a',
      '<a "',
      '<a \'"',
      '<!--',
      '<script>',
      '</script',
      '&',
      '&#',
      '<a ">',
      '< ',
      '\u00a0 ',
      '<!',
      '</',
      '<a>',
      '<script></script>',
    ]) {
      const from = performance.now()
      plainText(part.repeat(Math.floor(200_000 / part.length)))
      expect(performance.now() - from, part).toBeLessThan(1_000)
    }
  })

  it(`holds no sign that XML forbids, and no end of a line (SEED=${SEED.seed})`, () => {
    const text = fc
      .array(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...NASTY)), { maxLength: 5 })
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, (given) =>
        [plainText(given), cleanText(given)].every(
          (clean) =>
            clean.isWellFormed() && [...clean].every((sign) => sign >= ' ' && sign !== '\ufffe' && sign !== '\uffff'),
        ),
      ),
      SEED,
    )
  })
})

describe('a link template', () => {
  it.each([
    'https://shop.example.com/p/{sku}',
    'http://localhost:8080/?ean={ean}&id={id}',
    'HTTPS://shop.example/{id}#{id}',
    'https://shop.example?x={sku}',
  ])('%s is taken', (template) => {
    expect(linkTemplateFault(template)).toBeNull()
  })

  it.each([
    ['ftp://shop.example/{sku}', 'http'],
    ['javascript:alert({id})', 'http'],
    ['/p/{sku}', 'http'],
    ['https://', 'must contain {sku}'],
    ['https://shop.example/p', 'must contain {sku}'],
    ['https://shop.example/{SKU}', 'placeholders'],
    ['https://shop.example/{name}', 'placeholders'],
    ['https://shop.example/{id', 'placeholders'],
    ['https://shop.example/{id}}', 'placeholders'],
    ['https://shop.example/ {id}', 'white space'],
    ['https://shop.example/\n{id}', 'white space'],
    ['https://{sku}.shop.example/', 'in its host'],
    ['https://shop.example{id}/', 'in its host'],
    ['https://shop.example\\{id}', 'in its host'],
    ['https://a:b@shop.example/{id}', 'password'],
    ['https://a:{sku}@shop.example/{id}', 'password'],
    [`https://shop.example/{id}${'x'.repeat(2_048)}`, 'at most 2048'],
    ['https://sh op/{id}', 'white space'],
    ['https://[::1/{id}', 'http'],
  ])('%s is refused', (template, word) => expect(linkTemplateFault(template)).toContain(word))

  it('takes values as parts of an address, never as more of it', () => {
    const values = { sku: 'a/b?c=d&e#f %20ü', id: '7', ean: null }
    expect(fillLink('https://shop.example/{sku}/{id}', values)).toBe(
      'https://shop.example/a%2Fb%3Fc%3Dd%26e%23f%20%2520%C3%BC/7',
    )
    expect(fillLink('https://shop.example/{ean}', values)).toBeNull()
    expect(fillLink(null, values)).toBeNull()
    expect(fillLink('https://shop.example/{sku}', { ...values, sku: '{id}\ud800' })).toBe(
      'https://shop.example/%7Bid%7D%EF%BF%BD',
    )
  })
})
