import { describe, expect, it } from 'vitest'
import { readAll } from '../fixtures.ts'
import { presetMapping } from '../preset-mapping.ts'

const header = '<HEADER><CATALOG><LANGUAGE>deu</LANGUAGE><CURRENCY>EUR</CURRENCY></CATALOG></HEADER>'
const catalog = (articles: string, transaction = 'T_NEW_CATALOG') =>
  `<BMECAT version="2005">${header}<${transaction}>${articles}</${transaction}></BMECAT>`
const priced = (prices: string, order = '') =>
  `<PRODUCT><SUPPLIER_PID>A</SUPPLIER_PID><PRODUCT_ORDER_DETAILS>${order}</PRODUCT_ORDER_DETAILS><PRODUCT_PRICE_DETAILS>${prices}</PRODUCT_PRICE_DETAILS></PRODUCT>`
const price = (type: string, amount: string, more = '') =>
  `<PRODUCT_PRICE price_type="${type}"><PRICE_AMOUNT>${amount}</PRICE_AMOUNT>${more}</PRODUCT_PRICE>`
const bound = (from: number) => `<LOWER_BOUND>${from}</LOWER_BOUND>`

async function costOf(prices: string, order?: string, more: object = {}): Promise<unknown> {
  const [row] = await readAll(catalog(priced(prices, order)), presetMapping('bmecat', more))
  return row !== undefined && 'offer' in row ? row.offer.cost : row
}

describe('bmecat', () => {
  it.each([
    [
      'the tier that holds for one piece',
      price('net_list', '9', bound(10)) + price('net_list', '10', bound(1)),
      '',
      '10',
    ],
    ['the price of a customer before that of the list', price('net_list', '9') + price('net_customer', '8'), '', '8'],
    ['not a gross price', price('gross_list', '9') + price('net_list', '10'), '', '10'],
    [
      'the price of one piece of a price quantity',
      price('net_list', '12.50'),
      '<PRICE_QUANTITY>100</PRICE_QUANTITY>',
      '0.125',
    ],
    ['the price by its factor', price('net_list', '10', '<PRICE_FACTOR>0.9</PRICE_FACTOR>'), '', '9'],
    ['no price', '', '', null],
  ])('takes %s', async (_, prices, order, cost) => {
    expect(await costOf(prices, order)).toBe(cost)
  })

  it('takes another tier when the mapping says so', async () => {
    const prices =
      price('net_list', '10', bound(1)) + price('net_list', '9', bound(10)) + price('net_list', '8', bound(100))
    for (const [quantity, cost] of [
      [1, '10'],
      [99, '9'],
      [100, '8'],
    ] as const)
      expect(
        await costOf(prices, '', { fields: { cost: { tiers: 'prices', price: 'amount', from: 'lower', quantity } } }),
      ).toBe(cost)
  })

  it('has texts by language, and those of the catalog’s own', async () => {
    const text = catalog(
      `<PRODUCT><SUPPLIER_PID>A</SUPPLIER_PID><PRODUCT_DETAILS><DESCRIPTION_SHORT lang="eng">Spade</DESCRIPTION_SHORT>
       <DESCRIPTION_SHORT lang="deu">Spaten</DESCRIPTION_SHORT><GTIN>4006381333931</GTIN></PRODUCT_DETAILS></PRODUCT>`,
    )
    const [row] = await readAll(text, presetMapping('bmecat', { fields: { 'title.en': 'titles.en' } }))
    expect(row).toMatchObject({
      offer: { eans: ['4006381333931'], texts: { de: { title: 'Spaten' }, en: { title: 'Spade' } } },
    })
  })

  it('reads articles of 1.2 with a prefix, and features with units, without data sheets and logos', async () => {
    const text = `<b:BMECAT xmlns:b="urn:b"><b:T_NEW_CATALOG><b:ARTICLE><b:SUPPLIER_AID>A</b:SUPPLIER_AID><b:ARTICLE_DETAILS/>
      <b:ARTICLE_FEATURES><b:FEATURE><b:FNAME>Länge</b:FNAME><b:FVALUE>1,5</b:FVALUE><b:FUNIT>m</b:FUNIT></b:FEATURE>
      <b:FEATURE><b:FNAME>leer</b:FNAME><b:FVALUE>-</b:FVALUE></b:FEATURE></b:ARTICLE_FEATURES>
      <b:MIME_INFO><b:MIME><b:MIME_TYPE>application/pdf</b:MIME_TYPE><b:MIME_SOURCE>a.pdf</b:MIME_SOURCE></b:MIME>
      <b:MIME><b:MIME_TYPE>image/png</b:MIME_TYPE><b:MIME_SOURCE>logo.png</b:MIME_SOURCE><b:MIME_PURPOSE>logo</b:MIME_PURPOSE></b:MIME>
      <b:MIME><b:MIME_SOURCE>a b.JPG</b:MIME_SOURCE></b:MIME></b:MIME_INFO></b:ARTICLE></b:T_NEW_CATALOG></b:BMECAT>`
    const [row] = await readAll(text, presetMapping('bmecat', { decimal: ',', imageBaseUrl: 'https://a.example' }))
    expect(row).toMatchObject({
      offer: {
        sku: 'A',
        attributes: [{ key: 'Länge', value: '1.5 m' }],
        images: ['https://a.example/a%20b.JPG'],
      },
    })
  })

  it('says nothing about what an update does not name', async () => {
    const articles =
      '<ARTICLE mode="update"><SUPPLIER_AID>A</SUPPLIER_AID><ARTICLE_PRICE_DETAILS><ARTICLE_PRICE price_type="net_list"><PRICE_AMOUNT>5</PRICE_AMOUNT></ARTICLE_PRICE></ARTICLE_PRICE_DETAILS></ARTICLE><ARTICLE mode="delete"><SUPPLIER_AID>B</SUPPLIER_AID></ARTICLE>'
    const rows = await readAll(catalog(articles, 'T_UPDATE_PRICES'), presetMapping('bmecat', {}))
    expect(rows.map((row) => ('offer' in row ? row.offer : row))).toEqual([
      { sku: 'A', cost: '5', currency: 'EUR' },
      { sku: 'B', quantity: 0 },
    ])
  })

  it('refuses XML that is no catalog', async () => {
    await expect(readAll('<shop><ARTICLE/></shop>', presetMapping('bmecat', {}))).rejects.toThrow(/no BMEcat catalog/)
  })
})
