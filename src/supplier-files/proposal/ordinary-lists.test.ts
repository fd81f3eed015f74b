import { describe, expect, it } from 'vitest'
import { chunked } from '../fixtures.ts'
import { isNoCost } from '../no-value.ts'
import { detectMapping } from './detect.ts'

// Ordinary lists that look like those of docs/decisions/271-zero-is-no-price.md, and the ones beside them that have to be asked about.

async function proposed(file: string) {
  const questions: string[] = []
  const { mapping } = await detectMapping(chunked(file), (question) => questions.push(question))
  return { fields: { ...mapping.fields } as Record<string, unknown>, questions: questions.join('\n') }
}

const amount = (value: number) => value.toFixed(2)
/** Eight articles with a price and other columns. */
const list = (columns: string, row: (n: number) => string, rows = 8) =>
  `sku;name;${columns}\n${Array.from({ length: rows }, (_, n) => `A${n};Chair ${n};${row(n)}`).join('\n')}\n`
const price = (n: number) => amount(10 + n * 3.37)

const IN_MEASURE = 'counted in kilograms, liters or meters?'

describe('a stock', () => {
  it.each([
    ['weight_unit', 'kg'],
    ['Weight unit', 'KG'],
    ['country of origin', 'LT'],
    ['language', 'LT'],
    ['Capacity unit', 'MB'],
    ['Form factor', 'M2'],
    ['Volumen', 'LT'],
  ])('is not in a measure that something else has: %s, %s', async (column, value) => {
    const { questions } = await proposed(list(`Price;Stock;${column}`, (n) => `${price(n)};${n + 1};${value}`))
    expect(questions).toBe('')
  })

  it('is not in the measure of a weight in XML', async () => {
    const { questions } = await proposed(
      `<?xml version="1.0"?><products>${Array.from({ length: 8 }, (_, n) => `<product><sku>A${n}</sku><title>Chair ${n} of wood</title><price>${price(n)}</price><stock>${n}</stock><weight unit="kg">1.${n}</weight></product>`).join('')}</products>`,
    )
    expect(questions).toBe('')
  })

  it.each(['stock unit="kg"', 'stock uom="KG"'])('is in the measure of its own attribute: %s', async (stock) => {
    const { questions } = await proposed(
      `<?xml version="1.0"?><products>${Array.from({ length: 8 }, (_, n) => `<product><sku>A${n}</sku><title>Cheese ${n} of goats</title><price>${price(n)}</price><${stock}>${n}</stock></product>`).join('')}</products>`,
    )
    expect(questions).toContain(IN_MEASURE)
  })

  it('is in the measure of a member beside it', async () => {
    const articles = Array.from({ length: 8 }, (_, n) => ({
      sku: `A${n}`,
      title: `Cheese ${n} of goats`,
      price: price(n),
      stock: { quantity: n, unit: 'kg' },
    }))
    expect((await proposed(JSON.stringify(articles))).questions).toContain(IN_MEASURE)
  })

  it.each(['Unit of measure', 'Jednostka miary', 'U/M', 'Единица измерения'])(
    'is in the measure of a column of units: %s',
    async (column) => {
      const { questions } = await proposed(list(`Price;Stock;${column}`, (n) => `${price(n)};${n + 1};kg`))
      expect(questions).toContain(IN_MEASURE)
    },
  )

  it.each([
    ['stock_lt', 'stock_lv', false],
    ['stock_lt', 'note', false],
    ['Stock LT', 'Stock LV', false],
    ['Stock (LT)', 'Stock (EE)', false],
    ['Stock (lt)', 'note', true],
    ['Stock LT', 'note', true],
  ])('in %s beside %s is in liters: %s', async (column, other, isAsked) => {
    const { questions } = await proposed(list(`Price;${column};${other}`, (n) => `${price(n)};${n + 1};${n % 3}`))
    expect(questions.includes(IN_MEASURE)).toBe(isAsked)
  })

  it.each([
    [2, 100, false],
    [2, 40, true],
    [1, 8, false],
  ])('with %d fractions in %d rows is in a measure: %s', async (fractions, rows, isAsked) => {
    const { questions } = await proposed(
      list('Price;Stock', (n) => `${price(n)};${n < fractions ? '2.5' : String(n)}`, rows),
    )
    expect(questions.includes(IN_MEASURE)).toBe(isAsked)
  })
})

describe('a price', () => {
  it.each([
    'Price 2026/10',
    'Preis ab 01/10',
    'Price 1/10',
    'Price 1 / 100',
    'Price 60x100',
    'Price 60 x 100',
    'Price/10',
  ])('is not that of many pieces by a date or a size: %s', async (column) => {
    const { fields, questions } = await proposed(list(`${column};Stock`, (n) => `${price(n)};${n + 1}`))
    expect(fields['cost']).toBe(column)
    expect(questions).not.toContain('divided by')
  })

  it.each(['Price x 10', 'Price/10 pcs', 'Preis / 1000 Stk'])(
    'is that of many pieces by its name: %s',
    async (column) => {
      const { questions } = await proposed(list(`${column};Stock`, (n) => `${price(n)};${n + 1}`))
      expect(questions).toContain('pieces, and divided by them')
    },
  )

  it('is not that of as many pieces as a stock has', async () => {
    const stock = [10, 4, 100, 7, 20, 1, 0, 3]
    const { questions } = await proposed(list('Price;Units', (n) => `${price(n)};${stock[n]}`))
    expect(questions).not.toContain('it may be the price of as many')
  })

  it.each([
    ['1 and 5', (n: number) => (n === 2 ? '10' : n === 4 ? '5' : '1'), false],
    ['1 and 100', (n: number) => (n % 2 === 0 ? '100' : '1'), true],
  ])('is asked about beside units of powers of ten, and no other numbers: %s', async (_, unit, isAsked) => {
    const { questions } = await proposed(list('Price;Stock;Unit', (n) => `${price(n)};${n + 3};${unit(n)}`))
    expect(questions.includes('it may be the price of as many')).toBe(isAsked)
  })

  it.each([
    ['Cash price', 'Factory price'],
    ['Card price', 'Quotation price'],
    ['Precio mayo', 'Precio año nuevo'],
    ['Preis bar', 'Jahrespreis'],
  ])('is asked about beside another one: %s, %s', async (one, other) => {
    const { questions } = await proposed(
      list(`${one};${other};Stock`, (n) => `${price(n)};${amount((10 + n * 3.37) * (0.7 + (n % 4) * 0.05))};${n + 1}`),
    )
    expect(questions).toContain(`${JSON.stringify(other)} has other prices: which one do you pay?`)
  })

  it.each(['Umrechnungsfaktor', 'Bonus points', 'modelYear', 'Ratio', 'Коэффициент'])(
    'is not asked about beside a number that is none: %s',
    async (other) => {
      const { questions } = await proposed(
        list(`Price;${other};Stock`, (n) => `${price(n)};${amount((10 + n * 3.37) * (0.7 + (n % 4) * 0.05))};${n + 1}`),
      )
      expect(questions).not.toContain('has other prices')
    },
  )

  it.each(['Deposit price €', 'Unit price €', 'Cena poprzednia PLN', 'Precio lista EUR'])(
    'is not asked about as one in another currency beside what has other words: %s',
    async (other) => {
      const { questions } = await proposed(
        list(`Price;${other};Stock`, (n) => `${price(n)};${amount(1 + (n % 3) * 0.5)};${n + 1}`),
      )
      expect(questions).not.toContain('has other prices')
    },
  )

  it.each([
    ['Precio unitario $', 'Precio unitario S/'],
    ['Price', 'Price (€)'],
  ])('is asked about beside the same in another currency: %s, %s', async (one, other) => {
    const { questions } = await proposed(
      list(`${one};${other};Stock`, (n) => `${price(n)};${amount((10 + n * 3.37) * 3.8)};${n + 1}`),
    )
    expect(questions).toContain(`${JSON.stringify(other)} has other prices: which one do you pay?`)
  })

  it.each([
    ['Preiseinheit', () => '1'],
    ['Price group', (n: number) => String(n + 11)],
    ['priceGroup', (n: number) => String(n + 11)],
    ['Preisgruppe', (n: number) => String(n + 11)],
    ['Price list', (n: number) => String((n % 3) + 1)],
    ['Precio nivel', (n: number) => String((n % 3) + 1)],
  ])('of 0 is not asked about for a number that says something about prices: %s', async (column, value) => {
    const { questions } = await proposed(
      list(`Cost;${column};Stock`, (n) => `${n === 7 ? '0.00' : price(n)};${value(n)};${n + 1}`, 40),
    )
    expect(questions).not.toContain('cost 0 by')
  })

  it.each(['Preis pro Einheit', 'Unit price', 'Precio unidad', 'Price paid'])(
    'of 0 is asked about beside another price: %s',
    async (column) => {
      const { questions } = await proposed(
        list(`Cost;${column};Stock`, (n) => `${n === 7 ? '0.00' : price(n)};${amount(20 + n * 1.3)};${n + 1}`, 40),
      )
      expect(questions).toContain('1 of 40 articles cost 0 by "Cost"')
    },
  )
})

describe('whole numbers', () => {
  it.each(['decimals', 'decimal_places', 'exponent'])(
    'are asked about, and not divided, beside a 2 that may be about how they are shown: %s',
    async (column) => {
      const { fields, questions } = await proposed(list(`price;${column};stock`, (n) => `${1200 + n * 35};2;${n + 1}`))
      expect(fields['cost']).toBe('price')
      expect(questions).toContain(
        `is "price" in hundredths of the currency, such as cents? "${column}" is 2 in each row`,
      )
    },
  )

  const PERCENT = 'have prices, or percentages?'

  it.each([
    [
      'that follow the prices beside them',
      [5, 12, 5, 12, 5, 12, 5, 12],
      [9.9, 21.9, 8.9, 24.9, 10.5, 22.9, 9.5, 19.9],
      false,
    ],
    ['above one of them', [25, 30, 25, 30, 25, 30, 25, 30], [49.9, 59.9, 44.9, 55, 52, 61, 47, 24.9], true],
    ['that do not follow them', [25, 30, 25, 30, 25, 30, 25, 30], [50, 63, 76, 89, 102, 115, 128, 141], true],
  ])('of a few kinds %s are asked about if they may be percentages', async (_, costs, prices, isAsked) => {
    const { questions } = await proposed(list('EK;VK;Stock', (n) => `${costs[n]};${amount(prices[n] ?? 0)};${n + 1}`))
    expect(questions.includes(PERCENT)).toBe(isAsked)
    expect(questions).not.toContain('has other prices')
  })
})

describe('a column called Handle', () => {
  it.each([
    ['slugs', (n: number) => `oak-${n}-bowl`, true],
    ['the handles of tools', (n: number) => `Handle ${['oak', 'ash', 'elm', 'fir'][n % 4]} ${n}`, false],
    ['lengths', (n: number) => String(100 + n * 5), false],
    ['materials', (n: number) => ['oak', 'ash'][n % 2] ?? '', false],
  ])('is the key if it has slugs: %s', async (_, value, isKey) => {
    const { fields, questions } = await proposed(
      `Name;Handle;Price;Stock\n${Array.from({ length: 8 }, (__, n) => `Spade ${n};${value(n)};${price(n)};${n + 1}`).join('\n')}\n`,
    )
    expect(questions.includes('the key of the articles?')).toBe(!isKey)
    if (isKey) expect(fields['sku']).toBe('Handle')
  })

  it.each(['Handle material', 'Door handle'])('is none with other words: %s', async (column) => {
    const { questions } = await proposed(
      `Name;${column};Price;Stock\n${Array.from({ length: 8 }, (_, n) => `Door ${n};wood-${n};${price(n)};${n + 1}`).join('\n')}\n`,
    )
    expect(questions).toContain('the key of the articles?')
  })
})

it.each(['#Н/Д', '#¿NOMBRE?', '#¡REF!', '#ИМЯ?', '#NAME?', '#DZIEL/0!'])(
  'no cost is what a formula has that failed: %s',
  (text) => {
    expect(isNoCost(text)).toBe(true)
  },
)
