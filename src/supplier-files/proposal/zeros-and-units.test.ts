import { describe, expect, it } from 'vitest'
import { detectMapping } from './detect.ts'
import { chunked, readAll } from '../fixtures.ts'
import { readMoney } from '../numbers.ts'
import { must } from '../../platform/must.ts'
import { PRESETS } from '../presets/presets.ts'

// Amounts that are none, and amounts of something else than a piece: docs/decisions/271-zero-is-no-price.md says why, and
// test/fixtures/supplier-files has the files in which they were found.

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

const table = (columns: string, row: (n: number) => string, rows = 8) =>
  `${columns}\n${Array.from({ length: rows }, (_, n) => row(n)).join('\n')}\n`
const amount = (value: number) => value.toFixed(2)

const feed = (price: (n: number) => string, sale: (n: number) => string) =>
  `<?xml version="1.0"?><rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel><title>Chairs</title>${Array.from(
    { length: 6 },
    (_, n) =>
      `<item><g:id>A${n}</g:id><g:title>Chair ${n}</g:title><g:description>A chair of wood</g:description><g:link>https://shop.example/${n}</g:link><g:image_link>https://shop.example/${n}.jpg</g:image_link><g:price>${price(n)}</g:price><g:sale_price>${sale(n)}</g:sale_price><g:availability>in stock</g:availability></item>`,
  ).join('')}</channel></rss>`

describe('a price of 0', () => {
  it.each(['0.00 EUR', '0 EUR', '0', '0,00'])('is no price of a sale in a feed of Google: %s (I190)', async (none) => {
    const { offers } = await proposed(
      feed(
        (n) => `${20 + n}.00 EUR`,
        (n) => (n === 1 ? '15.00 EUR' : none),
      ),
    )
    expect(offers.map(({ cost }) => cost)).toEqual(['20', '15', '22', '23', '24', '25'])
    expect(offers.map(({ list_price }) => list_price)).toEqual([null, '21 EUR', null, null, null, null])
  })

  it('is no price of a sale in an export of WooCommerce (I190)', async () => {
    const { mapping } = must(PRESETS['woocommerce'])
    const head =
      'ID,Type,SKU,Name,Published,Is featured?,Visibility in catalog,Short description,Description,Date sale price starts,Date sale price ends,Tax status,Tax class,In stock?,Stock,Weight (kg),Length (cm),Width (cm),Height (cm),Sale price,Regular price,Categories,Images,Parent'
    const row = (n: number, sale: string) =>
      `${n},simple,A${n},Chair ${n},1,0,visible,,,,,taxable,,1,5,,,,,${sale},${20 + n},Chairs,https://shop.example/${n}.jpg,`
    const read = JSON.parse(
      JSON.stringify(await readAll(`${head}\n${row(1, '0')}\n${row(2, '15')}\n${row(3, '')}\n`, mapping)),
    ) as { offer?: { cost?: string; list_price?: string | null } }[]
    expect(read.map(({ offer }) => offer?.cost)).toEqual(['21', '15', '23'])
    expect(read.map(({ offer }) => offer?.list_price)).toEqual([null, '22', null])
  })

  it('is asked about where a ready mapping reads it (I190)', async () => {
    const { questions } = await proposed(
      feed(
        () => '0.00 INR',
        () => '',
      ),
    )
    expect(questions.join()).toContain('6 of 6 articles cost 0 by "price": does it mean that the cost is not known?')
  })

  it.each(['old price', 'Etiket Fiyatı', 'RRP', 'Precio Tarjeta'])(
    'is asked about in a single row that has another price: %s (I190)',
    async (other) => {
      const { questions } = await proposed(
        table(
          `sku;name;Price;${other};Qty`,
          (n) => `A${n};Chair ${n};${n === 7 ? '0.00' : amount(10 + n)};${amount(15 + n * 1.3)};${n}`,
          40,
        ),
      )
      expect(questions.join()).toContain('1 of 40 articles cost 0 by "Price"')
    },
  )

  it('is not asked about in a single row without another price', async () => {
    const { questions } = await proposed(
      table(
        'sku;name;Price;Weight;Qty',
        (n) => `A${n};Chair ${n};${n === 7 ? '0.00' : amount(10 + n)};${amount(15 + n * 1.3)};${n}`,
        40,
      ),
    )
    expect(questions).toEqual([])
  })

  it.each(['Qty', 'Stock', 'Menge'])('in each row of a stock is asked about: %s (I190)', async (column) => {
    const { questions } = await proposed(
      table(`sku;name;Price;${column}`, (n) => `A${n};Chair ${n};${amount(10 + n)};0`),
    )
    expect(questions.join()).toContain(`is "${column}" the stock of the articles? It is 0 in each of 8 rows`)
  })

  it.each(['#VALUE!', '#REF!', '#DIV/0!', '#ЗНАЧ!', '#¡VALOR!', '#WERT!'])(
    'is not what a formula has that failed, and neither is any other: %s',
    async (failed) => {
      const { offers } = await proposed(
        table('sku;name;Cost;Qty', (n) => `A${n};Chair ${n};${n === 2 ? failed : amount(10 + n)};${n}`),
      )
      expect(offers).toHaveLength(8)
      expect(offers[2]).not.toHaveProperty('cost', '0')
    },
  )
})

describe('prices in several currencies', () => {
  it.each([
    ['Precio $', 'Precio S/', 'USD'],
    ['PRECIO $', 'PRECIO EN SOLES', 'USD'],
    ['Precio ($)', 'Precio (Bs)', 'USD'],
    ['Ціна, $', 'Ціна, грн', 'USD'],
    ['Precio $', 'Precio USD', undefined],
    ['Precio $', 'Precio MXN', undefined],
    ['price', 'price_usd', undefined],
  ])(
    'are asked about, and "$" beside a currency that is not written so is USD: %s, %s (I190)',
    async (one, other, currency) => {
      const { mapping, questions } = await proposed(
        table(`sku;name;${one};${other};Qty`, (n) => `A${n};Chair ${n};${amount(10 + n)};${amount(38 + n * 4.1)};${n}`),
      )
      expect(mapping.fields.cost).toBe(one)
      expect(mapping.fields.currency).toEqual(currency === undefined ? undefined : { constant: currency })
      expect(questions.join()).toContain(
        `the cost is read from ${JSON.stringify(one)}; ${JSON.stringify(other)} has other prices: which one do you pay?`,
      )
    },
  )

  it.each([
    ['Soles', 'Dolares', { Soles: 'PEN', Dolares: 'USD' }],
    ['€', 'zł', { '€': 'EUR', zł: 'PLN' }],
  ])('are those of a column that names them: %s, %s', async (one, other, values) => {
    const { mapping } = await proposed(
      table('sku;name;Price;Moneda;Qty', (n) => `A${n};Chair ${n};${amount(10 + n)};${n % 2 === 0 ? one : other};${n}`),
    )
    expect(mapping.fields.currency).toEqual({ column: 'Moneda', values })
  })

  it.each([
    ['MN', 'USD'],
    ['S', 'D'],
    ['$', 'S/'],
    ['1', '2'],
  ])('are asked about where a column has them in words of its own: %s, %s (I190)', async (one, other) => {
    const { questions } = await proposed(
      table('sku;name;Price;Moneda;Qty', (n) => `A${n};Chair ${n};${amount(10 + n)};${n % 2 === 0 ? one : other};${n}`),
    )
    expect(questions.join()).toContain(`which currency is "${one}" in "Moneda"?`)
  })

  it('are none in lengths that are called like one', async () => {
    const { mapping, questions } = await proposed(
      table('sku;name;Price $;Length ft;Qty', (n) => `A${n};Rope ${n};${amount(10 + n)};${amount(3 + n * 1.7)};${n}`),
    )
    expect(mapping.fields.currency).toBeUndefined()
    expect(questions).toEqual([])
  })
})

describe('whole amounts', () => {
  const json = (price: (n: number) => object) =>
    JSON.stringify(
      Array.from({ length: 8 }, (_, n) => ({ sku: `A${n}`, name: `Chair ${n} of wood`, ...price(n), stock: n })),
    )

  it.each([
    ['priceInCents', (n: number) => ({ priceInCents: 1250 + n * 37 })],
    ['price_in_cents', (n: number) => ({ price_in_cents: 1250 + n * 37 })],
    [
      'price.centAmount',
      (n: number) => ({ price: { centAmount: 1250 + n * 37, currencyCode: 'EUR', fractionDigits: 2 } }),
    ],
    ['price.amount', (n: number) => ({ price: { amount: 1250 + n * 37, currency: 'EUR', precision: 2 } })],
    ['prices.price', (n: number) => ({ prices: { price: String(1250 + n * 37), currency_minor_unit: 2 } })],
    ['precioCentavos', (n: number) => ({ precioCentavos: 1250 + n * 37 })],
  ])('are hundredths where their name, or a number beside them, says so: %s (I190)', async (name, price) => {
    const { fields, questions, offers } = await proposed(json(price))
    expect(fields['cost']).toEqual({ calc: 'cents / 100', of: { cents: name } })
    expect(questions.join()).toContain(`"${name}" is taken for hundredths`)
    expect(offers[1]).toMatchObject({ cost: '12.87' })
  })

  it('make the list price beside them hundredths as well (I190)', async () => {
    const { offers } = await proposed(
      json((n) => ({ price_cents: 1250 + n * 37, msrp_cents: n === 3 ? '' : 1990 + n * 50 })),
    )
    expect(offers[1]).toMatchObject({ cost: '12.87', list_price: '20.4' })
    expect(offers[3]).toMatchObject({ list_price: null })
  })

  it('are no hundredths where others have decimals', async () => {
    const { offers } = await proposed(json((n) => ({ price: n === 2 ? 12 : 12.5 + n, precision: 2 })))
    expect(offers[1]).toMatchObject({ cost: '13.5' })
  })

  it.each(['wholesale', 'cost', 'EK', 'purchase price'])(
    'of a few kinds beside prices may be percentages, which is asked: %s (I190)',
    async (column) => {
      const { questions } = await proposed(
        table(
          `sku,name,${column},retail,stock`,
          (n) => `A${n},Chair ${n},${n % 2 === 0 ? 25 : 30},${50 + n * 13},${n}`,
        ),
      )
      expect(questions.join()).toContain(`does "${column}" have prices, or percentages?`)
    },
  )
})

describe('something else than pieces', () => {
  const QUESTION = 'counted in kilograms, liters or meters?'

  it.each([
    ['Stock (kg)', (n: number) => String(n + 3)],
    ['Bestand kg', (n: number) => String(n + 3)],
    ['Остаток, кг', (n: number) => String(n + 3)],
    ['Stock', (n: number) => amount(n * 1.7 + 0.35)],
    ['Stan', (n: number) => amount(n * 1.7 + 0.35).replace('.', ',')],
  ])('is asked about in a stock: %s (I190)', async (column, value) => {
    const { questions } = await proposed(
      table(`sku;name;Price;${column}`, (n) => `A${n};Cheese ${n};${amount(10 + n)};${value(n)}`),
    )
    expect(questions.join()).toContain(QUESTION)
  })

  it('is asked about in a stock whose unit is a kilogram in most rows (I190)', async () => {
    const { questions } = await proposed(
      table(
        'sku;name;Price;Unit;Stock',
        (n) => `A${n};Cheese ${n};${amount(10 + n)};${n === 1 ? 'pcs' : 'KG'};${n + 3}`,
      ),
    )
    expect(questions.join()).toContain(QUESTION)
  })

  it.each([
    ['Size', (n: number) => (n % 2 === 0 ? 'M' : 'L'), (n: number) => String(n)],
    ['Unit', () => 'pcs', (n: number) => `${n}.000`],
    ['Weight', (n: number) => `${n}.5 kg`, (n: number) => String(n)],
  ])('is not asked about in pieces, beside %s', async (column, value, stock) => {
    const { questions } = await proposed(
      table(`sku;name;Price;${column};Stock`, (n) => `A${n};Shirt ${n};${amount(10 + n)};${value(n)};${stock(n)}`),
    )
    expect(questions.join()).not.toContain(QUESTION)
  })

  it.each([
    ['Unit', '100 pcs'],
    ['Einheit', '1000 Stk'],
    ['Jednostka', '100 szt.'],
    ['UoM', 'per 100'],
  ])('is asked about in a price whose unit is many pieces: %s, %s (I190)', async (column, unit) => {
    const { questions } = await proposed(
      table(`sku;name;Price;${column};Stock`, (n) => `A${n};Screw ${n};${amount(10 + n)};${unit};${n}`),
    )
    expect(questions.join()).toContain(`"${column}" has "${unit}": it may be the price of as many`)
  })

  it.each([
    ['Precio x 100', '0.11'],
    ['Preis/100', '0.11'],
    ['Price per 1000', '0.011'],
    ['Cena za 100 szt', '0.11'],
    ['Precio millar', '0.011'],
    ['Price per dozen', '0.916667'],
  ])(
    'makes the price of as many pieces as its name says that of one, which is asked: %s (I190)',
    async (column, cost) => {
      const { questions, offers } = await proposed(
        table(`sku;name;${column};Stock`, (n) => `A${n};Screw ${n};${amount(10 + n)};${n}`),
      )
      expect(offers[1]).toMatchObject({ cost })
      expect(questions.join()).toContain('pieces, and divided by them. Is that right?')
    },
  )

  it.each(['DOZ', 'Dutzend', 'CIENTO', 'millar'])(
    'is asked about in a price whose unit is a word for many pieces: %s (I190)',
    async (unit) => {
      const { questions } = await proposed(
        table(
          'sku;name;Price;Unit;Stock',
          (n) => `A${n};Screw ${n};${amount(10 + n)};${n % 2 === 0 ? unit : 'EA'};${n}`,
        ),
      )
      expect(questions.join()).toContain(`"Unit" has "${unit}"`)
    },
  )

  it.each(['Precio caja', 'Preis je VE', 'Prezzo cartone'])(
    'is asked about in what is called the price of a pack: %s (I190)',
    async (column) => {
      const list = (stock: string) =>
        table(`sku;name;${column};${stock}`, (n) => `A${n};Screw ${n};${amount(10 + n)};${n}`)
      expect((await proposed(list('Stock'))).questions.join()).toContain('It is called the price of a pack')
      expect((await proposed(list('Stock (VE)'))).questions.join()).not.toContain('It is called the price of a pack')
    },
  )

  it('is asked about in the price of a pack, but where the stock is counted in packs (I190)', async () => {
    const list = (stock: string) =>
      table(
        `sku;name;Preis/VE;VE;${stock}`,
        (n) => `A${n};Schraube ${n};${amount(10 + n)};${n % 2 === 0 ? 10 : 20};${n}`,
      )
    expect((await proposed(list('Bestand'))).questions.join()).toContain('is "Preis/VE" what you pay for one piece?')
    expect((await proposed(list('Bestand in VE'))).questions).toEqual([])
  })

  it.each(['Price per m2', 'Precio / m²', 'Preis pro kg', 'Цена за кг'])(
    'is asked about in a price of a measure beside another one: %s (I190)',
    async (column) => {
      const { questions } = await proposed(
        table(
          `sku;name;${column};Price per box;Stock`,
          (n) => `A${n};Tile ${n};${amount(10 + n)};${amount(14 + n * 1.44)};${n}`,
        ),
      )
      expect(questions.join()).toContain('"Price per box" has other prices: which one do you pay?')
    },
  )

  it.each(['EAN carton', 'EAN Karton', 'DUN14', 'Codigo EAN caja', 'Штрихкод упаковки', 'ITF-14'])(
    'has no EAN of the article: %s (I190)',
    async (column) => {
      const gtin = (digits: string) => {
        const sum = [...digits]
          .toReversed()
          .reduce((all, digit, place) => all + Number(digit) * (place % 2 === 0 ? 3 : 1), 0)
        return digits + ((10 - (sum % 10)) % 10)
      }
      const { mapping } = await proposed(
        table(
          `sku;name;Price;EAN;${column}`,
          (n) => `A${n};Screw ${n};${amount(10 + n)};${gtin(`40012345678${n}`)};${gtin(`140012345678${n}`)}`,
        ),
      )
      expect(mapping.fields.ean).toBe('EAN')
    },
  )

  it('is no amount for one piece', () => {
    expect(readMoney('1 260 ₽ /шт', undefined)).toEqual({ value: { amount: '1260', currency: 'RUB' } })
    expect(readMoney('12.50 € / pcs.', undefined)).toEqual({ value: { amount: '12.5', currency: 'EUR' } })
    expect(readMoney('12.50 € / 100 pcs', undefined)).toHaveProperty('reason')
    expect(readMoney('12.50 / kg', undefined)).toHaveProperty('reason')
  })
})

describe('keys and titles', () => {
  it('of a cash register are called PLU, and of a product in Shopify Handle', async () => {
    const register = await proposed(
      table('PLU;Name;Price;Stock Qty', (n) => `${n + 1};Juice ${n};${amount(10 + n)};${n}`),
    )
    expect(register.fields['sku']).toBe('PLU')
    const stock = await proposed(
      table('Handle,Title,SKU,Location,Available', (n) => `oak-${n}-bowl,Oak Bowl ${n},,Mill Lane,${n}`),
    )
    expect(stock.fields['sku']).toBe('Handle')
  })

  it('are none of the stock of a second place, which differs in a few rows', async () => {
    const { fields } = await proposed(
      table(
        'Наименование;Цена опт, руб;Наличие на складе 1, шт;Наличие на складе 2, шт',
        (n) => `Щит ${n};${990 + n};${n % 3};${n * 7 + 2}`,
      ),
    )
    expect(fields['sku']).toBe('Наименование')
  })

  it('are one line, whatever a document has broken', async () => {
    const { offers } = await proposed(
      `<?xml version="1.0"?><list>${Array.from({ length: 4 }, (_, n) => `<product><id>A${n}</id><name>Battery ${n} with a Light and a Cable\n        Included</name><price>${10 + n}</price></product>`).join('')}</list>`,
    )
    expect(JSON.stringify(offers[0])).toContain('"title":"Battery 0 with a Light and a Cable Included"')
  })

  it('that are shortened alike in several languages are Spanish by their endings', async () => {
    const { mapping } = await proposed(
      table('Cod Art;Desc Art;nuevo pvp', (n) => `T${n};CAJA ${n} DE DISTRIBUCIÓN ROJA;${n + 2},50 €`),
    )
    expect(mapping.locale).toBe('es')
  })
})
