import { writeXlsx } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'
import { detectMapping } from './detect.ts'
import { chunked, readAll } from '../fixtures.ts'
import { upperHeader } from './header-line.ts'
import { parseMapping } from '../mapping/mapping.ts'
import { readOfferPages } from '../read-offers.ts'
import { listPathOf, recordPathOf } from './record-path.ts'
import { defaultLimits } from '../rows.ts'

// Files that are easily misunderstood: what is uncertain is asked, and never proposed silently.

async function detect(text: string) {
  const asked: string[] = []
  const { mapping, reasons } = await detectMapping(chunked(Buffer.from(text)), (question) => asked.push(question))
  return { mapping, reasons, asked: asked.join('\n') }
}

describe('the records of a document', () => {
  it('are the items of a feed of few known names, and not the channel around them', async () => {
    const item = (no: number) =>
      `<item><title>Cup ${no}</title><link>https://a.example/${no}</link><netto>${no}.50</netto><saldo_x>4</saldo_x></item>`
    const feed = `<rss><channel><title>Shop</title><link>https://a.example</link><description>All</description><image><url>https://a.example/a.png</url></image>${item(1)}${item(2)}${item(3)}</channel></rss>`
    expect(await recordPathOf(feed)).toEqual({ path: 'rss.channel.item' })
  })

  it('are rows of unknown names, and not who sends them', async () => {
    const about = '<code>7</code><name>Acme</name><description>Tools</description><logo>https://a.example/l.png</logo>'
    const row = (no: number) => `<row><c1>A${no}</c1><c2>Cup</c2><c3>2.50</c3><c4>3</c4></row>`
    const rows = [1, 2, 3].map(row).join('')
    expect(await recordPathOf(`<export><supplier>${about}</supplier>${rows}</export>`)).toEqual({ path: 'export.row' })
    const counted = `${about}<quantity>3</quantity>`
    expect(await recordPathOf(`<export><header>${counted}</header>${rows}</export>`)).toEqual({ path: 'export.row' })
  })

  it('are rows of unknown names, and not contacts or fewer warehouses', async () => {
    const rows = [1, 2, 3].map((no) => ({ c1: `A${no}`, c2: 'Cup', c3: 2.5, c4: 3 }))
    const contacts = [1, 2, 3].map((no) => ({ code: `K${no}`, name: 'Ann', description: 'Sales', image: 'a.png' }))
    expect(await listPathOf(JSON.stringify({ rows, contacts }))).toEqual({ path: 'rows' })
    const warehouses = [{ code: 'W1', name: 'Main', description: 'North', quantity: 7 }]
    expect(await listPathOf(JSON.stringify({ rows, warehouses }))).toEqual({ path: 'rows' })
  })

  it('are asked about where they are not the first list', async () => {
    const categories = [1, 2].map((id) => ({ id, name: `Cups ${id}` }))
    const products = [1, 2].map((no) => ({ sku: `C-${no}`, name: `Cup ${no}`, price: no + 0.5, stock: no }))
    const { mapping, reasons, asked } = await detect(JSON.stringify({ categories, products }))
    expect(mapping.items).toBe('products')
    expect(asked).toContain('from "products", and not from the first list of records, "categories": is that right?')
    expect(reasons.find(({ path }) => path === 'items')?.reason).not.toContain('first list')
  })

  it('are found without looking at the same names again in each record', async () => {
    const names = Object.fromEntries(Array.from({ length: 150 }, (_, no) => [`member${no}x`, 1]))
    const head = JSON.stringify({ list: [names, ...Array.from({ length: 20_000 }, () => ({}))] })
    const begin = performance.now()
    expect(await listPathOf(head)).toEqual({ path: 'list' })
    expect(performance.now() - begin).toBeLessThan(2_000)
  })
})

describe('the second line of a table', () => {
  const rows = (price: (no: number) => string) =>
    ['Code,Name,,Price,Note', `A1,Mug,red,${price(1)},`, `A2,Cup,blue,${price(2)},new`, `A3,Jug,red,${price(3)},`]
      .map((line) => `${line}\n`)
      .join('')

  it.each([
    ['in a currency', (no: number) => `1${no}.50 EUR`],
    ['in another currency', (no: number) => `${no}20 Kč`],
    ['that have to be asked for', (no: number) => (no === 1 ? 'on request' : `${no}.50 zł`)],
  ])('is an article, whose prices are %s, although a column has no name', async (_, price) => {
    const { mapping } = await detect(rows(price))
    expect(mapping.headerLines).toBeUndefined()
    expect(mapping.fields).toMatchObject({ sku: 'Code', cost: 'Price' })
  })

  it('is no second line of names below a title with a date', () => {
    const lines = ['List;;02/11/2026;', 'Code;Name;;Price', 'A1;Mug;red;2.50', 'A2;Cup;blue;3.50', 'A3;Jug;red;1.50']
    const records = lines.map((line, place) => ({ line: place + 1, cells: line.split(';') }))
    expect(upperHeader(records, 2)).toBeUndefined()
  })

  it('is asked about where it names columns, too', async () => {
    const { mapping, asked } = await detect(
      'No.;Name;Price;;Stock\n;;net;gross;\nA1;Cup;2.5;4.9;7\nA2;Jug;3.5;6.9;0\nA3;Mug;1.5;2.9;4\n',
    )
    expect(mapping).toMatchObject({ headerLines: 2, fields: { cost: 'Price net' } })
    expect(asked).toContain('two lines, of which line 1 is the first: is the second one no article?')
  })
})

describe('a price of another kind', () => {
  const table = (...names: string[]) => {
    const amounts = (no: number) => names.map((_, place) => `${no + place},50`)
    const line = (no: number) => [`A${no}`, `Tea cup ${no}`, ...amounts(no), `${no}`].join(';')
    return [['sku', 'name', ...names, 'qty'].join(';'), line(1), line(2), line(3), ''].join('\n')
  }

  it.each([
    'Цена продажи',
    'Цена МРЦ',
    'cena doporučená',
    'cena dla klienta',
    'Цена для клиента',
    'Prix livraison',
    'Prix emballage',
    'Цена упаковки',
    'cena paczki',
    'cena spedizione',
    'Цена сегодня',
  ])('is asked about where it is alone: %s', async (name) => {
    const { mapping, asked } = await detect(table(name))
    expect(mapping.fields.cost).toBe(name)
    expect(asked).toContain(`is "${name}" what you pay for the articles?`)
  })

  it.each([
    ['Цена продажи', 'Закуп'],
    ['cena doporučená', 'Vaše'],
    ['Prix livraison', 'Montant net'],
    ['cena paczki', 'hurt'],
    ['Цена упаковки', 'Сумма'],
  ])('is not taken for the cost beside other amounts: %s, %s', async (...names) => {
    const { mapping, asked } = await detect(table(...names))
    expect(mapping.fields.cost).toBeUndefined()
    expect(asked).toContain('which one is it?')
  })

  it('comes behind a name of which a known word is a part', async () => {
    expect((await detect(table('Prix livraison', 'Votre tarif remisé'))).mapping.fields.cost).toBe('Votre tarif remisé')
    expect((await detect(table('Prix A', 'Votre tarif remisé'))).mapping.fields.cost).toBe('Votre tarif remisé')
  })

  it('has other amounts asked about beside it', async () => {
    const { asked } = await detect(table('Цена сегодня', 'Закуп'))
    expect(asked).toContain('which one is what you pay for the articles?')
    expect(asked).toContain('"Закуп"')
  })

  it('is no measure of whole feet', async () => {
    const { mapping } = await detect('sku;name;Box (ft)\nA1;Tea cup one;12\nA2;Tea cup two;15\nA3;Tea cup three;18\n')
    expect(mapping.fields.cost).toBeUndefined()
  })
})

describe('a file of short rows that is cut off', () => {
  const mapping = parseMapping({
    format: 'csv',
    locale: 'en',
    shortRows: true,
    fields: { sku: 'id', title: 'name', cost: { column: 'price', optional: true } },
  })
  const read = async (last: string) => {
    const warnings: string[] = []
    const file = chunked(`id,name,price,stock,note\n1,Cup,2.5,4,x\n2,Jug,3.5\n3,Mug,1.5\n${last}`)
    const rows: unknown[] = []
    for await (const page of readOfferPages(file, mapping, defaultLimits, (warning) => warnings.push(warning)))
      rows.push(...page)
    return { rows, warnings: warnings.join('\n') }
  }

  it.each(['4,"Pot"', '4,Pot', '4,Pot,', '4,Pot,9.5,'])('is refused where it ends with %s', async (last) => {
    await expect(read(last)).rejects.toThrow('the file is cut off')
  })

  it('is warned of where it ends like other rows, also after a quote', async () => {
    for (const last of ['4,Pot,9.5', '4,Pot,"9.5"']) {
      const { rows, warnings } = await read(last)
      expect(rows).toHaveLength(4)
      expect(warnings).toContain('line 5: the last line has no line end, and 3 of 5 columns')
    }
    expect((await read('4,Pot,9.5\n')).warnings).toBe('')
  })
})

describe('names of columns in two lines', () => {
  const mapping = {
    format: 'csv',
    locale: 'en',
    headerLines: 2,
    fields: { sku: 'No.', title: 'Name', cost: 'Price net' },
  }
  const table = 'No.,Name,Price,\n,,net,gross\nA1,Cup,2.5,4.9\n'

  it('are found below lines with something else', async () => {
    for (const above of ['', 'Price list,,,\n', 'Price list,,,\nAll prices in EUR,,,\nCall us,,,\n'])
      expect(await readAll(above + table, mapping)).toMatchObject([{ offer: { sku: 'A1', cost: '2.5' } }])
  })

  it('are missed in a file of one line by the words of the mapping', async () => {
    await expect(readAll('No.,Name,Price,\n', mapping)).rejects.toThrow('ends before the 2 lines that name the columns')
  })
})

it('says that articles without a key are recognized by their title, and not that they are refused', async () => {
  const line = (no: number) => `${no % 5 === 0 ? '' : `A${no}`};Tea cup number ${no};${no},50;${no}\n`
  const { reasons } = await detect(`sku;name;cost;stock\n${Array.from({ length: 20 }, (_, no) => line(no)).join('')}`)
  const reason = reasons.filter(({ path }) => path === 'fields.sku').map((one) => one.reason)
  expect(reason.join()).toContain('articles are recognized by their title')
  expect(reason.join()).not.toContain('refused')
})

describe('what one import leaves out', () => {
  it('is asked about where other sheets have the same columns', async () => {
    const header = ['Codice', 'Prodotto', 'Prezzo', 'Giacenza']
    const sheet = (name: string, key: string) => ({
      name,
      rows: [header, [`${key}1`, 'Mestolo', 4.2, 12], [`${key}2`, 'Vassoio', 9.9, 5]],
    })
    const propose = async (sheets: ReturnType<typeof sheet>[]) => {
      const asked: string[] = []
      await detectMapping(chunked(await writeXlsx({ sheets })), (question) => asked.push(question))
      return asked.join()
    }
    expect(await propose([sheet('CUCINA', 'C'), sheet('BAGNO', 'B')])).toContain(
      'the sheet "BAGNO" has the same columns as "CUCINA", and an import reads one',
    )
    const names = { name: 'Vuoto', rows: [header] }
    expect(await propose([sheet('CUCINA', 'C'), names])).not.toContain('the same columns')
  })

  it('is asked about where a record lists several articles', async () => {
    const product = (no: number) => ({
      name: `Tee ${no}`,
      price: '20.00',
      stock: 4,
      variants: ['S', 'M', 'L'].map((size) => ({ sku: `T${no}-${size}` })),
    })
    const { asked } = await detect(JSON.stringify({ products: [product(1), product(2)] }))
    expect(asked).toContain('a record has up to 3 articles in "variants.sku", and the first of them is read')
  })
})

describe('columns that are something else than they are called', () => {
  it('are contents of bottles, and no pieces', async () => {
    const { mapping } = await detect('Artikel;Menge;Preis\nSaft;0,33;3,10\nTee;0,5;4,20\nWasser;1,5;6,00\n')
    expect(mapping.fields.quantity).toBeUndefined()
    const metres = await detect('Artikel;Menge;Preis\nSeil;12,5;3,10\nDraht;40,5;4,20\nGurt;1,5;6,00\n')
    expect(metres.mapping.fields.quantity).toBe('Menge')
    const stock = await detect('sku,name,price,stock\nA,Rope,3.10,0.5\nB,Wire,4.20,0.75\nC,Belt,6.00,3\n')
    expect(stock.mapping.fields.quantity).toBe('stock')
  })

  it('are pictures in their order, the main one first', async () => {
    const row = (no: number) =>
      `P${no},Cup ${no},2.50,https://a.example/${no}b.jpg,https://a.example/${no}.jpg,https://a.example/${no}c.jpg`
    const { mapping } = await detect(`sku,name,price,resimler1,ana_resim,resimler2\n${[1, 2, 3].map(row).join('\n')}\n`)
    expect(mapping.fields.images).toEqual(['ana_resim', 'resimler1', 'resimler2'])
  })

  it('are texts in the language behind their names, and no numbers of articles', async () => {
    const { mapping } = await detect('id,nameEs,nameZh,price\n71,Oso,熊,19.50\n72,Gato,猫,6.50\n')
    expect(mapping.fields).toMatchObject({ 'title.es': 'nameEs', 'title.zh': 'nameZh' })
    expect((await detect('partNo,name,price\nA71,Oso,19.50\nA72,Gato,6.50\n')).mapping.fields.sku).toBe('partNo')
  })

  it('are days, of which no key is made where makers distinguish articles', async () => {
    const { mapping } = await detect(
      'producto,marca,precio_unitario,fecha_ingreso\nAgua 50ml,Norte,18.5,2025-03-04\nAgua 50ml,Costa,21.0,2025-05-11\nLimón 50ml,Norte,17.2,2024-11-20\nLimón 50ml,Costa,19.9,2025-01-08\n',
    )
    expect(mapping.fields.sku).toEqual({ join: ['producto', 'marca'], with: '/' })
  })

  it.each([
    ['Nr;Name;Preis;Bestand', ['01.02.03', '01.02.04', '02.01.01'], 'Nr'],
    ['Nr;Name;Preis;Bestand', ['12-34-56', '12-34-57', '13-01-02'], 'Nr'],
    ['Pos code;Colour;Price;Stock', ['10.20.3000', '10.20.3001', '10.20.3002'], 'Pos code'],
    ['Stelle;Farbe;Preis;Bestand', ['99/88/77', '99/88/78', '99/89/01'], 'Stelle'],
    ['fecha;Name;Preis;Bestand', ['01.02.03', '02.02.03', '03.02.03'], 'Name'],
    ['Aufgenommen;Name;Preis;Bestand', ['2025-03-04', '2025-05-11', '2024-11-20'], 'Name'],
  ])('are numbers of articles written like days, and days: %s, %s', async (names, keys, sku) => {
    const lines = keys.map((key, no) => `${key};${['Red cup', 'Blue jug', 'Green mug'][no]};${no + 2},50;${no + 4}\n`)
    expect((await detect(`${names}\n${lines.join('')}`)).mapping.fields.sku).toBe(sku)
  })

  it('are days that rows share, and no repeated numbers that are none', async () => {
    const rows = (names: string, first: readonly string[]) =>
      `${names}\n${first.map((value, no) => `${value};${['Cup', 'Jug'][no % 2]};${['Oak', 'Elm'][no >> 1]};${no + 2},50\n`).join('')}`
    const days = await detect(rows('Stand;Ware;Marke;Preis', ['01.02.26', '01.02.26', '02.02.26', '03.02.26']))
    expect(days.mapping.fields.sku).toEqual({ join: ['Ware', 'Marke'], with: '/' })
    const codes = await detect(
      rows('Stand;Farbe;Marke;Preis', ['10.20.3001', '10.20.3001', '10.20.3002', '10.20.3003']),
    )
    expect(codes.mapping.fields.sku).toEqual({ join: ['Stand', 'Farbe'], with: '/' })
  })
})

it.each([
  ['an id that is none of these', (no: number) => 90_000 + no, 'id'],
  ['the number of another article', (no: number) => 1_000 + no, 'name'],
  ['a number as long as those', (no: number) => 5_000 + no, 'name'],
])('recognizes articles without a number by an id only where it can be no other number: %s', async (_, id, by) => {
  const articles = Array.from({ length: 20 }, (__, at) => ({
    id: id(at),
    sku: at % 5 === 0 ? '' : String(1_002 + at),
    name: `Article ${at}`,
    price: `${at}.50`,
  }))
  const { mapping } = await detectMapping(chunked(JSON.stringify(articles)))
  expect(mapping.fields.sku).toEqual({ when: { column: 'sku', empty: true }, use: by, else: 'sku' })
})
