import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readStatedNumber } from '../../model/stated-number.ts'
import { converted } from '../../model/units.ts'
import { compileDefinitions, findAttributes, payloadAttribute } from './attributes.ts'
import { anOffer } from '../fixtures.ts'
import type { AttributeDefinitionInput } from '../inputs.ts'

const definition = (over: Partial<AttributeDefinitionInput>): AttributeDefinitionInput => ({
  key: 'a',
  unit: null,
  units: {},
  position: 0,
  labels: {},
  options: {},
  type: null,
  separator: null,
  decimal: null,
  ...over,
})

/** The members that an attribute's type adds, in a store of this locale in an account in English. */
function typed(value: string, over: Partial<AttributeDefinitionInput>, locale = 'en'): unknown {
  const definitions = compileDefinitions([definition(over)], locale, 'en')
  const [found] = findAttributes([''], definitions, [], [anOffer(1, { attributes: [{ key: 'a', value }] })])
  if (found === undefined) throw new Error('the attribute is shown')
  const { key: _key, label: _label, value: _value, ...rest } = payloadAttribute(found)
  return rest
}
const number = (value: string, over: Partial<AttributeDefinitionInput> = {}, locale = 'en') =>
  typed(value, { type: 'number', ...over }, locale)
const none = { type: 'number' }

describe('the number of an attribute', () => {
  it('is read in every notation that can mean one number only', () => {
    for (const [text, value] of [
      ['0,6', 0.6],
      ['0.6', 0.6],
      ['1.250,5', 1250.5],
      ['1,250.5', 1250.5],
      ['1 250,5', 1250.5],
      ["1'250.5", 1250.5],
      ['1\u202f250', 1250],
      ['1.250.000', 1_250_000],
      ['12,345,678', 12_345_678],
      ['0,125', 0.125],
      ['1250,125', 1250.125],
      ['1 250,125', 1250.125],
      ['12,5000', 12.5],
      ['007', 7],
      ['-5', -5],
      ['\u22125,5', -5.5],
      ['+3', 3],
      ['-0', 0],
      ['\u0661\u0662\u066b\u0665', 12.5],
      ['\u0661\u066c\u0662\u0665\u0660', 1250],
      ['\u06f3\u06f5', 35],
      ['\uff11\uff12', 12],
      ['999999999999999', 999_999_999_999_999],
      ['0.000000000000001', 1e-15],
    ] as const)
      expect([text, number(text)]).toEqual([text, { type: 'number', value_number: value }])
  })

  it('is left out where it is none, or might be two', () => {
    for (const text of [
      '1,250',
      '1.250',
      '-12.345',
      'ca. 5',
      '5-7',
      '5 - 7',
      '5/7',
      '1/2',
      '\u00bd',
      '1e9',
      '1e3',
      '0x10',
      '1,25,000',
      '1.25.000',
      '1.250,5.5',
      '1 25',
      '5 x 7',
      '5,',
      ',5',
      '.',
      'NaN',
      'Infinity',
      'five',
      '5 m lang',
      '9'.repeat(16),
      '9'.repeat(400),
      `0.${'0'.repeat(15)}1`,
    ])
      expect([text, number(text)]).toEqual([text, none])
  })

  it('is read by the decimal sign that the definition states, and by no other', () => {
    expect(number('1,250', { decimal: ',' })).toEqual({ type: 'number', value_number: 1.25 })
    expect(number('1,250', { decimal: '.' })).toEqual({ type: 'number', value_number: 1250 })
    expect(number('1.250', { decimal: '.' })).toEqual({ type: 'number', value_number: 1.25 })
    expect(number('1 250.5', { decimal: '.' })).toEqual({ type: 'number', value_number: 1250.5 })
    for (const [text, decimal] of [
      ['0,6', '.'],
      ['1.250,5', '.'],
      ['1.250.000', '.'],
      ['1 250,5', '.'],
    ] as const)
      expect([text, number(text, { decimal })]).toEqual([text, none])
  })

  it('has the unit of the definition in the store’s language, else the one of the value', () => {
    const weight = { unit: 'kg', units: { pl: 'kilo' } }
    expect(number('5', weight)).toEqual({ type: 'number', value_number: 5, unit: 'kg' })
    expect(number('5 kg', weight, 'pl-PL')).toEqual({ type: 'number', value_number: 5, unit: 'kilo' })
    expect(number('5 kilo', weight)).toEqual({ type: 'number', value_number: 5, unit: 'kg' })
    expect(number('0,6 mm')).toEqual({ type: 'number', value_number: 0.6, unit: 'mm' })
    expect(number('12%')).toEqual({ type: 'number', value_number: 12, unit: '%' })
    expect(number('3 m²', { unit: 'm2' })).toEqual({ type: 'number', value_number: 3, unit: 'm2' })
    // U+00B5 and U+03BC are the same sign
    expect(number('5 \u00b5m', { unit: '\u03bcm' })).toEqual({ type: 'number', value_number: 5, unit: '\u03bcm' })
  })

  it('is converted within a dimension where that is exact, and left out where it is not, or is another dimension', () => {
    expect(number('0,6 mm', { unit: 'cm' })).toEqual({ type: 'number', value_number: 0.06, unit: 'cm' })
    expect(number('500 \u00b5m', { unit: 'mm' })).toEqual({ type: 'number', value_number: 0.5, unit: 'mm' })
    expect(number('12 in', { unit: 'mm' })).toEqual({ type: 'number', value_number: 304.8, unit: 'mm' })
    expect(number('12"', { unit: 'cm' })).toEqual({ type: 'number', value_number: 30.48, unit: 'cm' })
    expect(number('2 kW', { unit: 'W' })).toEqual({ type: 'number', value_number: 2000, unit: 'W' })
    // 1 mm is 0.03937007874015748031… inches
    for (const [text, unit] of [
      ['1 mm', 'in'],
      ['5 kg', 'mm'],
      ['5 mW', 'Foo'],
      ['5 Stück', 'mm'],
      ['999999999999 t', 'mg'],
    ] as const)
      expect([text, number(text, { unit })]).toEqual([text, none])
    // names of two different units in two languages are not names of one unit
    expect(number('5 kg', { unit: 'lb', units: { de: 'kg' } })).toEqual(none)
    expect([converted('1', 'mW', 'MW', 15), converted('1', 'W', 'V', 15), converted('-2.5', 'm', 'mm', 15)]).toEqual([
      '0.000000001',
      undefined,
      '-2500',
    ])
  })

  it('is exactly what is written, whatever is written', () => {
    const signs = fc
      .array(fc.constantFrom(..."0127.,-+ \u00a0'\u066b\u0663mx2%"), { maxLength: 30 })
      .map((some) => some.join(''))
    const digits = fc.stringMatching(/^[1-9]\d{0,6}$/)
    fc.assert(
      fc.property(digits, digits, fc.constantFrom('', '-'), (whole, decimals, minus) => {
        const plain = `${minus}${whole}.${decimals}`
        const found = readStatedNumber(plain, '.')
        expect('plain' in found && Number(found.plain)).toBe(Number(plain))
      }),
    )
    fc.assert(
      fc.property(signs, fc.constantFrom(null, '.', ','), (text, sign) => {
        const found = readStatedNumber(text, sign)
        if ('plain' in found) expect(found.plain).toMatch(/^-?(?:0|[1-9]\d{0,14})(?:\.\d{0,14}[1-9])?$/)
      }),
    )
  })
})

describe('the other types', () => {
  it('a boolean is a word for yes or no, in the languages of suppliers', () => {
    for (const [text, is] of [
      ['yes', true],
      ['JA', true],
      [' Tak ', true],
      ['1', true],
      ['nein', false],
      ['Nie', false],
      ['false', false],
    ] as const)
      expect([text, typed(text, { type: 'boolean' })]).toEqual([text, { type: 'boolean', value_boolean: is }])
    for (const text of ['maybe', 'yes, in red', '2', '-'])
      expect(typed(text, { type: 'boolean' })).toEqual({ type: 'boolean' })
  })

  it('a list is cut at its separator, each entry once and in the store’s language', () => {
    const options = { red: { de: 'rot' }, blue: { de: 'blau' } }
    const list = (text: string, over: Partial<AttributeDefinitionInput> = {}) =>
      typed(text, { type: 'list', options, ...over }, 'de')
    expect(list('Red | blue;green\nred')).toEqual({ type: 'list', values: ['rot', 'blau', 'green'] })
    expect(list('red')).toEqual({ type: 'list', values: ['rot'] })
    expect(list('red, blue')).toEqual({ type: 'list', values: ['red, blue'] })
    expect(list('red, a|b', { separator: ',' })).toEqual({ type: 'list', values: ['rot', 'a|b'] })
    expect(list('red blue', { separator: ' ' })).toEqual({ type: 'list', values: ['rot', 'blau'] })
    expect(list(';|;')).toEqual({ type: 'list' })
    const many = (count: number) => Array.from({ length: count }, (_, i) => `e${i}`)
    expect(list(many(1_000).join('|'))).toEqual({ type: 'list', values: many(1_000) })
    expect(list(many(1_001).join('|'))).toEqual({ type: 'list' })
  })

  it('a text is what it is; without a type nothing is added', () => {
    expect(typed('5', { type: 'text', unit: 'mm' })).toEqual({ type: 'text' })
    expect(typed('5', { unit: 'mm' })).toEqual({})
  })
})
