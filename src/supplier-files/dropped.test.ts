import { describe, expect, it } from 'vitest'
import { compileConvert, type Converted } from './conversion/convert.ts'
import { readMappingDocument } from './mapping-document.ts'
import { parseMapping } from './mapping/mapping.ts'
import { isNoCost, isNothing } from './no-value.ts'
import type { Lookup } from './rows.ts'

const lookup: Lookup = (column) => (row) => (row as Record<string, unknown>)[column]

const FIELDS = {
  sku: 'sku',
  cost: 'cost',
  currency: 'currency',
  quantity: 'stock',
  title: 'title',
  ean: 'ean',
  images: { column: 'pictures', split: '|' },
  attributes: [
    { key: 'weight', column: 'weight', number: true },
    { key: 'color', column: 'color' },
  ],
}
const GOOD = { sku: 'A-1', cost: '12.50', stock: '7', title: 'Spade', color: 'red' }
const convert = (row: object, settings: object = {}): Converted =>
  compileConvert(parseMapping({ locale: 'en', fields: FIELDS, ...settings }), lookup).convert({ ...GOOD, ...row })

function offerOf(converted: Converted) {
  expect(converted).toHaveProperty('offer')
  if (!('offer' in converted)) throw new Error(JSON.stringify(converted))
  const { offer, dropped = [] } = converted
  return { offer, dropped: dropped.map(({ name }) => name) }
}

describe('an optional value that cannot be read', () => {
  it.each<[string, object, string]>([
    ['a dash as a picture', { pictures: '-' }, 'images'],
    ['n/a as a picture', { pictures: 'n/a' }, 'images'],
    ['a path without a base', { pictures: 'img/7.jpg' }, 'images'],
    ['another scheme', { pictures: 'file:///c:/7.jpg' }, 'images'],
    ['an EAN of Excel', { ean: '4,00638E+12' }, 'ean'],
    ['an EAN of 12 characters that are no digits', { ean: '40063813339O' }, 'ean'],
    ['an EAN that is too long', { ean: '400638133393112345' }, 'ean'],
    ['a weight in words', { weight: 'n/a' }, 'attributes.weight'],
    ['a dash as a title', { title: '-' }, 'title'],
    ['an error of a spreadsheet as a title', { title: '#REF!' }, 'title'],
    ['a title that is a list', { title: ['a', 'b'] }, 'title'],
    ['a title that is too long', { title: 'x'.repeat(5_001) }, 'title'],
    ['a color that cannot be stored', { color: 'r\0d' }, 'attributes.color'],
  ])('%s is dropped, and the row is imported', (_, row, field) => {
    const { offer, dropped } = offerOf(convert(row))
    expect(offer).toMatchObject({ sku: 'A-1', cost: '12.5', quantity: 7 })
    expect(dropped).toEqual([field])
  })
  it('is not in the offer, so that what is known stays', () => {
    const { offer } = offerOf(convert({ pictures: '-', ean: 'none', title: 'a\0', weight: 'heavy' }))
    expect(offer).not.toHaveProperty('images')
    expect(offer).not.toHaveProperty('eans')
    expect(offer).not.toHaveProperty('texts')
    expect(offer).toMatchObject({ attributes: [{ key: 'color', value: 'red' }], keptAttributes: ['weight'] })
  })
  it('is no word that may be a title', () => {
    for (const title of ['None', 'X', 'n', '9', '-5', 'No. 5'])
      expect(offerOf(convert({ title })), title).toMatchObject({ offer: { texts: { en: { title } } }, dropped: [] })
    expect(offerOf(convert({ title: '' })).offer).toMatchObject({ texts: { en: { title: null } } })
  })
  it('leaves the readable values of a list', () => {
    const { offer, dropped } = offerOf(convert({ pictures: 'https://a.example/1.jpg|-|https://a.example/2.jpg' }))
    expect(offer.images).toEqual(['https://a.example/1.jpg', 'https://a.example/2.jpg'])
    expect(dropped).toEqual(['images'])
  })
  it('keeps all attributes where it does not show which it is about', () => {
    const packed = { fields: { ...FIELDS, attributes: [{ packed: 'specs', pair: ';', assign: ':' }] } }
    expect(offerOf(convert({ specs: 'loose' }, packed)).offer).toMatchObject({ keptAttributes: 'all' })
    expect(offerOf(convert({ specs: 'a:1' }, packed)).offer).not.toHaveProperty('keptAttributes')
  })
  it('does not hide what refuses the row', () => {
    for (const [row, field] of [
      [{ sku: '', pictures: '-' }, 'sku'],
      [{ cost: '12.x', pictures: '-' }, 'cost'],
      [{ stock: 'soon', pictures: '-' }, 'quantity'],
      [{ currency: 'EURO', pictures: '-' }, 'currency'],
    ] as const) {
      const converted = convert(row)
      expect('faults' in converted && converted.faults.map(({ name }) => name)).toEqual([field])
    }
  })
  it('is a currency, too, where the row states no cost', () => {
    expect(offerOf(convert({ cost: '', currency: 'EURO' })).dropped).toEqual(['currency'])
  })
})

describe('pictures', () => {
  it('with www. are taken as https, and words for none are not joined to the base', () => {
    const settings = { imageBaseUrl: 'https://cdn.example/img' }
    const pictures = (text: string) => offerOf(convert({ pictures: text }, settings))
    expect(pictures('www.shop.example/a b.jpg').offer.images).toEqual(['https://www.shop.example/a%20b.jpg'])
    // without a base URL it is only a file name
    expect(pictures('www.shop.jpg').offer.images).toEqual(['https://cdn.example/img/www.shop.jpg'])
    for (const word of [
      '-',
      '–',
      'n/a',
      '#N/A',
      'keine',
      'brak',
      'NULL',
      '...',
      '#NV',
      '#REF!',
      'kein Bild',
      'No image',
      'brak zdjęcia',
      'Bild folgt',
      '0',
    ])
      expect(pictures(word), word).toMatchObject({ dropped: ['images'] })
  })
})

describe('a word for no cost', () => {
  it.each([
    'auf Anfrage',
    'Preis auf Anfrage',
    'a. A.',
    'call',
    'Call for price!',
    'P.O.A.',
    'POA',
    'price on request',
    'TBA',
    'na zapytanie',
    'Cena na zapytanie',
    'sur demande',
    'Prix sur demande',
    'bajo consulta',
    'su richiesta',
    'op aanvraag',
    'na dotaz',
    'по запросу',
    '-',
    '—',
    'n/a',
    'k. A.',
    'brak',
    'NULL',
  ])('%s leaves the cost empty', (cost) => {
    expect(offerOf(convert({ cost }))).toMatchObject({ offer: { cost: null, quantity: 7 }, dropped: [] })
  })
  it.each(['12 on request', 'free', 'gratis', '1.2.3', 'Spade', '0-', '12,x', 'on'])('%s is none', (cost) => {
    expect(convert({ cost })).toHaveProperty('faults')
  })
  it('is one in a formula, in tiers, behind a currency and as the first of several', () => {
    const cost = (source: unknown, row: object) =>
      offerOf(convert(row, { fields: { sku: 'sku', cost: source } })).offer.cost
    const calc = { calc: 'price / per', of: { price: 'cost', per: { column: 'per', default: '1' } } }
    expect(cost(calc, { cost: 'auf Anfrage', per: '10' })).toBeNull()
    expect(cost(calc, { cost: '50', per: '-' })).toBe('50')
    expect(cost({ column: 'cost', number: true }, { cost: 'auf Anfrage' })).toBeNull()
    expect(cost({ first: ['cost', 'list'] }, { cost: 'POA', list: '9' })).toBe('9')
    expect(cost({ tiers: 'tiers', price: 'net' }, { tiers: [{ net: 'call' }] })).toBeNull()
  })
  it('is known without regard to case, signs and blanks, and short', () => {
    expect(isNoCost('  AUF_ANFRAGE  '.trim())).toBe(true)
    expect(isNoCost('auf Anfrage '.repeat(10))).toBe(false)
    expect(isNothing('')).toBe(false)
    expect(isNothing('call')).toBe(false)
    expect(isNothing('Не указана')).toBe(true)
  })
})

it.each([
  ['12,50\u00a0€', '12.5', 'EUR'],
  ['€\u00a012,50', '12.5', 'EUR'],
  ['1\u202f234,56\u00a0zł', '1234.56', 'PLN'],
  ['12,50\u202fKč', '12.5', 'CZK'],
  ['12,– €', '12', 'EUR'],
])('a cost of a spreadsheet with blanks that do not break, %j', (cost, amount, currency) => {
  const { offer } = offerOf(convert({ cost, stock: '5\u00a0szt.' }, { decimal: ',' }))
  expect(offer).toMatchObject({ cost: amount, currency, quantity: 5 })
})

it.each(['- €', '€ -', '-\u00a0€', '-,--', '–,–', '#NV', '#N/D!', 'EUR -'])(
  'an amount that a spreadsheet leaves empty, %s, is no cost',
  (cost) => expect(offerOf(convert({ cost })).offer).toMatchObject({ cost: null, quantity: 7 }),
)

it.each<[string, number]>([
  ['en rupture', 0],
  ['Rupture de stock', 0],
  ['indisponible', 0],
  ['Nicht am Lager', 0],
  ['niet leverbaar', 0],
  ['sin existencias', 0],
  ['není', 0],
  ['FALSCH', 0],
  ['WAHR', 1],
  ['2 stuks', 2],
  ['3 sztuki', 3],
  ['4\u00a0unidades', 4],
  ['ab Lager', 1],
  ['leverbaar', 1],
  ['en existencias', 1],
])('%s says %i pieces', (stock, quantity) => expect(offerOf(convert({ stock })).offer).toMatchObject({ quantity }))

it('an apostrophe before an EAN is passed over', () => {
  expect(offerOf(convert({ ean: "'4006381333931" }))).toMatchObject({ offer: { eans: ['4006381333931'] }, dropped: [] })
})

it.each([
  ["6'-LADDER", "6'-LADDER"],
  ['6-LADDER', '6-LADDER'],
  ["'0012", '0012'],
])('the ready mapping for Shopify reads the SKU %s as %s', (cell, sku) => {
  const { fields } = readMappingDocument({ preset: 'shopify' })
  const mapping = parseMapping({ locale: 'en', fields: { sku: fields.sku } })
  expect(offerOf(compileConvert(mapping, lookup).convert({ 'Variant SKU': cell })).offer.sku).toBe(sku)
})
