import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { OfferRecord } from '../../model/offer.ts'
import { detectMapping } from './detect.ts'
import { chunked, readAll } from '../fixtures.ts'
import { presetMapping } from '../presets/preset-mapping.ts'

const exported = (name: string) => readFileSync(new URL(`../exports/${name}`, import.meta.url))
const offersIn = (rows: Awaited<ReturnType<typeof readAll>>): OfferRecord[] =>
  rows.flatMap((row) => ('offer' in row ? [row.offer] : []))

describe('ready mappings read list prices', () => {
  it.each<[string, string, object, string[]]>([
    ['shopify.csv', 'shopify', {}, ['12.5 of 15', '13 of null', '25 of null']],
    // a sale with dates is ignored: the regular price is the cost
    ['woocommerce.csv', 'woocommerce', {}, ['18 of 20', '3 of null', '7.5 of 9', '9 of null']],
    ['woocommerce-de.csv', 'woocommerce-de', {}, ['1064.99 of null', '9.5 of 12']],
    ['google.xml', 'google', {}, ['99 of 105.29 USD', '105.29 of null']],
    // 25 % off 24, and 0.50 off 4 and its surcharge of 2.50
    ['wix.csv', 'wix', {}, ['18 of 24', '3.5 of 4', '6 of 6.5', '1039.9 of null']],
    ['squarespace.csv', 'squarespace', {}, ['180 of null', '1190 of 1240', '6.5 of null']],
  ])('%s', async (name, preset, more, expected) => {
    const offers = offersIn(await readAll(exported(name), presetMapping(preset, more)))
    expect(offers.map(({ cost, list_price: price }) => `${cost} of ${price}`)).toEqual(expected)
  })

  it('magento2: the price that the manufacturer suggests', async () => {
    const [header = '', first = ''] = exported('magento2.csv').toString().split('\n')
    const columns = header.split(',')
    const row = columns.map((name) => ({ sku: 'A', name: 'Spade', price: '20', msrp_price: '24.9000' })[name] ?? '')
    expect(first).not.toBe('')
    const mapping = presetMapping('magento2', { imageBaseUrl: 'https://shop.example' })
    expect(offersIn(await readAll(`${header}\n${row.join(',')}\n`, mapping))[0]).toMatchObject({
      cost: '20',
      list_price: '24.9',
    })
  })

  const price = (type: string, amount: string, more = '') =>
    `<PRODUCT_PRICE price_type="${type}"><PRICE_AMOUNT>${amount}</PRICE_AMOUNT>${more}</PRODUCT_PRICE>`
  const currency = (code: string) => `<PRICE_CURRENCY>${code}</PRICE_CURRENCY>`
  it.each([
    ['in its own currency', price('net_list', '9') + price('nrp', '14', currency('CHF')), '', '9', '14 CHF'],
    [
      'of one piece',
      price('net_list', '250') + price('nrp', '399'),
      '<PRICE_QUANTITY>10</PRICE_QUANTITY>',
      '25',
      '39.9 EUR',
    ],
    // the only price becomes the cost, and shops show it if theirs is below
    ['which is the cost where there is no other', price('nrp', '14'), '', '14', '14 EUR'],
    ['where there is one', price('net_list', '9'), '', '9', null],
  ])('bmecat: the recommended price, %s', async (_, prices, order, cost, listPrice) => {
    const [offer] = offersIn(
      await readAll(
        `<BMECAT version="2005"><HEADER><CATALOG><LANGUAGE>deu</LANGUAGE><CURRENCY>EUR</CURRENCY></CATALOG></HEADER><T_NEW_CATALOG><PRODUCT><SUPPLIER_PID>A</SUPPLIER_PID><PRODUCT_ORDER_DETAILS>${order}</PRODUCT_ORDER_DETAILS><PRODUCT_PRICE_DETAILS>${prices}</PRODUCT_PRICE_DETAILS></PRODUCT></T_NEW_CATALOG></BMECAT>`,
        presetMapping('bmecat', {}),
      ),
    )
    expect([offer?.cost, offer?.list_price]).toEqual([cost, listPrice])
  })
})

const detected = async (text: string) => detectMapping(chunked(text), () => {})
const list = (costs: string, recommended: string, more = '') =>
  `SKU;Name;${costs};${recommended};Stock\nA-1;Spade;10,50;19,90${more};3\nA-2;Rake;8,00;12,90${more};0\nA-3;Hoe;7,25;auf Anfrage;1\nA-4;Fork;9,10;17,00${more};5\nA-5;Axe;30,00;49,95${more};5\n`

describe('a column of recommended prices is proposed as the list price', () => {
  it.each([
    'RRP',
    'MSRP',
    'RRP inc. VAT',
    'Recommended retail price',
    'Manufacturer Suggested Retail Price',
    'Compare-at price',
    'UVP',
    'UVP inkl. MwSt.',
    'uvp_brutto',
    'Unverb. Preisempfehlung',
    'Unverbindliche Preisempfehlung (brutto)',
    'Empfohlener VK',
    'Cena sugerowana brutto',
    'Sugerowana cena detaliczna',
    'Prix public conseillé TTC',
    'Prix de vente conseillé',
    'PVP recomendado',
    'PVPR',
    'Precio recomendado',
    'Prezzo consigliato',
    'Prezzo al pubblico consigliato',
    'Adviesprijs incl. btw',
    'Doporučená cena s DPH',
    'Odporúčaná predajná cena',
    'Preço recomendado',
    'Rek. pris',
    'Vejl. udsalgspris',
    'Veiledende pris',
    'Suositushinta',
    'Ajánlott fogyasztói ár',
    'Preț recomandat',
    'Tavsiye edilen satış fiyatı',
    'РРЦ',
    'Рекомендованная розничная цена',
    'Рекомендована ціна',
    'Preporučena maloprodajna cijena',
    'Priporočena cena',
    'Προτεινόμενη λιανική τιμή',
    'Препоръчителна цена',
    'Rekomenduojama kaina',
    'Ieteicamā cena',
    'Soovituslik hind',
  ])('%s', async (name) => {
    for (const cost of ['EK', 'Price']) {
      const { mapping, reasons } = await detected(list(cost, name))
      expect(mapping.fields).toMatchObject({ cost, list_price: name, quantity: 'Stock' })
      expect(reasons.find(({ path }) => path === 'fields.list_price')?.reason).toContain('shops show it beside')
      const rows = await readAll(list(cost, name), mapping)
      expect(offersIn(rows).map(({ list_price: price }) => price)).toEqual(['19.9', '12.9', null, '17', '49.95'])
    }
  })

  it('in the currency that its name says, where that is not the one of the costs', async () => {
    const other = await detected(list('Cost GBP', 'RRP EUR'))
    expect(other.mapping.fields.list_price).toEqual({ column: 'RRP EUR', suffix: ' EUR' })
    expect(offersIn(await readAll(list('Cost GBP', 'RRP EUR'), other.mapping))[0]).toMatchObject({
      currency: 'GBP',
      list_price: '19.9 EUR',
    })
    expect((await detected(list('Cost GBP', 'RRP GBP'))).mapping.fields.list_price).toBe('RRP GBP')
    // the values state the currency themselves
    expect((await detected(list('Cost GBP', 'RRP EUR', ' €'))).mapping.fields.list_price).toBe('RRP EUR')
  })

  it('with a word about the tax in it', async () => {
    const reasonOf = async (name: string) =>
      (await detected(list('EK netto', name))).reasons.find(({ path }) => path === 'fields.list_price')?.reason
    expect(await reasonOf('UVP inkl. MwSt.')).toContain('It has VAT in it')
    expect(await reasonOf('UVP netto')).not.toContain('VAT')
  })

  it('but as the cost, with a warning, where no other price is there', async () => {
    const warnings: string[] = []
    const text = 'SKU;Name;UVP\nA-1;Spade;19,90\nA-2;Rake;12,90\n'
    const { mapping, reasons } = await detectMapping(chunked(text), (warning) => warnings.push(warning))
    expect(mapping.fields).toMatchObject({ cost: 'UVP' })
    expect(mapping.fields.list_price).toBeUndefined()
    expect(reasons.find(({ path }) => path === 'fields.cost')?.reason).toContain('not what you pay')
  })

  // the merchant's own price, or an earlier one
  it.each(['PVP', 'Retail price', 'VK brutto', 'Selling price', 'Old price', 'Special price', 'Recommended age'])(
    'not %s',
    async (name) => {
      expect((await detected(list('EK', name))).mapping.fields.list_price).toBeUndefined()
    },
  )
})
