import { describe, expect, it } from 'vitest'
import type { OfferRecord } from '../../model/offer.ts'
import { detectMapping } from './detect.ts'
import { chunked, readAll } from '../fixtures.ts'

async function understood(text: string) {
  const questions: string[] = []
  const { mapping } = await detectMapping(chunked(text), (question) => questions.push(question))
  const rows = await readAll(text, mapping)
  const offers = rows.flatMap((row): OfferRecord[] => ('offer' in row ? [row.offer] : []))
  const prices = offers.map(({ cost, list_price: price }) => `${cost} of ${price}`)
  return {
    mapping,
    questions,
    prices,
    asked: questions.filter((question) => question.includes('where it has an amount')),
  }
}

const list = (columns: string, ...rows: string[]) => `sku;name;${columns}\n${rows.join('\n')}\n`

describe('the price of a sale beside the price', () => {
  it('is the cost where a row has one, the other is shown beside it, and that is asked about (I168)', async () => {
    const { prices, asked } = await understood(
      list('price;sale price', 'A-1;Spade, steel;20.50;', 'A-2;Rake, wide;15.90;12.90', 'A-3;Hoe, small;9.50;0'),
    )
    expect(prices).toEqual(['20.5 of null', '12.9 of 15.9', '9.5 of null'])
    expect(asked).toEqual([
      'the cost is read from "sale price" where it has an amount, and else from "price": is that what you pay?',
    ])
  })

  it.each([
    'precoPromo',
    'Angebotspreis',
    'Cena promocyjna',
    'Prix promo',
    'Акционная цена',
    'Tarjoushinta',
    'İndirimli Fiyat',
    '할인가격',
    '할인 가격',
    'セール価格',
    'Τιμή προσφοράς',
    'product.sale_price',
    'vendor.promo_price',
  ])('is known as %s', async (name) => {
    const { prices } = await understood(
      list(`price;${name}`, 'A-1;Spade, steel;20.50;18.40', 'A-2;Rake, wide;15.90;12.90'),
    )
    expect(prices).toEqual(['18.4 of 20.5', '12.9 of 15.9'])
  })

  it.each(['saleStart', 'special_from_date', 'Aktionsbeginn', 'Promocja od', 'discountEnd', 'Скидка до'])(
    'is none beside %s, which says when it counts',
    async (name) => {
      const { mapping } = await understood(
        list(`price;sale price;${name}`, 'A-1;Spade, steel;20.50;18.40;2026-01-01', 'A-2;Rake, wide;15.90;12.90;'),
      )
      expect(mapping.fields.cost).toBe('price')
    },
  )

  it.each(['discount code', 'specialModel', 'offer vendor', 'wholesale date', 'promo product'])(
    'counts always beside %s',
    async (name) => {
      const { prices } = await understood(
        list(`price;sale price;${name}`, 'A-1;Spade, steel;20.50;18.40;x', 'A-2;Rake, wide;15.90;12.90;y'),
      )
      expect(prices).toEqual(['18.4 of 20.5', '12.9 of 15.9'])
    },
  )

  it('is an attribute beside a cost that is calculated', async () => {
    const { mapping, asked } = await understood(
      list('price in cents;sale_price', 'A-1;Spade, steel;2050;1840', 'A-2;Rake, wide;1590;1290'),
    )
    expect(mapping.fields.cost).toMatchObject({ calc: 'cents / 100' })
    expect(mapping.fields.attributes).toContainEqual({ key: 'sale_price', column: 'sale_price' })
    expect(asked).toEqual([])
  })

  it('is none where it is above the price, a percentage, or counts between two days', async () => {
    for (const [columns, ...rows] of [
      ['price;sale price', 'A-1;Spade, steel;20.50;31.00', 'A-2;Rake, wide;15.90;24.00'],
      ['price;discounted price', 'A-1;Spade, steel;200.50;0.50', 'A-2;Rake, wide;150.90;0.25'],
      [
        'price;sale price;sale price from;sale price to',
        'A-1;Spade, steel;20.50;18.40;2026-01-01;2026-01-31',
        'A-2;Rake, wide;15.90;12.90;2026-01-01;2026-01-31',
      ],
    ] as const) {
      const { mapping, asked } = await understood(list(columns, ...rows))
      expect(mapping.fields.cost).toBe('price')
      expect(asked).toEqual([])
    }
  })

  it.each(['promocja', 'Aktion', 'oferta', 'akce', 'promotion', 'indirimli'])(
    'is none where the column is called %s and has flags or percentages',
    async (name) => {
      for (const rows of [
        ['A-1;Spade, steel;20.50;1', 'A-2;Rake, wide;15.90;0', 'A-3;Hoe, small;9.50;1'],
        ['A-1;Spade, steel;20.50;10', 'A-2;Rake, wide;15.90;', 'A-3;Hoe, small;19.50;10'],
        ['A-1;Spade, steel;90.50;10', 'A-2;Rake, wide;85.90;20', 'A-3;Hoe, small;99.50;15'],
        ['A-1;Spade, steel;90.50;10.00', 'A-2;Rake, wide;85.90;20.00', 'A-3;Hoe, small;99.50;15.00'],
      ]) {
        const { mapping, asked } = await understood(list(`price;${name}`, ...rows))
        expect(mapping.fields.cost).toBe('price')
        expect(asked).toEqual([])
      }
    },
  )

  it('is one in a column that is called like a sale alone and has amounts near the price', async () => {
    const decimals = list('price;promocja', 'A-1;Spade, steel;20.50;18.40', 'A-2;Rake, wide;15.90;12.90')
    expect((await understood(decimals)).prices).toEqual(['18.4 of 20.5', '12.9 of 15.9'])
    const whole = list('price;oferta', 'A-1;Spade, steel;20500;18400', 'A-2;Rake, wide;15900;12900')
    expect((await understood(whole)).prices).toEqual(['18400 of 20500', '12900 of 15900'])
  })

  it('is none beside what the merchant pays', async () => {
    const { mapping, asked } = await understood(
      list('purchase price;sale price', 'A-1;Spade, steel;20.50;18.40', 'A-2;Rake, wide;15.90;12.90'),
    )
    expect(mapping.fields.cost).toBe('purchase price')
    expect(asked).toEqual([])
  })
})

describe('the price that an article had before', () => {
  it.each(['old_price', 'price_old', 'initial price', 'Alter Preis', 'Стара ціна', 'Precio anterior', 'førpris'])(
    'is shown beside the price: %s',
    async (name) => {
      const { prices } = await understood(
        list(`price;${name}`, 'A-1;Spade, steel;20.50;', 'A-2;Rake, wide;12.90;15.90', 'A-3;Hoe, small;9.50;11.00'),
      )
      expect(prices).toEqual(['20.5 of null', '12.9 of 15.9', '9.5 of 11'])
    },
  )

  it('is not shown where it is below the price', async () => {
    const { prices } = await understood(
      list('price;old_price', 'A-1;Spade, steel;20.50;18.00', 'A-2;Rake, wide;15.90;14.90'),
    )
    expect(prices).toEqual(['20.5 of undefined', '15.9 of undefined'])
  })
})
