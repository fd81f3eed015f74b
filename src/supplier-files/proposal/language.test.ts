import { Ajv } from 'ajv'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileConvert, type Converted } from '../conversion/convert.ts'
import { compileFormula } from '../mapping/expression.ts'
import { mappingJsonSchema } from '../mapping-json-schema.ts'
import { parseMapping, type Condition, type Source } from '../mapping/mapping.ts'
import { compilePattern } from '../mapping/pattern.ts'
import { memberLookup } from '../rows.ts'

// Properties of the mapping language: every accepted mapping makes an offer or faults of every row, and its time grows with the length
// of the row.

const column = fc.constantFrom('a', 'b', 'a.b', 'list', 'list.b', 'c')
const text = fc.constantFrom(
  '',
  ' ',
  '1',
  '1.234',
  '1.234,5',
  '12,50 EUR',
  'in stock',
  'x',
  'A > B',
  'a=1,b=2',
  '\ud800',
  '٣',
  '€',
)
const condition: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({ column, in: fc.array(text, { minLength: 1, maxLength: 2 }) }),
  fc.record({ column, notIn: fc.array(text, { minLength: 1, maxLength: 2 }) }),
  fc.record({ column, empty: fc.boolean() }),
  fc.record({ column, matches: fc.constantFrom('^a', '\\d+', '(x|y)*$') }),
  fc.record({ column, above: fc.constantFrom('0', '-1.5', '100') }),
  fc.record({ column, below: fc.constantFrom('0', '-1.5', '100') }),
)
const steps = fc.record(
  {
    trim: fc.boolean(),
    capture: fc.constantFrom('(\\d+)', '^[^,]*', 'x'),
    replace: fc.constantFrom<[string, string][]>([['>', '/']], [['1', '']]),
    values: fc.constantFrom<Record<string, string>>({ x: '1' }, { '*': '2' }, { constructor: '3' }),
    number: fc.boolean(),
    prefix: fc.constantFrom('0', ' '),
    suffix: fc.constantFrom('0', ' EUR'),
    default: fc.constantFrom('0', ''),
  },
  { requiredKeys: [] },
)
const plain: fc.Arbitrary<Source> = fc.oneof(
  column,
  fc.tuple(column, steps).map(([name, more]) => ({ column: name, ...more })),
  fc
    .tuple(column, steps, fc.integer({ min: -2, max: 2 }))
    .map(([name, more, take]) => ({ column: name, split: ',', take, ...more })),
  text.map((constant) => ({ constant })),
)
const { source } = fc.letrec<{ source: Source }>((tie) => ({
  source: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    plain,
    fc.record({ join: fc.array(tie('source'), { minLength: 1, maxLength: 3 }), with: fc.constantFrom('', ' - ') }),
    fc.record({ first: fc.array(tie('source'), { minLength: 1, maxLength: 3 }) }),
    fc.record({
      when: fc.oneof(condition, fc.array(condition, { minLength: 1, maxLength: 2 })),
      use: tie('source'),
      else: tie('source'),
    }),
    fc.record({
      calc: fc.constantFrom('a + b', '(a - b) / b', '-a * 0.5'),
      of: fc.record({ a: tie('source'), b: tie('source') }),
    }),
    fc.record({
      tiers: fc.constantFrom('list', 'a'),
      price: column,
      from: column,
      quantity: fc.integer({ min: 1, max: 9 }),
    }),
  ),
}))
const mapping = fc.record({
  decimal: fc.constantFrom('.', ','),
  locale: fc.constant('en'),
  fields: fc.record(
    {
      sku: source,
      cost: source,
      currency: source,
      quantity: source,
      title: source,
      category: source,
      ean: fc.array(source, { minLength: 1, maxLength: 2 }),
      images: fc.array(source, { minLength: 1, maxLength: 2 }),
      attributes: fc.array(
        fc.oneof(
          plain.filter((one) => typeof one !== 'string').map((one) => ({ key: 'k', ...(one as object) })),
          fc.constant({ packed: 'a', pair: ',', assign: '=' }),
          fc.constant({ object: 'a' }),
          fc.constant({ list: 'list', name: 'a', value: 'b', unit: 'c' }),
          fc.constant({ pairs: 'n{n}', value: 'v{n}' }),
        ),
        { maxLength: 3 },
      ),
    },
    { requiredKeys: ['sku'] },
  ),
  skip: fc.array(condition, { maxLength: 1 }),
})
const scalar = fc.oneof(
  text,
  fc.double({ noNaN: true }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.string({ maxLength: 8 }),
)
const member = fc.dictionary(column, scalar, { maxKeys: 3 })
const row = fc.dictionary(
  fc.oneof(column, fc.constantFrom('n0', 'v0', 'n1', 'v1')),
  fc.oneof(scalar, member, fc.array(fc.oneof(scalar, member), { maxLength: 3 })),
  { maxKeys: 6 },
)

describe('the mapping language', () => {
  const isValid = new Ajv({ strict: false }).compile(mappingJsonSchema())

  it('is total: any mapping gives an offer, faults, or nothing, for any row, and the same each time', () => {
    const kinds = new Set<string>()
    fc.assert(
      fc.property(mapping, fc.array(row, { maxLength: 4 }), (given, rows) => {
        expect(isValid(given), JSON.stringify(isValid.errors)).toBe(true)
        const parsed = parseMapping(given)
        const results = (): Converted[] => {
          const { convert, conflicts } = compileConvert(parsed, memberLookup)
          const converted = rows.map(convert)
          expect(conflicts()).toEqual([])
          return converted
        }
        const converted = results()
        for (const one of converted) {
          kinds.add(Object.keys(one).includes('offer') ? 'offer' : 'faults' in one ? 'faults' : 'skipped')
          if ('offer' in one) {
            expect(one.offer.sku).not.toBe('')
            if (typeof one.offer.cost === 'string') expect(one.offer.cost).toMatch(/^\d{1,15}(\.\d{1,6})?$/)
            if (one.offer.quantity !== undefined) expect(Number.isSafeInteger(one.offer.quantity)).toBe(true)
          } else if ('faults' in one) expect(one.faults.length).toBeGreaterThan(0)
        }
        expect(results()).toEqual(converted)
      }),
      { numRuns: 400 },
    )
    expect(kinds).toEqual(new Set(['offer', 'faults', 'skipped']))
  })

  it('is linear: awkward texts for awkward expressions take time that grows with their length alone', () => {
    const awkward = `${'a'.repeat(100_000)}!`
    const lines: Source[] = [
      { column: 'a', capture: '^(a+)+$' },
      { column: 'a', capture: '(a|aa)+$' },
      { column: 'a', replace: [['aa', 'a']] },
      { column: 'a', split: 'a', take: -1 },
      { when: { column: 'a', matches: '^(([a-z])+.)+[A-Z]([a-z])+$' }, use: 'a', else: { constant: '' } },
      { first: ['b', { column: 'a', number: true }] },
    ]
    const started = performance.now()
    for (const one of lines) {
      const { convert } = compileConvert(
        parseMapping({ fields: { sku: { constant: 'S' }, category: one, cost: 'a', quantity: 'a' } }),
        memberLookup,
      )
      convert({ a: awkward })
      convert({ a: `${'1.'.repeat(50_000)}!` })
    }
    expect(performance.now() - started).toBeLessThan(4_000)
  })

  it.each(['(?=a)', '(a)\\1', '(', 'a'.repeat(501), '*'])('refuses the expression %j', (expression) => {
    expect(() => compilePattern(expression)).toThrow(/./)
    expect(() => parseMapping({ fields: { sku: { column: 'a', capture: expression } } })).toThrow(
      /fields\.sku\.capture is no regular expression of RE2/,
    )
  })
})

describe('formulas', () => {
  const value = (text: string, values: Record<string, string> = {}) =>
    compileFormula(text).calculate((name) => values[name] ?? '0')
  it.each([
    ['1 + 2 * 3', '7'],
    ['(1 + 2) * 3', '9'],
    ['10 - 3 - 2', '5'],
    ['-2 * -3', '6'],
    ['1 / 3', '0.333333'],
    ['2 / 3', '0.666667'],
    ['0.1 + 0.2', '0.3'],
    ['a*(100-b)/100', '85'],
    ['--1', '1'],
  ])('%s is %s', (text, result) => expect(value(text, { a: '100', b: '15' })).toEqual({ value: result }))

  it.each([
    ['', /ends where a number or a name is expected/],
    ['1 +', /ends where/],
    ['(1', /parenthesis that is not closed/],
    ['1 2', /"2" where an operator is expected/],
    ['1 $ 2', /"\$", which is no part of a formula/],
    ['a ** b', /"\*" where a number or a name is expected/],
    ['1'.repeat(501), /longer than 500/],
  ])('refuses %j', (text, message) => expect(() => compileFormula(text)).toThrow(message))

  it('names what the mapping does not give', () => {
    expect(() => parseMapping({ fields: { sku: 'a', cost: { calc: 'x * y', of: { x: 'a' } } } })).toThrow(
      /fields\.cost\.of\.y is required: the formula names it/,
    )
  })

  it('calculates like the arithmetic of fractions', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 9 }), fc.integer({ min: 1, max: 10 ** 6 }), (a, b) => {
        // rounded half up at six digits after the point, computed with whole numbers
        const expected = (2n * BigInt(a) * 1_000_000n + BigInt(b)) / (2n * BigInt(b))
        const result = value('a / b', { a: String(a), b: String(b) })
        expect('value' in result ? BigInt(Math.round(Number(result.value) * 1e6)) : 0n).toBe(expected)
      }),
    )
  })
})
