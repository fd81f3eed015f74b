import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { writeXlsx } from 'hucre/xlsx'
import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { detectMapping, type Proposal } from './detect.ts'
import { chunked, readAll } from './fixtures.ts'
import { PRESETS } from './presets.ts'
import { previewRows } from './preview.ts'

const detect = (content: string | Uint8Array): Promise<Proposal> => detectMapping(chunked(content, 1_000))
/** The offers of a file by the mapping that is proposed for it. */
async function proposed(content: string | Uint8Array): Promise<unknown[]> {
  const { mapping } = await detect(content)
  return (await readAll(content, mapping)).map((row) => ('offer' in row ? row.offer : row))
}

const GERMAN = `Artikelnr.;Bezeichnung;EK-Preis;Verfügbarkeit;EAN;Hersteller;Bild 1;Bild 2;Gewicht
A-1;Spaten;1.234,50;lieferbar;4006381333931;Gardena;https://a.example/a.jpg;;1,5 kg
A-2;Säge;12,50;nicht lieferbar;;Fiskars;https://a.example/b.jpg;https://a.example/c d.jpg;0,8 kg
`

it('takes a column that is called like a key although some rows repeat it, or have none', async () => {
  const list = 'Art.-Nr.;Bezeichnung;EK\nA-1;x;1,50\nA-2;y;2,50\nA-2;y;3,50\n;z;4,50\nA-3;z;5,50\nSumme;;17,50\n'
  const { mapping, reasons } = await detect(list)
  expect(mapping.fields.sku).toBe('Art.-Nr.')
  expect(reasons).toContainEqual({
    path: 'fields.sku',
    reason: '"Art.-Nr.": it is called so, and rows in which it is empty or repeated are refused',
  })
})

describe('a proposed mapping', () => {
  it('reads a German table whole, with a reason for each of its lines', async () => {
    for (const file of [GERMAN, iconv.encode(GERMAN, 'windows-1252'), gzipSync(GERMAN)]) {
      expect(await proposed(file)).toEqual([
        {
          sku: 'A-1',
          cost: '1234.5',
          quantity: 1,
          eans: ['4006381333931'],
          manufacturer: 'Gardena',
          texts: { de: { title: 'Spaten' } },
          images: ['https://a.example/a.jpg'],
          attributes: [{ key: 'Gewicht', value: '1.5 kg' }],
        },
        {
          sku: 'A-2',
          cost: '12.5',
          quantity: 0,
          eans: [],
          manufacturer: 'Fiskars',
          texts: { de: { title: 'Säge' } },
          images: ['https://a.example/b.jpg', 'https://a.example/c%20d.jpg'],
          attributes: [{ key: 'Gewicht', value: '0.8 kg' }],
        },
      ])
    }
    const { mapping, reasons } = await detect(iconv.encode(GERMAN, 'windows-1252'))
    expect(mapping).toMatchObject({
      format: 'csv',
      delimiter: ';',
      decimal: ',',
      encoding: 'windows-1252',
      locale: 'de',
    })
    const explained = new Set(reasons.map(({ path }) => path))
    const lines = [...Object.keys(mapping), ...Object.keys(mapping.fields).map((name) => `fields.${name}`)]
    for (const path of lines.filter((line) => line !== 'fields' && line !== 'format')) expect(explained).toContain(path)
  })

  it.each([
    [
      'JSON',
      '{"meta":{"n":[1]},"data":{"products":[{"id":1,"name":"Spade","net_price":12.5,"stock":3,"images":[{"url":"https://a.example/1.jpg"}]},{"id":2,"name":"Hoe","net_price":8,"stock":0}]}}',
      { items: 'data.products' },
    ],
    ['JSON lines', '{"sku":"1","name":"Spade","price":12.5,"qty":3}\n{"sku":"2","name":"Hoe","price":8,"qty":0}\n', {}],
    [
      'XML',
      '<?xml version="1.0"?><shop><info><a>1</a></info><products><product id="1"><name>Spade</name><price>12.5</price><stock>3</stock></product><product id="2"><name>Hoe</name><price>8</price><stock>0</stock></product></products></shop>',
      { items: 'shop.products.product' },
    ],
  ])('reads %s', async (_, text, expected) => {
    const { mapping } = await detect(text)
    expect(mapping).toMatchObject(expected)
    expect(await proposed(text)).toMatchObject([
      { sku: '1', cost: '12.5', quantity: 3, texts: { en: { title: 'Spade' } } },
      { sku: '2', cost: '8', quantity: 0 },
    ])
  })

  it('reads a workbook', async () => {
    const rows = [
      ['Symbol', 'Nazwa', 'Cena netto', 'Stan'],
      ['A', 'Łopata', 12.5, 3],
      ['B', 'Grabie', 8, 0],
    ]
    const file = await writeXlsx({ sheets: [{ name: 'x', rows }] })
    expect(await proposed(file)).toMatchObject([
      { sku: 'A', cost: '12.5', quantity: 3, texts: { pl: { title: 'Łopata' } } },
      { sku: 'B' },
    ])
  })

  it.each([
    ['shopify.csv', 'shopify'],
    ['woocommerce.csv', 'woocommerce'],
    ['prestashop.csv', 'prestashop'],
    ['google.xml', 'google'],
    ['bmecat-1.2.xml', 'bmecat'],
    ['bmecat-2005.xml', 'bmecat'],
  ])('for %s is the ready mapping %s', async (name, preset) => {
    const proposal = await detect(readFileSync(new URL(`exports/${name}`, import.meta.url)))
    expect(proposal.preset).toBe(preset)
    expect(proposal.mapping).toEqual(PRESETS[preset]?.mapping)
    expect(proposal.reasons.at(-1)?.reason).toContain(`use --mapping ${preset}`)
  })

  it('for a Google table is that of Google', async () => {
    const text =
      'ID\tTitle\tLink\tImage link\tAvailability\tPrice\n1\tx\thttps://a.example\thttps://a.example/1.jpg\tin stock\t5 EUR\n'
    expect((await detect(text)).preset).toBe('google')
  })

  it.each([
    ['<html><body>x</body></html>', /HTML page/],
    ['name\nSpade\nSpade\n', /no column has another value in each row/],
    ['a,b\n', /has no rows/],
    ['', /empty/],
  ])('is refused for %j', async (text, message) => {
    await expect(detect(text)).rejects.toMatchObject({
      code: 'source-unreadable',
      message: expect.stringMatching(message),
    })
  })
})

it('a preview shows the first rows as an import reads them, beside their columns, and reads no further', async () => {
  let read = 0
  async function* endless() {
    await Promise.resolve()
    yield Buffer.from('sku,cost\nA,1\nB,x\n')
    for (;;) {
      if (++read > 200) throw new Error('it reads on')
      yield Buffer.from('C,3\n'.repeat(1_000))
    }
  }
  const rows = await previewRows(endless(), { fields: { sku: 'sku', cost: 'cost' } }, 3)
  expect(rows).toMatchObject([
    { row: { sku: 'A', cost: '1' }, read: { line: 2, offer: { sku: 'A', cost: '1' } } },
    { row: { sku: 'B', cost: 'x' }, read: { line: 3, sku: 'B', faults: [{ name: 'cost' }] } },
    { row: { sku: 'C', cost: '3' }, read: { line: 4, offer: { cost: '3' } } },
  ])
})
