import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { writeXlsx } from 'hucre/xlsx'
import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { detectMapping, type Proposal } from './detect.ts'
import { chunked, readAll } from '../fixtures.ts'
import { PRESETS } from '../presets/presets.ts'
import { previewRows } from '../preview.ts'

const detect = (content: string | Uint8Array): Promise<Proposal> => detectMapping(chunked(content, 1_000))
/** The offers of a file by the mapping proposed for it. */
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
          weight: '1.5',
        },
        {
          sku: 'A-2',
          cost: '12.5',
          quantity: 0,
          eans: [],
          manufacturer: 'Fiskars',
          texts: { de: { title: 'Säge' } },
          images: ['https://a.example/b.jpg', 'https://a.example/c%20d.jpg'],
          weight: '0.8',
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

  it('reads a column that is called like a cost or a stock, although some of its values are none, and says which', async () => {
    const text =
      'Artikelnr;Name;EK netto;Bestand;Preis\n1;Hammer;1.200,50;10;1\n2;Zange;auf Anfrage;-;2\n3;Säge;3,20;5;3\n4;Feile;k.A.;-;4\n'
    const { mapping, reasons } = await detect(text)
    // words for a price on request count as amounts
    expect(mapping.fields).toMatchObject({ cost: 'EK netto', quantity: 'Bestand' })
    const unclear = await detect(text.replace('auf Anfrage', 'siehe Liste').replace('k.A.', 'Staffel'))
    // otherwise a column with only amounts has precedence, whatever its name
    expect(unclear.mapping.fields).toMatchObject({ cost: 'Preis', quantity: 'Bestand' })
    const others = await detect(text.replaceAll(/;[^;]*\n/g, '\n'))
    expect(others.mapping.fields).toMatchObject({ cost: 'EK netto', quantity: 'Bestand' })
    const of = (path: string) => others.reasons.find((reason) => reason.path === path)?.reason
    expect(of('fields.cost')).toContain('or say as "auf Anfrage" does that no cost is known')
    expect(of('fields.quantity')).toContain('rows with others, such as "-", are refused')
    expect(reasons.find(({ path }) => path === 'fields.cost')?.reason).not.toContain('refused')
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
    ['magento2.csv', 'magento2'],
    ['shopify.csv', 'shopify'],
    ['woocommerce.csv', 'woocommerce'],
    ['woocommerce-de.csv', 'woocommerce-de'],
    ['woocommerce-wxr.xml', 'woocommerce-wxr'],
    ['prestashop.csv', 'prestashop'],
    ['prestashop-combinations.csv', 'prestashop-combinations'],
    ['vendure.csv', 'vendure'],
    ['wix.csv', 'wix'],
    ['squarespace.csv', 'squarespace'],
    ['medusa.csv', 'medusa'],
    ['ceneo.xml', 'ceneo'],
    ['heureka.xml', 'heureka'],
    ['amazon-listings.txt', 'amazon-listings'],
    ['amazon-flat-file.txt', 'amazon-flat-file'],
    ['ebay-listings.csv', 'ebay-listings'],
    ['ebay-file-exchange.csv', 'ebay-file-exchange'],
    ['idealo.csv', 'idealo'],
    ['bigcommerce.csv', 'bigcommerce'],
    ['bigcommerce-v3.csv', 'bigcommerce-v3'],
    ['shopware6.csv', 'shopware6'],
    ['opencart.csv', 'opencart'],
    ['jtl.csv', 'jtl'],
    ['odoo.csv', 'odoo'],
    ['odoo-technical.csv', 'odoo-technical'],
    ['akeneo.csv', 'akeneo'],
    ['cif.cif', 'cif'],
    ['cxml.xml', 'cxml'],
    ['icecat.xml', 'icecat'],
    ['google.xml', 'google'],
    ['bmecat-1.2.xml', 'bmecat'],
    ['bmecat-2005.xml', 'bmecat'],
  ])('for %s is the ready mapping %s', async (name, preset) => {
    const proposal = await detect(readFileSync(new URL(`../exports/${name}`, import.meta.url)))
    expect(proposal.preset).toBe(preset)
    expect(proposal.mapping).toEqual(PRESETS[preset]?.mapping)
    const reasons = proposal.reasons.map(({ reason }) => reason)
    expect(reasons.filter((reason) => reason.includes(`use --mapping ${preset}`))).toHaveLength(1)
    expect(reasons.filter((reason) => reason.includes('would be refused'))).toEqual([])
  })

  it('finds the names of the columns below a title and an address', async () => {
    const text = `Preisliste Frühjahr;;;\nLieferant GmbH;Hauptstr. 1;;\n\nArtikelnummer;Bezeichnung;EK netto;Bestand\nA-1;Spaten;12,50;3\nA-2;Säge;1.234,50;0\n`
    const { mapping, reasons } = await detect(text)
    expect(reasons).toContainEqual({ path: '', reason: 'the names of its columns are in line 4' })
    // the import finds the column names, too, even if the next file has a longer title
    expect(mapping.skipLines).toBeUndefined()
    expect(await proposed(`Neu;;;\n${text}`)).toMatchObject([
      { sku: 'A-1', cost: '12.5', quantity: 3 },
      { sku: 'A-2', cost: '1234.5', quantity: 0 },
    ])
  })

  it('names a column without a name by its place', async () => {
    const rows = [
      [null, 'Getränke', null],
      [],
      [null, null, 'Menge', 'Preis'],
      [null, 'Cola', 0.33, '2 CHF'],
      [null, 'Bier', 0.5, '5 CHF'],
    ]
    const file = await writeXlsx({ sheets: [{ name: 'x', rows }] })
    expect(await proposed(file)).toMatchObject([
      { sku: 'Cola', cost: '2', currency: 'CHF' },
      { sku: 'Bier', cost: '5' },
    ])
  })

  it('names columns of the same name by their number', async () => {
    const { mapping, form } = await detectMapping(
      chunked(
        'sku;Bild;Bild;EK\nA;https://a.example/1.jpg;https://a.example/2.jpg;1,50\nB;https://a.example/3.jpg;;2,50\n',
      ),
    )
    expect(mapping.fields).toMatchObject({ sku: 'sku', cost: 'EK', images: ['Bild#1', 'Bild#2'] })
    expect(form).toEqual({ format: 'csv', encoding: 'utf-8', delimiter: ';', headerLine: 1, rows: 2 })
  })

  it('takes XML that has its values in attributes, and names beside values', async () => {
    const text = `<offers><o id="7" url="https://a.example/p/7" price="129" delay="1" stock="2"><cat>Netzteile</cat><name>Netzteil</name>
      <imgs><main url="https://a.example/1.png"/><i url="https://a.example/2.jpg"/><i url="https://a.example/3.jpg"/></imgs>
      <attrs><a name="Leistung" unit="W">65</a><a name="Zustand">neu</a></attrs></o>
      <o id="8" url="https://a.example/p/8" price="3299" delay="1" stock="44"><name>Rechner</name><imgs><main url="https://a.example/4.png"/></imgs>
      <attrs><a name="Zustand">gebraucht</a></attrs></o></offers>`
    expect(await proposed(text)).toMatchObject([
      {
        sku: '7',
        cost: '129',
        quantity: 2,
        category: 'Netzteile',
        texts: { en: { title: 'Netzteil' } },
        images: ['https://a.example/1.png', 'https://a.example/2.jpg', 'https://a.example/3.jpg'],
      },
      { sku: '8', cost: '3299', images: ['https://a.example/4.png'] },
    ])
    const [offer] = (await proposed(text)) as { attributes: unknown[] }[]
    expect(offer?.attributes.slice(0, 2)).toEqual([
      { key: 'Leistung', value: '65 W' },
      { key: 'Zustand', value: 'neu' },
    ])
  })

  it('prefers the price of purchase to what was sold and to the price of sale', async () => {
    const text =
      'Artikelnummer,Artikelname,Menge,Umsatz Netto,Brutto-VK,Netto-VK,Durchschnittlicher Einkaufspreis (netto),UVP\nA,x,641,21454.58,"34,95","29,37","26,62","44,90"\nB,y,1,962.04,"2,95","2,37","1,62","3,90"\n'
    expect(await proposed(text)).toMatchObject([
      { sku: 'A', cost: '26.62', quantity: 641 },
      { sku: 'B', cost: '1.62' },
    ])
  })

  it.each([
    ['PRODUCTNO;PRICE_VAT', { column: 'PRICE_VAT', kind: 'selling', vat: 'included' }],
    ['SKU;Retail price', { column: 'Retail price', kind: 'selling', vat: 'unknown' }],
    ['SKU;Price without VAT', undefined],
    ['SKU;Price', undefined],
  ])('says of the costs of %j whether the shop probably sells at them', async (header, price) => {
    const { mapping, prices, reasons } = await detect(`${header}\nA;12,50\nB;8,00\n`)
    const column = header.split(';')[1]
    expect(mapping.fields.cost).toBe(column)
    expect(prices).toEqual(price === undefined ? [] : [price])
    const reason = reasons.find(({ path }) => path === 'fields.cost')?.reason ?? ''
    expect(reason.includes('probably the price at which the shop sells')).toBe(price !== undefined)
    expect(reason.includes('makes one with 19% VAT net')).toBe(price !== undefined)
  })

  it.each(['Cost per item', 'standard_cost', 'Purchase price', 'EK', 'Nákupní cena', 'Cena zakupu', 'Dealer price'])(
    'takes %s for the cost, whatever other prices there are, unless most rows lack it',
    async (own) => {
      const file = (first: string, second: string) =>
        `SKU;Price;PRICE_VAT;${own}\nA;10,00;12,10;${first}\nB;20,00;24,20;${second}\n`
      expect((await detect(file('6,00', '12,00'))).mapping.fields.cost).toBe(own)
      for (const empty of ['', '0,00']) expect((await detect(file('6,00', empty))).mapping.fields.cost).toBe('Price')
    },
  )

  it('of a shop’s export reads what the shop pays where that is filled, and says otherwise what its prices are', async () => {
    const header =
      'Handle,Title,Body (HTML),Vendor,Type,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Option3 Name,Option3 Value,Variant SKU,Variant Price,Variant Barcode,Image Src,Cost per item'
    const row = (sku: string, cost: string) => `h-${sku},t,,v,ty,Title,Default Title,,,,,${sku},20.00,,,${cost}\n`
    const paid = await detect(`${header}\n${row('A', '12.00')}${row('B', '11.00')}`)
    expect(paid.preset).toBe('shopify')
    expect(paid.mapping).toEqual({
      ...PRESETS['shopify']?.mapping,
      fields: { ...PRESETS['shopify']?.mapping.fields, cost: 'Cost per item' },
    })
    expect(paid.reasons.find(({ path }) => path === 'fields.cost')?.reason).toContain(
      '{"preset": "shopify", "fields": {"cost": "Cost per item"}}',
    )
    const sold = await detect(`${header}\n${row('A', '')}${row('B', '')}`)
    expect(sold.mapping.fields.cost).toBe('Variant Price')
    expect(sold.prices).toEqual([{ column: 'Variant Price', kind: 'selling', vat: 'unknown' }])
    expect(sold.reasons.find(({ path }) => path === 'fields.cost')?.reason).toContain('perhaps with VAT')
    const feed = await detect(
      'id\ttitle\tlink\timage link\tavailability\tprice\tcost of goods sold\n1\tx\thttps://a.example\thttps://a.example/1.jpg\tin stock\t5 EUR\t3 EUR\n',
    )
    expect(feed.mapping.fields.cost).toBe('cost_of_goods_sold')
  })

  it.each([
    ['EAN,Name,Cost,Stock\n4006381333931,Felt,0.90,4\n5901234123457,Wool,1.20,0\n', /"EAN" the key.*it has EANs/],
    ['Name,Cost,Stock\nFelt sheet,0.90,4\nWool felt,1.20,0\n', /"Name" the key.*it has titles/],
    [
      'SKU,Name,Cost,Track inventory,In stock\nA,Felt,0.90,true,yes\nB,Wool,1.20,true,no\n',
      /"In stock", which says only yes or no/,
    ],
    ['SKU,Name,Cost\nA,Felt,0.90\nB,Wool,1.20\n', /no column was found for the quantity/],
    ['SKU,Qty\nA,4\nB,0\n', /no column was found for the title.*no column was found for the cost/],
    [
      'SKU,Beschr,Betrag X,Qty\nA,Felt in sheets,"0,90",4\nB,Wool felt,"1,20",0\n',
      /title of the articles.*what you pay/,
    ],
    [
      '[{"sku":"A","name":"Felt","qty":1,"prices":[{"price":7.5},{"price":12}]},{"sku":"B","name":"Wool","qty":2,"prices":[{"price":8}]}]',
      /^the cost is the first of up to 2 in "prices.price"; the others are left out/,
    ],
    [
      '[{"sku":"A","name":"Felt","price":1,"stock":[{"qty":3},{"qty":0}]},{"sku":"B","name":"Wool","price":2,"stock":[{"qty":4}]}]',
      /^the quantity is the first of up to 2 in "stock.qty"/,
    ],
    // a single element each: nothing is left out
    [
      '[{"sku":"A","name":"Felt","price":1,"stock":[{"qty":3}]},{"sku":"B","name":"Wool","price":2,"stock":[{"qty":4}]}]',
      /^$/,
    ],
  ])('asks about what is doubtful in %j', async (text, question) => {
    const asked: string[] = []
    await detectMapping(chunked(text), (warning) => asked.push(warning))
    expect(asked.join(' ')).toMatch(question)
  })

  it('takes no switch for a quantity where another column counts', async () => {
    const text =
      'sku,name,price,trackInventory,In stock,Manage stock,stockOnHand\nA,Felt,0.90,true,yes,1,40\nB,Wool,1.20,false,no,1,0\n'
    const asked: string[] = []
    const { mapping } = await detectMapping(chunked(text), (warning) => asked.push(warning))
    expect(mapping.fields.quantity).toBe('stockOnHand')
    expect(asked).toEqual([])
  })

  it('reads prices of a known system with the decimal sign that they show', async () => {
    const feed = (price: string) =>
      `id\ttitle\tlink\timage link\tavailability\tprice\n1\tx\thttps://a.example\thttps://a.example/1.jpg\tin stock\t${price}\n`
    expect(await proposed(feed('49,90 TND'))).toMatchObject([{ sku: '1', cost: '49.9', currency: 'TND' }])
    expect((await detect(feed('49.90 TND'))).mapping).toEqual(PRESETS['google']?.mapping)
  })

  it('says what would be refused, and which rows have the key of another', async () => {
    const header =
      'Handle,Title,Body (HTML),Vendor,Type,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Option3 Name,Option3 Value'
    const rest = 'Variant SKU,Variant Price,Variant Barcode,Image Src'
    const row = (sku: string, price: string) => `h,t,,v,ty,Size,${sku}${price},,,,,${sku},${price},,\n`
    const { reasons } = await detect(`${header},${rest}\n${row('A', '1')}${row('A', '2')}${row('B', 'x')}`)
    const said = reasons.map(({ reason }) => reason)
    expect(said).toEqual(
      expect.arrayContaining([
        'of the first 3 rows it makes 2 offers',
        '1 of 3 rows have the "Variant SKU" of another one: the options are a part of the key',
        expect.stringMatching(/^1 row would be refused: cost must be a decimal/),
      ]),
    )
    // with the options the keys differ
    expect(said.join()).not.toContain('that of an earlier row')
  })

  it('for a Google table is that of Google', async () => {
    const text =
      'ID\tTitle\tLink\tImage link\tAvailability\tPrice\n1\tx\thttps://a.example\thttps://a.example/1.jpg\tin stock\t5 EUR\n'
    expect((await detect(text)).preset).toBe('google')
  })

  it.each([
    ['<html><body>x</body></html>', /HTML page/],
    ['name,price\nSpade,1\nHoe,1\nSpade,1\n', /no column .*"name" comes nearest, but "Spade" is in several rows/],
    ['a,b\n', /has no rows/],
    ['a,b,c\n1,2\n3,4\n', /has no rows.*line 2 has 2 columns where the header has 3/],
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

it('takes a purchase price that has to be asked for in most rows, and no column without any', async () => {
  const lines = Array.from(
    { length: 10 },
    (_, i) => `A-${i};Spaten ${i};${i < 2 ? '12,50' : 'auf Anfrage'};${i + 20},00;-`,
  )
  const { mapping, reasons } = await detect(`sku;Name;EK;UVP;Preis\n${lines.join('\n')}\n`)
  expect(mapping.fields.cost).toBe('EK')
  expect(reasons.find(({ path }) => path === 'fields.cost')?.reason).toContain('or say as "auf Anfrage" does')
  const none = await detect('sku;Name;EK\nA;Spaten;auf Anfrage\nB;Harke;auf Anfrage\n')
  expect(none.mapping.fields.cost).toBeUndefined()
})

it('proposes UTF-8 for what is that, whatever encoding it states', async () => {
  const xml = (encoding: string, tag = 'Stück') =>
    `<?xml version="1.0" encoding="${encoding}"?>\n<Katalog><${tag}><sku>A</sku><title>Schöner</title></${tag}><${tag}><sku>B</sku><title>größer</title></${tag}></Katalog>`
  expect((await detect(xml('windows-1252', 'item'))).mapping.encoding).toBe('utf-8')
  for (const stated of ['windows-1252', 'ISO-8859-1', 'windows-1250']) {
    const { mapping, form, reasons } = await detect(xml(stated))
    expect(mapping.encoding).toBe('utf-8')
    expect(form.encoding).toBe('utf-8')
    expect(reasons.filter(({ path }) => path === 'encoding')).toEqual([
      { path: 'encoding', reason: expect.stringContaining(`although it says that it is ${stated}`) as string },
    ])
    expect(await readAll(xml(stated), mapping)).toMatchObject([{ offer: { sku: 'A' } }, { offer: { sku: 'B' } }])
    expect(JSON.stringify(await proposed(xml(stated)))).toContain('Schöner')
  }
  // one of its bytes has no meaning in the stated encoding
  expect((await detect(xml('windows-1251', 'item').replace('größer', 'Инструмент'))).mapping.encoding).toBe('utf-8')
  const right = await detect(iconv.encode(xml('windows-1252'), 'windows-1252'))
  expect(right.mapping.encoding).toBe('windows-1252')
})

it('takes no sum and no note for an article when it looks what columns are', async () => {
  const list = 'sku;Name;EK;Bestand\nA-1;x;1,50;1\nA-2;y;2,50;2\n* zzgl. MwSt;;;\nSumme;;4,00;3\nsku;Name;EK;Bestand\n'
  const { mapping, form } = await detect(list)
  expect(mapping.fields).toMatchObject({ sku: 'sku', title: 'Name', cost: 'EK', quantity: 'Bestand' })
  expect(form.rows).toBe(2)
})

it('knows EANs behind an apostrophe or with blanks, and the stock of a Czech list', async () => {
  const list =
    "Kód;Název;EAN;Nákupní cena;Sklad\nK1;Kbelík;'4006381333931;12,50;> 5 ks\nK2;Hadice;5 901234 123457;8,90;není\n"
  const { mapping } = await detect(list)
  expect(mapping.fields).toMatchObject({ ean: 'EAN', quantity: 'Sklad' })
  expect(await proposed(list)).toMatchObject([
    { eans: ['4006381333931'], quantity: 5 },
    { eans: ['5901234123457'], quantity: 0 },
  ])
})

it('knows titles and pictures of a short list in which some are missing', async () => {
  const list =
    'Artikelnummer;Bezeichnung;EAN;EK-Preis;Bestand;Bild\nU-1;Gießkanne;4006381333931;12,90;3;-\nU-2;Spaten;n/a;9,95;1;https://img.example/2.jpg\n' +
    'U-3;Rechen;;8,50;7;https://img.example/3.jpg\nU-4;-;4006381333948;4,50;2;https://img.example/4.jpg\n'
  const { mapping } = await detect(list)
  expect(mapping.fields).toMatchObject({ title: 'Bezeichnung', ean: 'EAN', images: 'Bild' })
})

it('takes no year for the key, and no kind of goods for the category where a column of categories says more', async () => {
  const records =
    'Catalog#,Title,Released,release_id\n74321 30896 2,Mondo,1995,756511\nPD 75274,Carboni,1992,1034521\nEPC 51,Cuore,2003,2733321\n'
  expect((await detect(records)).mapping.fields.sku).toBe('release_id')
  const rows = Array.from(
    { length: 24 },
    (_, i) => `S-${i},Item ${i},${i % 9 === 0 ? 'service' : 'goods'},Kind ${i % 5},${i}.50,3\n`,
  )
  const { mapping } = await detect(`SKU,Item Name,Product Type,Category Name,Purchase Price,Stock\n${rows.join('')}`)
  expect(mapping.fields.category).toBe('Category Name')
})

it('brings rows together by a column that is as their titles are, and not by one that says more', async () => {
  const rows = ['H-1;M1;Tools;Hammer;5,00', 'H-2;M1;Tools;;6,00', 'H-3;M2;Tools;Saw;7,00', 'H-4;M2;Tools;Saw;7,50']
  const head = 'Artikelnummer;Modell;Warengruppe;Bezeichnung;EK'
  const { mapping } = await detect([head, ...rows, ''].join('\n'))
  expect(mapping.group).toEqual({ by: 'Modell', inherit: ['Bezeichnung'] })
  // a model with two titles, and one that is repeated further down
  for (const row of ['H-5;M2;Tools;Axe;8,00', 'H-5;M1;Tools;Hammer;8,00']) {
    const other = await detect([head, ...rows, row, ''].join('\n'))
    expect(other.mapping.group).toMatchObject({ by: 'Bezeichnung', continues: true })
  }
})
