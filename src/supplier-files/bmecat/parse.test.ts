import { describe, expect, it } from 'vitest'
import { summariesOf, chunked, readAll } from '../fixtures.ts'
import { presetMapping } from '../presets/preset-mapping.ts'
import { readOfferPages } from '../read-offers.ts'
import { defaultLimits } from '../rows.ts'

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
      { sku: 'A', cost: '5', costTiers: null, currency: 'EUR', list_price: null },
      { sku: 'B', quantity: 0 },
    ])
  })

  const group = (id: string, name: string, parent: string, type = 'node') =>
    `<CATALOG_STRUCTURE type="${type}"><GROUP_ID>${id}</GROUP_ID><GROUP_NAME>${name}</GROUP_NAME><PARENT_ID>${parent}</PARENT_ID></CATALOG_STRUCTURE>`
  const map = (sku: string, id: string) =>
    `<PRODUCT_TO_CATALOGGROUP_MAP><PROD_ID>${sku}</PROD_ID><CATALOG_GROUP_ID>${id}</CATALOG_GROUP_ID></PRODUCT_TO_CATALOGGROUP_MAP>`
  const product = (sku: string, more = '') =>
    `<PRODUCT><SUPPLIER_PID>${sku}</SUPPLIER_PID><PRODUCT_DETAILS/>${more}</PRODUCT>`
  const categories = async (text: string, limits = {}) =>
    (await readAll(text, presetMapping('bmecat', {}), 997, limits)).map((row) =>
      'offer' in row ? `${row.offer.sku} ${row.offer.category}` : summariesOf([row]).join(''),
    )

  it('has the paths of groups, which are mapped to articles after all articles', async () => {
    const tree = group('1', 'Katalog', '0', 'root') + group('2', 'Garten', '1') + group('3', 'Ein/Aus', '2')
    const circle = group('8', 'X', '9') + group('9', 'Y', '8')
    const products = ['A', 'B', 'C', 'D', 'E'].map((sku) => product(sku)).join('')
    const maps = map('A', '3') + map('A', '2') + map('B', '1') + map('C', 'gone') + map('E', '8')
    const text = catalog(`<CATALOG_GROUP_SYSTEM>${tree}${circle}</CATALOG_GROUP_SYSTEM>${products}${maps}`)
    const read = await categories(text)
    expect(read.slice(0, 4)).toEqual(['A Garten/Ein-Aus', 'B undefined', 'C undefined', 'D undefined'])
    expect(read[4]).toMatch(/^E Y\/X\/|^E X\/Y\//)
  })

  it('reads a catalog that is too large to wait for its groups without them', async () => {
    const products = Array.from({ length: 300 }, (_, i) => product(`S${i}`)).join('')
    const text = catalog(
      `<CATALOG_GROUP_SYSTEM>${group('2', 'Garten', '1')}</CATALOG_GROUP_SYSTEM>${products}${map('S0', '2')}${map('S299', '2')}`,
    )
    expect((await categories(text)).filter((row) => row.endsWith('Garten'))).toHaveLength(2)
    const read = await categories(text, { importGroupBytesMax: 300 })
    expect(read.map((row) => row.split(' ')[0])).toEqual(Array.from({ length: 300 }, (_, i) => `S${i}`))
    const warnings: string[] = []
    const limits = { ...defaultLimits, importGroupBytesMax: 300 }
    const mapping = presetMapping('bmecat', {})
    for await (const _ of readOfferPages(chunked(text, 997), mapping, limits, (warning) => warnings.push(warning)));
    expect(warnings.filter((warning) => warning.includes('groups'))).toEqual([
      expect.stringMatching(/too large to wait for its groups.*articles have no category/),
    ])
  })

  it('reads features of templates, whose values are spelled out beside their codes', async () => {
    const feature = (name: string, value: string) =>
      `<FEATURE><FTEMPLATE><FT_ID>1</FT_ID><FT_NAME>${name}</FT_NAME></FTEMPLATE>${value}</FEATURE>`
    const features = `<PRODUCT_FEATURES>${feature('Gewicht', '<FVALUE>0.5</FVALUE><FUNIT>KGM</FUNIT>')}${feature('Einbau', '<VALUE_IDREF>7</VALUE_IDREF><FVALUE_DETAILS>Aufbau</FVALUE_DETAILS>')}${feature('Abmessung', '<FVALUE_DETAILS>Abmessung</FVALUE_DETAILS>')}</PRODUCT_FEATURES>
      <PRODUCT_FEATURES><REFERENCE_FEATURE_GROUP_NAME>Vorteile</REFERENCE_FEATURE_GROUP_NAME><FEATURE><FNAME>-</FNAME><FVALUE>leicht</FVALUE></FEATURE></PRODUCT_FEATURES>`
    const [row] = await readAll(catalog(product('A', features)), presetMapping('bmecat', {}))
    expect(row).toMatchObject({
      offer: {
        attributes: [
          { key: 'Gewicht', value: '0.5 KGM' },
          { key: 'Einbau', value: 'Aufbau' },
          { key: 'Vorteile', value: 'leicht' },
        ],
      },
    })
  })

  it('has the currency of the price that counts, and what suppliers add by its name', async () => {
    const prices =
      price('net_list', '9', '<PRICE_CURRENCY>CHF</PRICE_CURRENCY>') +
      price('net_customer', '8', '<PRICE_CURRENCY>PLN</PRICE_CURRENCY>')
    const extended = (more: string) =>
      catalog(
        `<PRODUCT><SUPPLIER_PID>A</SUPPLIER_PID><PRODUCT_PRICE_DETAILS>${prices}</PRODUCT_PRICE_DETAILS><USER_DEFINED_EXTENSIONS>${more}</USER_DEFINED_EXTENSIONS></PRODUCT>`,
      )
    const [row] = await readAll(
      extended('<UDX.X.STOCK>12</UDX.X.STOCK><UDX.X.COLOR>rot</UDX.X.COLOR>'),
      presetMapping('bmecat', { fields: { category: 'UDX.X.COLOR' } }),
    )
    expect(row).toMatchObject({ offer: { cost: '8', currency: 'PLN', quantity: 12, category: 'rot' } })
    const [other] = await readAll(extended('<UDX.X.LIVESTOCK>1</UDX.X.LIVESTOCK>'), presetMapping('bmecat', {}))
    expect(other).not.toHaveProperty('offer.quantity')
  })

  it('refuses XML that is no catalog', async () => {
    await expect(readAll('<shop><ARTICLE/></shop>', presetMapping('bmecat', {}))).rejects.toThrow(/no BMEcat catalog/)
  })
})
