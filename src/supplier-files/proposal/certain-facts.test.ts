import { writeXlsx } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'
import { detectMapping } from './detect.ts'
import { chunked, readAll } from '../fixtures.ts'

// Errors that detection made with unknown files, one test per cause: test/fixtures/supplier-files has the files, and
// docs/decisions/269-what-is-certain-is-read.md says why.

async function proposed(file: string) {
  const questions: string[] = []
  const { mapping } = await detectMapping(chunked(file), (question) => questions.push(question))
  const offers = JSON.parse(JSON.stringify(await readAll(file, mapping))) as { offer?: Record<string, unknown> }[]
  return {
    mapping,
    fields: { ...mapping.fields } as Record<string, unknown>,
    questions,
    offers: offers.flatMap(({ offer }) => (offer === undefined ? [] : [offer])),
  }
}

const table = (columns: string, ...rows: readonly string[]) => `${columns}\n${rows.join('\n')}\n`

describe('the price of a catalog, or for the public', () => {
  const rows = ['A;Lamp;12,50;19,90', 'B;Desk;80,00;129,00', 'C;Chair;44,10;69,00']

  it.each(['Listino', 'Listpris', 'prezzo_pubblico', 'Liste Fiyatı (TL)', 'Precio de lista'])(
    'is the list price where it is above the cost, and that is asked: %s (I183)',
    async (column) => {
      const { fields, questions } = await proposed(table(`sku;name;Netto;${column}`, ...rows))
      expect(fields).toMatchObject({ cost: 'Netto', list_price: column })
      expect(questions).toContain(
        `"${column}" is taken for the list price, which shops show beside a lower price, because it is above "Netto": is it a price that you may show?`,
      )
    },
  )

  it.each(['retail_price', 'Цена розничная', 'Precio minorista'])(
    'is asked about where it may be what the merchant asks for: %s (I183)',
    async (column) => {
      const { fields, questions } = await proposed(table(`sku;name;Netto;${column}`, ...rows))
      expect(fields['list_price']).toBeUndefined()
      expect(questions.join()).toContain(`is "${column}" what the supplier recommends to ask for?`)
    },
  )

  it('is none where it is below the cost', async () => {
    const { fields } = await proposed(table('sku;name;Listino;Netto', ...rows))
    expect(fields['list_price']).toBeUndefined()
  })
})

describe('costs', () => {
  it('are those of a column of purchases beside lists of several prices', async () => {
    const article = (n: number) => ({
      id: `A-${n}`,
      title: `Bag ${n}`,
      price: n * 20 + 0.5,
      wholesalePrice: n + 0.5,
      platforms: [1, 2, 3, 4].map((m) => ({ name: `P${m}`, price: n * 21 + m })),
    })
    const { fields } = await proposed(JSON.stringify({ products: [1, 2, 3].map(article) }))
    expect(fields['cost']).toBe('wholesalePrice')
  })

  it('are none of the pieces that a price is for (I183)', async () => {
    const text = table(
      'sku;omschrijving;prijsPer;verkoopprijs',
      'A;Balk;1;13,20',
      'B;Plug;100;17,50',
      'C;Bout;100;23,00',
    )
    const { offers, questions } = await proposed(text)
    expect(offers.map(({ cost }) => cost)).toEqual(['13.2', '0.175', '0.23'])
    expect(questions.join()).toContain('"verkoopprijs" is taken for the price of as many pieces as "prijsPer" says')
  })
})

describe('quantities', () => {
  const packs = ['1,Cola,12,2.50,30.00', '2,Water,24,1.20,28.80', '3,Juice,6,3.10,18.60', '4,Beer,12,2.90,34.80']

  it('are no pieces of a pack, which its price shows (I183)', async () => {
    const { fields, questions } = await proposed(
      table('codigo,produto,quantidade,preco_unitario,preco_caixa', ...packs),
    )
    expect(fields['quantity']).toBeUndefined()
    expect(questions).toContain(
      'no quantity is read from "quantidade": "preco_caixa" is "preco_unitario" times it in every row, so it is how many pieces a pack has. Is that right?',
    )
  })

  it('are pieces where the other price is what is there altogether', async () => {
    const { fields } = await proposed(table('codigo,produto,quantidade,preco_unitario,valor_total', ...packs))
    expect(fields['quantity']).toBe('quantidade')
  })

  it.each(['Verkaufswert', 'Valor venta', 'Valore vendita', 'Balance', 'Confirmed', 'Količinska vrednost'])(
    'are pieces beside %s, which names no pack',
    async (total) => {
      const { fields } = await proposed(table(`codigo,produto,quantidade,preco_unitario,${total}`, ...packs))
      expect(fields['quantity']).toBe('quantidade')
    },
  )

  it.each(['preco VE', 'VPE-Preis', 'prezzo conf.', 'cena bal.', 'cena balení'])(
    'are those of a pack beside %s',
    async (total) => {
      const { fields } = await proposed(table(`codigo,produto,quantidade,preco_unitario,${total}`, ...packs))
      expect(fields['quantity']).toBeUndefined()
    },
  )

  it('are asked about where nearly all are multiples of 6', async () => {
    const stock = (values: readonly number[]) =>
      proposed(
        table('codigo,produto,quantidade,preco', ...values.map((value, n) => `${n + 70},Item ${n}x,${value},${n}.50`)),
      )
    const question = 'nearly all of its values are multiples of 6'
    expect((await stock([12, 24, 12, 6, 48, 12, 24, 12])).questions.join()).toContain(question)
    expect((await stock([24, 12, 24, 12, 15, 24])).questions.join()).toContain(question)
    expect((await stock([12, 24, 13, 6, 40, 12, 24, 12])).questions.join()).not.toContain(question)
  })

  it.each(['előző havi készlet', 'készlet előző', 'previous készlet'])(
    'are not those of last month: %s',
    async (column) => {
      const rows = ['A;Csavar;20;14;100', 'B;Henger;21;17;150', 'C;Anya;22;20;110']
      const { fields, questions } = await proposed(table(`cikkszám;megnevezés;${column};jelenlegi készlet;ár`, ...rows))
      expect(fields['quantity']).toBe('jelenlegi készlet')
      expect(questions.join()).not.toContain('is the sum of')
    },
  )

  it('are those of all shops together where a column has them', async () => {
    const rows = ['A;Termos;7;7;7;10,50', 'B;Terazi;8;8;8;20,50', 'C;Tahta;9;9;9;30,50']
    const { fields } = await proposed(table('Stok Kodu;Ürün Adı;Trendyol Stok;N11 Stok;Ortak Stok;Fiyat', ...rows))
    expect(fields['quantity']).toBe('Ortak Stok')
  })

  it('have decimals where one begins with 0, as no thousands do', async () => {
    const rows = ['A,Punta,-6.000', 'B,Vite,1.000', 'C,Dado,0.000', 'D,Bullone,12.000']
    const { mapping, offers } = await proposed(table('CODART,Descrizione_Articolo,Saldo_Disponibile', ...rows))
    expect(mapping.decimal).toBe('.')
    expect(offers.map(({ quantity }) => quantity)).toEqual([0, 1, 0, 12])
  })
})

describe('records', () => {
  const article = (inner: string) =>
    `<SHOP><PART><ARTIKEL><ARTNR>022-4</ARTNR><BEZEICHNUNG>Lackstift</BEZEICHNUNG><VKNETTO>8,4</VKNETTO><STOCK>10</STOCK>${inner}</ARTIKEL></PART></SHOP>`
  const property = (name: string) =>
    `<MERKMAL><SCHLUESSEL>${name}</SCHLUESSEL><MERKMAL>Farbe ${name}</MERKMAL><WERT>${name}</WERT><ART>A</ART></MERKMAL>`

  it('are articles, and not the properties of the only one (I183)', async () => {
    const { mapping, offers } = await proposed(article(property('G') + property('H')))
    expect(mapping.items).toBe('SHOP.PART.ARTIKEL')
    expect(offers.map(({ sku }) => sku)).toEqual(['022-4'])
  })

  it('are the versions of the only product, which are for sale', async () => {
    const version = (n: number) =>
      `<V><sku>A-${n}</sku><name>Size ${n}</name><price>${n}.50</price><stock>${n}</stock></V>`
    const { offers } = await proposed(article(version(1) + version(2)))
    expect(offers.map(({ sku }) => sku)).toEqual(['A-1', 'A-2'])
  })
})

describe('categories', () => {
  const rows = [
    'A;Oven;1,50;Kitchen;Ovens;',
    'B;Fridge;2,50;Kitchen;Fridges;Small',
    'C;Iron;3,50;Home;Irons;',
    'D;Fan;4,50;Home;Fans;Large',
  ]

  it('have all of their levels, of which the last may be empty', async () => {
    const { offers } = await proposed(table('sku;name;price;categoria1;categoria2;categoria3', ...rows))
    expect(offers.map(({ category }) => category)).toEqual([
      'Kitchen/Ovens',
      'Kitchen/Fridges/Small',
      'Home/Irons',
      'Home/Fans/Large',
    ])
  })
})

describe('texts', () => {
  it('are none where a program writes null', async () => {
    const rows = ['1,Drill,null,10.50,null', '2,Saw,A saw for wood,20.50,Bosch', '3,Null,For nothing,30.50,Null']
    const { offers } = await proposed(table('id,title,description,price,brand', ...rows))
    expect(offers.map(({ texts }) => (texts as { en: unknown }).en)).toMatchObject([
      { title: 'Drill', description: null },
      { description: 'A saw for wood' },
      { description: 'For nothing' },
    ])
    expect(offers.map(({ manufacturer }) => manufacturer)).toEqual([null, 'Bosch', 'Null'])
  })

  it('are what is in CDATA that was escaped', async () => {
    const item = (n: number) =>
      `<item><id>A-${n}</id><name>Axe</name><price>1</price><description>&lt;![CDATA[An axe ${n}]]&gt;</description></item>`
    const { offers } = await proposed(`<items>${item(1)}${item(2)}</items>`)
    expect(JSON.stringify(offers[1])).toContain('"description":"An axe 2"')
  })

  const feed = (description: string) =>
    `<SHOP>${[1, 2, 3].map((n) => `<SHOPITEM><ITEM_ID>A-${n}</ITEM_ID><PRODUCTNAME>Star ${n}</PRODUCTNAME><DESCRIPTION>${description}</DESCRIPTION><PRICE_VAT>${n}</PRICE_VAT></SHOPITEM>`).join('')}</SHOP>`

  it.each([
    ['sk', 'Vôňa s levanduľou'],
    ['cs', 'Vůně s příchutí'],
  ])('are in the language whose letters they have: %s', async (language, text) => {
    expect((await proposed(feed(text))).mapping.locale).toBe(language)
  })

  it('are in the language of their letters below English names', async () => {
    const titles = (...names: readonly string[]) =>
      proposed(table('sku,name,price', ...names.map((name, n) => `A-${n},${name},${n}.50`)))
    expect((await titles('Wkręt stalowy', 'Klej żółty', 'Młotek')).mapping.locale).toBe('pl')
    // letters of two languages, or in a single title, may be those of names
    expect((await titles('Wkręt', 'Młotek', 'Klej żółty', 'Řezník')).mapping.locale).toBe('en')
    expect((await titles('Łódź poster', 'Frame', 'Hook')).mapping.locale).toBe('en')
  })
})

describe('keys', () => {
  it('are read as EANs, too, where most of them are', async () => {
    const { offers } = await proposed(
      table(
        'code;name;price',
        '8001876000998;Oil;1,50',
        '7798353193540;Salt;2,50',
        '1200;Bread;3,50',
        '7798353193250;Tea;4,50',
      ),
    )
    expect(offers.map(({ eans }) => eans)).toEqual([['8001876000998'], ['7798353193540'], [], ['7798353193250']])
    const own = table('code;name;price', '2000000000008;Oil;1,50', '2000000000015;Salt;2,50', '2000000000022;Tea;4,50')
    expect((await proposed(own)).fields['ean']).toBeUndefined()
  })
})

describe('records of programs', () => {
  const fixture = (model: string, pk: number, fields: object) => ({ model: `shop.${model}`, pk, fields })
  const articles = [1, 2, 3].map((n) =>
    fixture('article', n + 40, { name: `Mug ${n} of clay`, price: `${n}.50`, stock: n }),
  )
  const question = 'rows whose "model" is "shop.kind" have no value in "fields.price"'

  it('of another kind than articles, of which none has a cost, are left out with a question (I183)', async () => {
    const kinds = ['Kitchen', 'Garden'].map((name, n) => fixture('kind', n, { name }))
    const { offers, questions } = await proposed(JSON.stringify([...kinds, ...articles]))
    expect(offers.map(({ cost }) => cost)).toEqual(['1.5', '2.5', '3.5'])
    expect(questions.join()).toContain(question)
  })

  it('are articles where some of their kind have a cost', async () => {
    const some = [fixture('kind', 1, { name: 'Jug', price: '9.50' }), fixture('kind', 2, { name: 'Bowl' })]
    const { offers, questions } = await proposed(JSON.stringify([...some, ...articles]))
    expect(offers).toHaveLength(5)
    expect(questions.join()).not.toContain('have no value in "fields.price"')
  })

  it('have no category in what the system says of a reference', async () => {
    const lines = [1, 2].map((n) =>
      JSON.stringify({
        _id: `p-${n}`,
        name: `Weeder ${n}`,
        price: n + 0.5,
        category: { _type: 'reference', _ref: `c-${n}` },
        brand: { _type: 'reference', _ref: 'b' },
      }),
    )
    const { fields } = await proposed(`${lines.join('\n')}\n`)
    expect(fields).toMatchObject({ sku: '_id', title: 'name', cost: 'price' })
    expect([fields['category'], fields['manufacturer']]).toEqual([undefined, undefined])
  })

  it('of WordPress have their own titles, and not those of their pages', async () => {
    const post = (n: number) => ({
      id: n + 70,
      yoast_head_json: { title: `Tube ${n} - Iron & Steel`, description: 'All of iron' },
      title: { rendered: `Tube ${n} of iron` },
      acf: { sku: `02-${n}`, price: `${n}.50` },
    })
    const { fields } = await proposed(JSON.stringify([post(1), post(2), post(3)]))
    expect(fields).toMatchObject({ title: 'title.rendered', sku: 'acf.sku', cost: 'acf.price' })
    expect(fields['description']).toBeUndefined()
  })

  it.each([
    ['xml2js', '_', (value: string) => ({ _: value, $: { currency: 'EUR' } })],
    ['BadgerFish', '$', (value: string) => ({ $: value, '@currency': 'EUR' })],
    ['MongoDB', '$numberDouble', (value: string) => ({ $numberDouble: value })],
  ])('have their price within a member as %s writes it', async (_program, member, priceOf) => {
    const row = (n: number) => ({ sku: `A-${n}`, name: `Rake ${n} of steel`, price: priceOf(`${n}.50`) })
    const { fields, offers } = await proposed(JSON.stringify([row(1), row(2), row(3)]))
    expect(fields['cost']).toBe(`price.${member}`)
    expect(offers.map(({ cost }) => cost)).toEqual(['1.5', '2.5', '3.5'])
  })

  it('have pictures in braces, as PostgreSQL writes lists', async () => {
    const row = (n: number) => `A-${n},Gem ${n},${n}.50,"{https://a.example/${n}.jpg,https://a.example/${n}b.jpg}"`
    const { offers } = await proposed(table('sku,name,price,images', row(1), row(2)))
    expect(offers[0]?.['images']).toEqual(['https://a.example/1.jpg', 'https://a.example/1b.jpg'])
  })
})

describe('a price that few articles have', () => {
  it('is asked about where it is called what is paid (I183)', async () => {
    const rows = Array.from({ length: 20 }, (_, n) => `Cup ${n} cs,${n + 10}.50,${n < 3 ? `${n + 9}.25` : ''}`)
    const { fields, questions } = await proposed(table('Product name,Unit Price,Wholesale', ...rows))
    expect(fields['cost']).toBe('Unit Price')
    expect(questions).toContain(
      'the cost is read from "Unit Price"; "Wholesale" has other prices: which one do you pay?',
    )
  })
})

describe('currencies', () => {
  it('stand before a note on the tax', async () => {
    const { fields } = await proposed(
      table('SKU;Ürün Adı;Fiyat TL (KDV dahil)', 'A-1;Priz kolye;33,98', 'A-2;Vana;39,18'),
    )
    expect(fields['currency']).toEqual({ constant: 'TRY' })
  })

  it('are said by their names, too', async () => {
    const { offers } = await proposed(
      table('CODIGO;DESCRIPCION;PRECIO EN SOLES', 'D-1;Disco duro;19,50', 'D-2;Fuente;64,50'),
    )
    expect(offers.map(({ currency }) => currency)).toEqual(['PEN', 'PEN'])
  })
})

describe('lower prices', () => {
  const amounts = (lower: string, of: (n: number) => string) =>
    proposed(
      table(
        `Kod;Ürün;Etiket Fiyatı;${lower}`,
        ...[1, 2, 3, 4, 5, 6].map((n) => `${n + 70};Saat ${n} Max;${n * 100 + 99};${of(n)}`),
      ),
    )

  it('are asked about, whatever they are called (I183)', async () => {
    const { questions } = await amounts('Nakit', (n) => String(n * 100 + 49))
    expect(questions).toContain(
      'the cost is read from "Etiket Fiyatı"; "Nakit" has other prices: which one do you pay?',
    )
  })

  it.each([
    ['the same without tax', 'Ara Tutar', (n: number) => ((n * 100 + 99) / 1.2).toFixed(2)],
    ['in another currency', 'Nakit USD', (n: number) => String(n * 100 + 49)],
    ['no price', 'Koeffizient', (n: number) => String(n * 100 + 49)],
    ['much lower', 'Nakit', (n: number) => String(n * 10 + 4)],
  ])('are none where they are %s', async (_, name, of) => {
    expect((await amounts(name, of)).questions.join()).not.toContain('which one do you pay')
  })

  it('are asked about beside one in cash, too, where it is the base', async () => {
    const rows = [1, 2, 3, 4].map((n) => `8001${n},${n * 100 + 10},${n * 100},${n * 9}`)
    const { fields, questions } = await proposed(table('id,base_price,cash_price,installments_12', ...rows))
    expect(fields['cost']).toBe('cash_price')
    expect(questions.join()).toContain('"base_price" has other prices')
  })

  it('of a special offer are those of a sale', async () => {
    const rows = ['1;Nektarinen;3.60;5.20', '2;Rispentomaten;2.65;3.10', '3;Kalbs-Bratwurst;8.25;16.50']
    const { fields } = await proposed(table('id;productname;specialOffer;normalPrice', ...rows))
    expect(JSON.stringify(fields['cost'])).toContain('specialOffer')
  })
})

describe('what stands for several rows or sheets', () => {
  const rows = [
    'Nuts;A-1;Walnut;1,50',
    ';A-2;Almond;2,50',
    ';A-3;Cashew;3,50',
    'Herbs;A-4;Mint;4,50',
    ';A-5;Thyme;5,50',
  ]

  it('is asked about where it is a category', async () => {
    const { questions } = await proposed(table('Category;SKU;Name;Price', ...rows))
    expect(questions.join()).toContain('3 of 5 rows have nothing in "Category", which may stand for all rows below it')
    const each = await proposed(table('Category;SKU;Name;Price', ...rows.map((row) => row.replace(/^;/, 'Nuts;'))))
    expect(each.questions.join()).not.toContain('which may stand for all rows below it')
  })

  it('is asked about where sheets have most of their columns in common', async () => {
    const sheet = (name: string, first: string) => ({
      name,
      rows: [
        [first, 'SKU', 'Price', 'Stock'],
        ['Aspirin', `${name}-1`, 1.5, 3],
        ['Vitamin', `${name}-2`, 2.5, 4],
      ],
    })
    const book = await writeXlsx({ sheets: [sheet('DRUGS', 'Drug'), sheet('VACCINES', 'Vaccine')] })
    const questions: string[] = []
    await detectMapping(chunked(book), (question) => questions.push(question))
    expect(questions.join()).toContain('the sheet "VACCINES" has the same columns as "DRUGS"')
  })

  it('is a lot, whose stock is added up', async () => {
    const lots = ['A-1,Calcitriol,L7,20', 'A-1,Calcitriol,L8,30', 'A-2,Rifaximin,L9,40', 'A-2,Rifaximin,L10,5']
    const { offers } = await proposed(table('codart,nomart,numlote,Cantidad', ...lots))
    expect(offers.map(({ sku, quantity }) => [sku, quantity])).toEqual([
      ['A-1', 50],
      ['A-2', 45],
    ])
  })
})

describe('a short description', () => {
  it('is asked about as a title where the model has words, too', async () => {
    const row = (n: number, model: string) => `${n},${model},High-definition camera with night vision of series ${n}`
    const { questions } = await proposed(
      table('id,model,description', row(1, 'Secure Cam'), row(2, 'Watch Pro'), row(3, 'X3')),
    )
    expect(questions).toContain(
      'is "description" the title of the articles, or "model"? It is taken for it because its texts are short',
    )
  })
})
