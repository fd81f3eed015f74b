import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileConvert } from './convert.ts'
import { parseMapping } from '../mapping/mapping.ts'
import { unpack } from './packed.ts'
import type { Lookup } from '../rows.ts'
import { plainNumber, readMoney } from '../numbers.ts'

const lookup: Lookup = (column) => (row) => (row as Record<string, unknown>)[column]

/** The result of one field of the mapping for the cell `x`: the offer's value, or why it is refused or dropped. */
function convert(field: string, source: unknown, x: unknown, settings: object = {}): unknown {
  const mapping = parseMapping({ locale: 'en', ...settings, fields: { sku: { constant: 'S' }, [field]: source } })
  const row = compileConvert(mapping, lookup).convert(x === undefined ? {} : { x })
  if ('skipped' in row) return row
  if ('faults' in row) return row.faults.map((fault) => `${fault.name} ${fault.reason}`).join('; ')
  if (row.dropped !== undefined) return row.dropped.map((fault) => `${fault.name} ${fault.reason}`).join('; ')
  const { sku: _, ...rest } = row.offer
  return Object.values(rest)[0]
}
const cost = (x: unknown, decimal?: '.' | ',') => convert('cost', 'x', x, decimal === undefined ? {} : { decimal })
const quantity = (x: unknown) => convert('quantity', 'x', x)

describe('cost', () => {
  it.each([
    ['12.50', '12.5'],
    ['012', '12'],
    ['0.00', '0'],
    ['.5', '0.5'],
    ['5.', '5'],
    [' 1 234.50 ', '1234.5'],
    ['1\u00a0234\u202f567', undefined],
    ['1\u00a0234', '1234'],
    ['1,234.50', '1234.5'],
    ['1,234,567', '1234567'],
    ['999999999999999.123456', '999999999999999.123456'],
    ['1.10000000', '1.1'],
    ['', null],
  ])('%j with "." is %j', (text, value) => {
    if (value !== undefined) expect(cost(text)).toBe(value)
    else expect(cost(text)).toBe('1234567')
  })
  it.each([
    ['12,50', '12.5'],
    ['1.234,50', '1234.5'],
    ['1 234,5', '1234.5'],
    ['1.234.567', '1234567'],
    ['1234', '1234'],
    ['1.200', '1200'],
    ['1.234', '1234'],
    ["1'234,5", '1234.5'],
    ['5,-', '5'],
    ['12,50 EUR', '12.5'],
    ['€ 1.200', '1200'],
    ['12,50 €', '12.5'],
    ['1.234,56 zł', '1234.56'],
  ])('%j with "," is %j', (text, value) => {
    expect(convert('cost', 'x', text, { decimal: ',' })).toBe(value)
  })
  it.each([
    ['1,234', '1234'],
    ['1,234.56', '1234.56'],
    ['0.125', '0.125'],
    ['USD 1,200', '1200'],
    ['$5', '5'],
  ])('%j with "." stated is %j', (text, value) => {
    expect(cost(text, '.')).toBe(value)
  })
  it('takes the currency beside an amount, unless the mapping names another source', () => {
    const both = (x: unknown, fields: object = {}) => {
      const mapping = parseMapping({ decimal: ',', fields: { sku: { constant: 'S' }, cost: 'x', ...fields } })
      return compileConvert(mapping, lookup).convert({ x, c: 'PLN' })
    }
    expect(both('12,50 EUR')).toEqual({ offer: { sku: 'S', cost: '12.5', currency: 'EUR' } })
    expect(both('12,50 $')).toEqual({ offer: { sku: 'S', cost: '12.5' } })
    expect(both('12,50 zł', { currency: 'c' })).toEqual({ offer: { sku: 'S', cost: '12.5', currency: 'PLN' } })
    expect(both('12,50 EUR', { currency: 'c' })).toMatchObject({
      faults: [{ name: 'cost', reason: '"12,50 EUR" is not in the row\'s currency PLN' }],
    })
  })
  it('names what the column shows where a number could be read in two ways', () => {
    const mapping = parseMapping({ fields: { sku: { constant: 'S' }, cost: 'x' } })
    const { convert, conflicts } = compileConvert(mapping, lookup)
    const reason = (x: string) => {
      const row = convert({ x })
      return 'faults' in row ? row.faults[0]?.reason : undefined
    }
    expect(reason('1,234')).toBe(
      '"1,234" is 1234 or 1.234: set "decimal" in the mapping (no value of this column so far shows which)',
    )
    expect(reason('12.50')).toBeUndefined()
    expect(reason('1,234')).toMatch(/\(1 value of this column so far, such as "12.50", show "."\)$/)
    expect(reason('1.200')).toBeUndefined()
    expect(conflicts()).toEqual([])
    expect(reason('7,5')).toBeUndefined()
    expect(conflicts()).toEqual([
      {
        text: 'cost: 1 values such as "1.200" were read with "." for decimals, but 1 such as "7,5" have ",": set "decimal" in the mapping',
        isSevere: false,
      },
    ])
    expect(reason('8,25')).toBeUndefined()
    expect(conflicts()).toMatchObject([{ isSevere: true }])
  })
  it.each([
    ['49,00 TND', '49'],
    ['19.99 EUR', '19.99'],
    ['12,5', '12.5'],
    ['1.234,56 zł', '1234.56'],
    ['1.234.567', '1234567'],
    ['1,234,567', '1234567'],
    ['1,234.50', '1234.5'],
    ['0,125', '0.125'],
    ['€ 1 250,00', '1250'],
  ])('reads %s where the mapping states no decimal sign: it has one meaning', (text, amount) => {
    expect(cost(text)).toBe(amount)
  })
  it('reads JSON numbers whatever the decimal sign, and leaves out what is not there', () => {
    expect(cost(12.5, ',')).toBe('12.5')
    expect(cost(12.5, '.')).toBe('12.5')
    expect(cost(null)).toBeNull()
    expect(cost(undefined)).toBeUndefined()
  })
  it.each([
    ['1,234', /is 1234 or 1.234: set "decimal"/],
    ['12,5,0', /"," is not the decimal sign until the mapping says so/],
    ['-1', /^cost must be at least 0, not "-1"$/],
    ['5 each', /^cost must be a decimal such as "12.50", not "5 each": take the number out of it/],
    ['from 5', /take the number out of it/],
    ['1e3', /^cost must be a decimal such as/],
    ['1.2.3', /^cost must be a decimal such as/],
    ['.', /^cost must be a decimal such as/],
    ['12 34', /^cost must be a decimal such as/],
    ['1234567890123456', /at most 15 digits before the decimal point/],
    ['1.1234567', /at most .* 6 after it/],
    [0.1 + 0.2, /more digits than a JSON number keeps/],
    [1e21, /at most 15 digits before/],
    [2 ** 53, /more digits/],
    [[1], /is a list: say which member/],
    [{ a: 1 }, /is an object/],
    ['1,23,456', /^cost must be a decimal such as "12.50", not "1,23,456": "," is not the decimal sign/],
  ])('refuses %j', (text, words) => {
    expect(cost(text)).toMatch(words)
  })
  it('keeps the value of any decimal, however it is written', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 15n - 1n }),
        fc.integer({ min: 0, max: 999_999 }),
        fc.constantFrom('.', ','),
        (whole, micro, point) => {
          const decimals = String(micro).padStart(6, '0')
          const grouped = String(whole).replace(/\B(?=(\d{3})+$)/g, point === '.' ? ',' : '.')
          const value = `${whole}.${decimals}`
            .replace(/\.?0+$/, (zeros) => (zeros.includes('.') ? '' : zeros))
            .replace(/(\.\d*?)0+$/, '$1')
          for (const text of [`${whole}${point}${decimals}`, `${grouped}${point}${decimals}`])
            expect(readMoney(text, point as '.')).toEqual({ value: { amount: value, currency: null } })
        },
      ),
    )
  })
  it.each([
    ['58.120000000000005', '58.12'],
    ['-0.30000000000000004', '-0.3'],
    ['12.299999999999999', '12.3'],
    ['100.00000000000001', '100'],
    // no calculation has these results
    ['0.00000012000000001', '0.00000012000000001'],
    ['12345678901234.00000000001', '12345678901234.00000000001'],
    ['1.23456789012', '1.23456789012'],
    ['1.0000001', '1.0000001'],
  ])('takes what a calculation leaves behind the digits that are meant off: %s', (text, value) => {
    expect(plainNumber(text, '.')).toEqual({ value })
  })
  it.each([
    ['0.0748202858708563', '0.07482'],
    // more digits than a binary number can hold
    ['98765432101.1234567', '98765432101.123457'],
    ['84.03684206225412', '84.036842'],
    ['1026.8830165292575', '1026.883017'],
  ])('rounds amounts that a program calculated and did not round, where they are stored: %s', (text, value) => {
    expect(readMoney(text, '.', 'rounded')).toEqual({ value: { amount: value, currency: null } })
    expect(readMoney(text, '.')).toHaveProperty('reason')
  })
  it.each(['1.2345678', '12.12345678', '12345678901234567.1234567', '0.0000001234567890123'])(
    'refuses amounts that are stated with more decimals than they may have, or would become 0: %s',
    (text) => {
      expect(readMoney(text, '.', 'rounded')).toEqual({ reason: expect.stringContaining(`, not "${text}"`) })
      const byComma = text.replace('.', ',')
      expect(readMoney(byComma, ',', 'rounded')).toEqual({ reason: expect.stringContaining(`, not "${byComma}"`) })
    },
  )
  it.each([
    ['jpy * rate', { jpy: '150000', rate: '0.00743212345678912' }, '1114.818519'],
    ['price * (1 - discount)', { price: '100000', discount: '0.333333333333333' }, '66666.666667'],
  ])('calculates with all digits of a number: %s', (calc, row, cost) => {
    const of = Object.fromEntries(Object.keys(row).map((name) => [name, name]))
    const mapping = parseMapping({ locale: 'en', fields: { sku: 'sku', cost: { calc, of } } })
    expect(compileConvert(mapping, lookup).convert({ sku: 'A', ...row })).toMatchObject({ offer: { cost } })
  })
  it('adds up what a program calculated before it rounds', () => {
    const mapping = parseMapping({ locale: 'en', fields: { sku: 'sku', cost: { sum: ['a', 'b', 'c'] } } })
    const part = '0.1234564444444444'
    expect(compileConvert(mapping, lookup).convert({ sku: 'A', a: part, b: part, c: part })).toMatchObject({
      offer: { cost: '0.370369' },
    })
  })
  it('never throws and gives digits only', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('0', '1', '23', '.', ',', '-', ' ', '+', '>', 'e', '€'), maxLength: 12 }),
        (text) => {
          const plain = plainNumber(text, '.')
          if ('value' in plain) expect(plain.value).toMatch(/^-?\d+(\.\d+)?$/)
          else expect(plain.reason).toContain(JSON.stringify(text))
        },
      ),
    )
  })
})

describe('quantity', () => {
  it.each([
    ['100', 100],
    ['100.0000', 100],
    ['1.9', 1],
    ['-3', 0],
    ["'-3", 0],
    ['-0.5', 0],
    ['', 0],
    ['>50', 50],
    ['50+', 50],
    ['> 50', 50],
    ['1 000', 1000],
    ['2147483647', 2_147_483_647],
    [7, 7],
    [2.5, 2],
    ['>= 1.234+', 1],
    [null, 0],
    [undefined, undefined],
  ])('%j is %j', (text, value) => expect(quantity(text)).toBe(value))
  it.each([
    ['2147483648', /^quantity must be at most 2147483647, not "2147483648"$/],
    ['many', /^quantity must be a quantity such as 12, ">10" or "10\+", not "many": take/],
    ['<5', /^quantity must be a quantity such as .*, not "<5"$/],
    ['--3', /^quantity must be a quantity such as .*, not "--3"$/],
    ['5-10', /^quantity must be a quantity such as .*, not "5-10"$/],
  ])('refuses %j', (text, words) => expect(quantity(text)).toMatch(words))
})

describe('words about availability', () => {
  const settings = { availability: { words: { '-': 'outOfStock', Eingetroffen: 'inStock' }, inStock: 7 } }
  it.each([
    ['-', 0],
    ['eingetroffen', 7],
    ['3', 3],
  ])('%j is %j where the mapping gives words a meaning', (text, value) =>
    expect(convert('quantity', 'x', text, settings)).toBe(value),
  )
  it('refuses a sign that has none', () => expect(quantity('-')).toMatch(/must be a quantity .*, not "-"$/))
})

describe('the other fields', () => {
  it('reads currencies', () => {
    expect(convert('currency', 'x', ' eur ')).toBe('EUR')
    // the supplier's own currency, even if another one was stated before
    expect(convert('currency', 'x', '')).toBeNull()
    expect(convert('currency', 'x', 'EURO')).toBe('currency must be an ISO 4217 currency code such as EUR, not "EURO"')
  })
  it('reads EANs out of columns, pieces and lists', () => {
    expect(convert('ean', 'x', '4006381-333 931')).toEqual(['4006381333931'])
    expect(convert('ean', { column: 'x', split: ';' }, '1;2;; 1')).toEqual(['1', '2'])
    expect(convert('ean', ['x', { constant: '5' }], [12, '3'])).toEqual(['12', '3', '5'])
    expect(convert('ean', 'x', '')).toEqual([])
    expect(convert('ean', 'x', undefined)).toBeUndefined()
    expect(convert('ean', 'x', '4.00638E+12')).toMatch(
      /^ean must be an EAN of digits, blanks and dashes, not "4.00638E\+12"/,
    )
    expect(
      convert(
        'ean',
        'x',
        Array.from({ length: 21 }, (_, i) => i),
      ),
    ).toMatch(/^ean must have at most 20 entries, not 21; the first 20 are taken$/)
  })
  it('keeps HTML as it is, empties with null, refuses what PostgreSQL cannot hold', () => {
    expect(convert('description', 'x', ' <p>\n a&nbsp;<b>b</b></p>\n')).toEqual({
      en: { description: '<p>\n a&nbsp;<b>b</b></p>' },
    })
    expect(convert('title.de-ch', 'x', '')).toEqual({ 'de-CH': { title: null } })
    expect(convert('title', 'x', 'a\0b')).toBe('title must not contain NUL')
    expect(convert('manufacturer', 'x', 'a\ud800')).toMatch(/half of a surrogate pair/)
    expect(convert('title', 'x', 'x'.repeat(5_001))).toBe('title must have at most 5000 characters')
    expect(convert('category', 'x', null)).toBeNull()
  })
  it('tells all faults of a row, with its sku', () => {
    const mapping = parseMapping({ fields: { sku: 'sku', cost: 'cost', quantity: 'qty' } })
    const row = compileConvert(mapping, lookup).convert
    expect(row({ sku: 'A', cost: 'x', qty: 'z' })).toMatchObject({
      sku: 'A',
      faults: [{ name: 'cost' }, { name: 'quantity' }],
    })
    expect(row({ cost: '1', qty: '1' })).toEqual({
      sku: null,
      faults: [{ name: 'sku', reason: 'is required' }],
      about: null,
    })
    expect(row({ sku: 'x'.repeat(201), cost: '1' })).toMatchObject({ sku: null, faults: [{ name: 'sku' }], about: [] })
  })
})

describe('sources', () => {
  it.each([
    [{ column: 'x', split: ',', take: 1 }, 'a, b ,c', 'b'],
    [{ column: 'x', split: ',', take: -1 }, 'a,b,c', 'c'],
    [{ column: 'x', split: ',', take: 9, default: 'd' }, 'a', 'd'],
    [{ column: 'x', take: 1 }, ['a', 'b'], 'b'],
    [{ column: 'x', prefix: '<', suffix: '>' }, ' a ', '<a>'],
    [{ column: 'x', prefix: '<' }, '', null],
    [
      {
        column: 'x',
        replace: [
          ['a', '$&'],
          ['b', ''],
        ],
      },
      'aab',
      '$&$&',
    ],
    [{ column: 'x', values: { yes: '1', no: '' } }, 'yes', '1'],
    [{ column: 'x', values: { yes: '1', no: '' } }, 'no', null],
    [{ column: 'x', default: 'd' }, undefined, 'd'],
    // texts are trimmed at the end; blanks of a column within a text may matter
    [{ column: 'x', trim: false, prefix: '-' }, ' a', '- a'],
    [{ join: ['x', { constant: 'z' }, 'y'], with: '/' }, 'a', 'a/z'],
    [{ join: ['x', 'y'] }, undefined, undefined],
    [{ constant: 'c' }, undefined, 'c'],
    ['x', true, 'true'],
  ])('%j of %j is %j', (source, x, value) => expect(convert('category', source, x)).toEqual(value))
})

describe('images', () => {
  const image = (x: unknown, imageBaseUrl?: string) =>
    convert('images', { column: 'x', split: '|' }, x, imageBaseUrl === undefined ? {} : { imageBaseUrl })
  it.each(['https://a.example/m', 'https://a.example/m/', 'https://a.example/m//'])(
    'joins relative paths to %s with one slash',
    (base) => {
      expect(image('/a b.jpg|c.jpg|//cdn.example/d.jpg|HTTP://e.example/f%20g.jpg|c.jpg', base)).toEqual([
        'https://a.example/m/a%20b.jpg',
        'https://a.example/m/c.jpg',
        'https://cdn.example/d.jpg',
        'HTTP://e.example/f%20g.jpg',
      ])
    },
  )
  it('encodes the blanks of absolute URLs as those of relative ones', () => {
    expect(image('https://a.example/f g.jpg|//a.example/h i.jpg')).toEqual([
      'https://a.example/f%20g.jpg',
      'https://a.example/h%20i.jpg',
    ])
  })
  it.each([
    ['/a.jpg', /, not "\/a.jpg": set "imageBaseUrl"/],
    ['https://a.example/f\tg.jpg', /absolute http or https URL without blanks/],
    ['ftp://a.example/b', /absolute http or https URL/],
    ['javascript:alert(1)', /absolute http/],
    ['https://', /absolute http/],
    [`https://a.example/${'x'.repeat(2_048)}`, /at most 2048 characters/],
  ])('drops %j', (x, words) => expect(image(x)).toMatch(words))
})

describe('attributes', () => {
  const signs = { pair: ',', assign: '=' }
  it.each([
    [
      'size=XS,color=Black',
      [
        ['size', 'XS'],
        ['color', 'Black'],
      ],
    ],
    [
      'material=Cotton, Nylon,climate=All-Weather|Cool',
      [
        ['material', 'Cotton, Nylon'],
        ['climate', 'All-Weather|Cool'],
      ],
    ],
    [
      '"size=a,b","color=say ""x"""',
      [
        ['size', 'a,b'],
        ['color', 'say "x"'],
      ],
    ],
    [
      'size="a,b=c",color=Red',
      [
        ['size', 'a,b=c'],
        ['color', 'Red'],
      ],
    ],
    [
      'screen=19",cable=2"',
      [
        ['screen', '19"'],
        ['cable', '2"'],
      ],
    ],
    [
      'a="open,b=2',
      [
        ['a', '"open'],
        ['b', '2'],
      ],
    ],
    ['a=b=c', [['a', 'b=c']]],
    ['', []],
    ['loose,a=1', undefined],
  ])('unpacks %j', (text, pairs) => expect(unpack(text, signs)).toEqual(pairs))

  it('takes an awkward cell apart in time that grows with its length alone', () => {
    const started = performance.now()
    unpack('"='.repeat(200_000), signs)
    unpack('a"'.repeat(200_000), signs)
    expect(performance.now() - started).toBeLessThan(2_000)
  })

  it('keeps the first of a key, leaves out empty ones, and filters', () => {
    const attributes = [
      { key: 'size', constant: 'M' },
      { key: 'none', constant: '' },
      { packed: 'x', pair: ';', assign: ':', except: ['no'] },
    ]
    expect(convert('attributes', attributes, 'size:L; no:1; color : red ;e:')).toEqual([
      { key: 'size', value: 'M' },
      { key: 'color', value: 'red' },
    ])
    expect(
      convert(
        'attributes',
        [
          { key: 'a', column: 'x' },
          { key: 'a', constant: '2' },
        ],
        '1',
      ),
    ).toEqual([{ key: 'a', value: '1' }])
    expect(convert('attributes', [{ packed: 'x', pair: ',', assign: '=', only: ['b'] }], 'a=1,b=2')).toEqual([
      { key: 'b', value: '2' },
    ])
    expect(convert('attributes', [{ key: 'a', column: 'x' }], undefined)).toBeUndefined()
    expect(convert('attributes', [{ packed: 'x', pair: ',', assign: '=' }], 'loose')).toBe(
      'attributes.x "loose" does not start with a key and "="',
    )
  })
  it('takes the scalar members of an object', () => {
    expect(
      convert('attributes', [{ object: 'x', except: ['d'] }], {
        a: 1,
        b: true,
        c: ' x ',
        d: 'no',
        e: [1],
        f: null,
        g: {},
      }),
    ).toEqual([
      { key: 'a', value: '1' },
      { key: 'b', value: 'true' },
      { key: 'c', value: 'x' },
    ])
    expect(convert('attributes', [{ object: 'x' }], 'text')).toBe('attributes.x must be an object')
    expect(
      convert('attributes', [{ object: 'x' }], Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`k${i}`, i]))),
    ).toMatch(/must have at most 500 entries, not 501/)
    expect(convert('attributes', [{ object: 'x' }], { ['k'.repeat(101)]: 1 })).toMatch(
      /^attributes a key must have at most 100 characters/,
    )
  })
})
