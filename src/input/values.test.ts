import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LIMITS } from '../platform/limits.ts'
import { ShelfwireError } from '../platform/errors.ts'
import { Check } from './check.ts'
import { readCurrency } from './currency.ts'
import { readDay } from './day.ts'
import { readEan } from './ean.ts'
import { readEach } from './list.ts'
import { canonicalLocale, readLocale, readLocaleForm } from './locale.ts'
import { readQuantity } from './quantity.ts'
import { readName } from './product-name.ts'
import { readOptionalText, readSku, readSlug, readText } from './text.ts'
import { readUrl } from './url.ts'
import { actualValueSuffix, quoted, type Verdict } from './verdict.ts'
import { idOfText, readId, readWhole, wholeOfText } from './whole.ts'

/** Any JSON value, and texts that are almost valid. */
const anything = fc.oneof(
  fc.jsonValue(),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom(...'0123456789+->.= eEuUrR:/hHtTpPs'), maxLength: 20 }),
)
const readers: readonly [string, (given: unknown) => Verdict<unknown>][] = [
  ['quantity', readQuantity],
  ['EAN', readEan],
  ['currency', readCurrency],
  ['locale', readLocale],
  ['URL', readUrl],
  ['day', readDay],
  ['slug', readSlug],
  ['ID', readId],
  ['whole number', (given) => readWhole(given, -5, 5)],
  ['text', (given) => readText(given, 10)],
  ['optional text', (given) => readOptionalText(given, 10)],
  ['condition', (given) => readName('condition', given)],
  ['country', (given) => readName('country_of_origin', given)],
  ['tariff number', (given) => readName('hs_code', given)],
  ['weight', (given) => readName('weight', given)],
  ['SKU', (given) => readSku(given, 10)],
]

describe('every reader', () => {
  it.each(readers)('of a %s takes anything without throwing, and reads what it gives as itself', (_, read) => {
    fc.assert(
      fc.property(anything, (given) => {
        const verdict = read(given)
        if ('value' in verdict) expect(read(verdict.value)).toEqual(verdict)
        else expect(verdict.reason).toMatch(/^(must|has) /)
      }),
    )
  })
  it.each(readers)('of a %s answers for a text of a megabyte at once', (_, read) => {
    const started = performance.now()
    for (const text of ['0'.repeat(1e6) + 'x', `>${' '.repeat(1e6)}1`, ' '.repeat(1e6) + 'x', '-'.repeat(1e6)])
      read(text)
    expect(performance.now() - started).toBeLessThan(500)
  })
})

describe('quantity', () => {
  it('is the whole part of any decimal, or 0 below it', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1000, max: LIMITS.quantityMax }), fc.nat(999), (whole, fraction) => {
        const value = Math.max(0, whole)
        for (const given of [whole, `${whole}`, `${whole}.${fraction}`, `>${whole}`, `>= ${whole}`, `${whole} +`])
          expect([given, readQuantity(given)]).toEqual([given, { value }])
      }),
    )
  })
  it.each([['1 pieces'], ['>'], ['+'], ['>10+5'], ['1e3'], [''], [null], [[1]], [true]])('%j is none', (given) =>
    expect(readQuantity(given)).toHaveProperty('reason'),
  )
})

describe('texts', () => {
  it('counts characters, not halves of them', () => {
    expect(readText('😀'.repeat(10), 10)).toHaveProperty('value')
    expect(readText('😀'.repeat(10) + 'x', 10)).toEqual({ reason: 'must have at most 10 characters' })
    expect(readText('e\u0301'.repeat(5), 10)).toHaveProperty('value')
  })
  it.each([
    ['\0', 'must not contain NUL'],
    ['\ud800', 'must not contain half of a surrogate pair'],
    ['\udc00\ud800', 'must not contain half of a surrogate pair'],
    ['\u00a0', 'must not be empty'],
    ['\ufeff', 'must not be empty'],
  ])('refuses %j', (text, reason) => {
    expect(readText(text, 10)).toEqual({ reason })
    expect(readSku(text, 10)).toEqual({ reason })
  })
})

describe('addresses', () => {
  it.each([
    'https://a.example',
    'http://a.example:8080/x?y=1#z',
    'HTTPS://A.example/Ü',
    'https://[::1]/x',
    'https://user:pass@a.example/x',
  ])('takes %s as it is', (url) => expect(readUrl(url)).toEqual({ value: url }))
  it.each([
    '',
    ' ',
    'a.example',
    'https:/a.example',
    'https://',
    'https://a.example/\u00a0',
    'https://a.example/\u0007',
    'data:x',
    'https://a b/',
  ])('refuses %j', (url) => expect(readUrl(url)).toHaveProperty('reason'))
})

describe('days', () => {
  it('are those of the calendar', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
        (date) => {
          const day = date.toISOString().slice(0, 10)
          expect(readDay(day)).toEqual({ value: day })
        },
      ),
    )
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9999 }), fc.nat(99), fc.nat(99), (year, month, day) => {
        const two = (part: number) => String(part).padStart(2, '0')
        const text = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
        const date = new Date(`${text}T00:00:00Z`)
        const exists = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
        expect([text, 'value' in readDay(text)]).toEqual([text, exists])
      }),
    )
    for (const text of ['1900-02-29', '2100-02-29', '0000-01-01', '2026-00-10', '2026-01-00', '+02026-01-01'])
      expect(readDay(text)).toHaveProperty('reason')
    expect(readDay('2000-02-29')).toEqual({ value: '2000-02-29' })
  })
})

describe('codes', () => {
  it('of currencies and locales have one spelling', () => {
    expect(readCurrency('eUr')).toEqual({ value: 'EUR' })
    // the long s and the dotless i become ASCII letters in capitals
    for (const text of ['uſd', 'ınr', 'EU', 'EURO', 'eur ', 'XXQ']) expect(readCurrency(text)).toHaveProperty('reason')
    expect(readLocale('ZH-hant-tw')).toEqual({ value: 'zh-Hant-TW' })
    expect(canonicalLocale('x'.repeat(200))).toBeNull()
  })
  it('of languages and regions are registered ones, and the nearest is named', () => {
    for (const tag of ['de', 'de-AT', 'es-419', 'sr-Latn-RS', 'gsw', 'szl', 'ja-JP-u-ca-japanese', 'no'])
      expect(readLocale(tag)).toEqual({ value: tag })
    // a three-letter code is replaced by the two-letter one
    expect(readLocale('ger')).toEqual({ value: 'de' })
    const meant = {
      german: 'de',
      Deutsch: 'de',
      niemiecki: 'de',
      français: 'fr',
      grman: 'de',
      engl: 'en',
      de_AT: 'de-AT',
      'de-XX': 'de',
      'de-ZZ': 'de',
      'german-at': 'de',
      cz: 'cs',
      dk: 'da',
      ' pl': 'pl',
    }
    for (const [given, tag] of Object.entries(meant))
      expect(readLocale(given)).toEqual({
        reason: `must be a BCP 47 language tag such as en or pl-PL, not ${JSON.stringify(given)}; did you mean "${tag}"?`,
      })
    for (const given of ['xx', 'qaa', 'und', '123', 'zzzzzzzz'])
      expect(readLocale(given)).toEqual({
        reason: `must be a BCP 47 language tag such as en or pl-PL, not "${given}"`,
      })
    // only the form is checked: earlier releases stored such tags
    expect(readLocaleForm('GERMAN')).toEqual({ value: 'german' })
    expect(readLocaleForm('de_DE')).toHaveProperty('reason')
  })
  it('of numbers are digits alone', () => {
    expect(wholeOfText('-0')).toEqual({ value: 0 })
    expect(wholeOfText('-12')).toEqual({ value: -12 })
    for (const text of ['', '+1', '1.0', '1e3', ' 1', '9'.repeat(16)])
      expect(wholeOfText(text)).toHaveProperty('reason')
    expect(idOfText('9007199254740991')).toEqual({ value: Number.MAX_SAFE_INTEGER })
    for (const text of ['0', '-1', '01', '9007199254740992']) expect(idOfText(text)).toHaveProperty('reason')
  })
})

describe('lists', () => {
  it('keep the first of each entry, and name bad ones by their place', () => {
    const faults: unknown[] = []
    const read = (entries: readonly unknown[], max: number) =>
      readEach('eans', entries, max, readEan, (fault) => faults.push(fault))
    expect(read(['1', '2', '1 ', ' 2', '3'], 3)).toEqual(['1', '2', '3'])
    expect(faults).toEqual([])
    expect(read(['1', 'x', '2', 5], 1)).toEqual(['1', '2'])
    expect(faults).toEqual([
      { name: 'eans.1', reason: 'must be an EAN of digits, blanks and dashes, not "x"' },
      { name: 'eans.3', reason: 'must be a string, not 5' },
      { name: 'eans', reason: 'must have at most 1 entries, not 2' },
    ])
  })
})

describe('faults', () => {
  it('quote scalars, cut to 60 characters and without halves of any', () => {
    expect(actualValueSuffix('a"b')).toBe(', not "a\\"b"')
    expect(actualValueSuffix(-1.5)).toBe(', not -1.5')
    expect([null, undefined, {}, [], [1]].map(actualValueSuffix)).toEqual(Array(5).fill(''))
    expect(quoted('x'.repeat(61))).toBe(`"${'x'.repeat(60)}…"`)
    expect(quoted('x'.repeat(59) + '😀y').isWellFormed()).toBe(true)
  })
  it('are collected, and thrown together', () => {
    const check = new Check()
    expect(check.currency('currency', 'eur')).toBe('EUR')
    expect(check.locale('locale', 'no!')).toBe('no!')
    check.slug('slug', 'A')
    expect(() => check.done('store')).toThrow(
      expect.toSatisfy(
        (error: unknown) =>
          error instanceof ShelfwireError &&
          error.code === 'invalid-input' &&
          error.message.startsWith('store: locale must be a BCP 47') &&
          error.faults.map((fault) => fault.name).join() === 'locale,slug',
      ),
    )
  })
})
