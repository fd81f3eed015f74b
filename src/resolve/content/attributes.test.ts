import { describe, expect, it } from 'vitest'
import {
  compileDefinitions,
  compilingDefinitions,
  findAttributes,
  overridePlaces,
  sharingDefinitions,
  showValue,
} from './attributes.ts'
import { anOffer } from '../fixtures.ts'
import type { AttributeDefinitionInput, OfferInput } from '../inputs.ts'

const definition = (
  key: string,
  position: number,
  labels: Record<string, string> = {},
  unit: string | null = null,
  options: AttributeDefinitionInput['options'] = {},
): AttributeDefinitionInput => ({
  key,
  unit,
  units: {},
  position,
  labels,
  options,
  type: null,
  separator: null,
  decimal: null,
})
const offer = (attributes: Record<string, string>) =>
  anOffer(1, { supplierSku: 'A', attributes: Object.entries(attributes).map(([key, value]) => ({ key, value })) })
/** A Polish store of an account in English. */
const POLISH = ['pl-PL', 'en'] as const
const NO_LABELS = compileDefinitions([], ...POLISH)
const over = (key: string, locale: string, value: string | null) => ({ key, locale, value })
/** In a store of this locale, in an account in English. */
const values = (overrides: ReturnType<typeof over>[], offers: OfferInput[], locale = 'pl-PL') =>
  findAttributes(overridePlaces(locale, 'en'), NO_LABELS, overrides, offers).map((row) => `${row.key}=${row.value}`)

describe('many options', () => {
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`Value ${i}`, { en: `Text ${i}` }]))
  /** How many steps it takes, and what it comes to. */
  const counted = <T>(steps: Generator<void, T, void>): { count: number; value: T } => {
    for (let count = 0; ; count++) {
      const step = steps.next()
      if (step.done === true) return { count, value: step.value }
    }
  }

  it('are prepared in small steps, once for all locales', () => {
    const shared = counted(sharingDefinitions([definition('color', 0, {}, null, many)]))
    expect(shared.count).toBeGreaterThanOrEqual(10_000)
    const locales = ['en', 'de', 'pl-PL'].map((locale) => counted(compilingDefinitions(shared.value, locale, 'en')))
    expect(locales.map(({ count }) => count)).toEqual([1, 1, 1])
    expect(locales.map(({ value }) => showValue('color', 'VALUE 4999', value))).toEqual(Array(3).fill('Text 4999'))
  })

  it('weigh what they take in memory, and their texts', () => {
    const weighed = (options: AttributeDefinitionInput['options']) =>
      counted(sharingDefinitions([definition('color', 0, {}, null, options)])).value.reduce(
        (sum, { bytes }) => sum + bytes,
        0,
      )
    const short = weighed(many)
    expect(short).toBeGreaterThan(1_200_000)
    const long = { ...many, more: { en: 'x'.repeat(100_000) } }
    expect(weighed(long)).toBeGreaterThan(short + 100_000)
  })
})

describe('options that are the same when folded', () => {
  const shown = (options: AttributeDefinitionInput['options'], value: string, locale = 'de') =>
    showValue('color', value, compileDefinitions([definition('color', 0, {}, null, options)], locale, 'en'))

  it('show the last that has a text in the store’s languages', () => {
    const options = { RED: { en: 'first', de: 'erstes' }, Red: { en: 'second' }, rED: { fr: 'dernier' } }
    expect(shown(options, 'red')).toBe('second')
    expect(shown(options, 'red', 'fr')).toBe('dernier')
  })

  it('show what is exactly the value before the others, where it has a text', () => {
    const options = { RED: { en: 'loud' }, red: { en: 'quiet' }, rED: { fr: 'mixte' } }
    expect(['RED', 'red', 'Red', 'rED'].map((value) => shown(options, value))).toEqual([
      'loud',
      'quiet',
      'quiet',
      'quiet',
    ])
  })
})

describe('labels', () => {
  it('come from the first locale of the chain that has one, with the unit in parentheses', () => {
    const labels = compileDefinitions(
      [
        definition('weight', 2, { en: 'Weight', pl: 'Waga' }, 'kg'),
        definition('color', 1, { en: 'Colour', de: 'Farbe' }),
        definition('size', 0, { de: 'Größe' }, ''),
      ],
      ...POLISH,
    )
    expect(['weight', 'color', 'size', 'fit'].map((key) => labels.of(key)?.label)).toEqual([
      'Waga (kg)',
      'Colour',
      'size',
      undefined,
    ])
  })

  it('show the unit of the store’s locale or a parent of it, else the one of every other locale, else the account’s', () => {
    const weight = {
      ...definition('weight', 0, { en: 'Weight', pl: 'Waga' }, 'kg'),
      units: { pl: 'kilo', de: 'Kilo', en: 'lb' },
    }
    const shown = (locale: string, accountLocale: string, over: Partial<AttributeDefinitionInput> = {}) =>
      compileDefinitions([{ ...weight, ...over }], locale, accountLocale).of('weight')
    expect(shown('pl-PL', 'en')?.label).toBe('Waga (kilo)')
    expect(shown('de', 'en')?.label).toBe('Weight (Kilo)')
    expect(shown('fr', 'fr')?.label).toBe('weight (kg)')
    // `unit` is for all locales not named; without it, the account's locale is the last fallback
    expect(shown('pl-PL', 'en', { units: { de: 'Kilo', en: 'lb' } })?.label).toBe('Waga (kg)')
    expect(shown('pl-PL', 'en', { unit: null, units: { de: 'Kilo', en: 'lb' } })?.label).toBe('Waga (lb)')
    // a unit for this locale alone makes it a number there, and nowhere else
    expect(
      [shown('de', 'de', { unit: null }), shown('fr', 'fr', { unit: null })].map((row) => [row?.label, row?.isNumber]),
    ).toEqual([
      ['weight (Kilo)', true],
      ['weight', false],
    ])
  })

  it('show the key with its unit where there is no label', () => {
    expect(compileDefinitions([definition('weight', 0, {}, 'kg')], ...POLISH).of('weight')?.label).toBe('weight (kg)')
  })
})

describe('the attributes of a product', () => {
  it('are in the order of their definitions, those without one last, then by key', () => {
    const labels = compileDefinitions(
      [definition('size', 1, { en: 'Size' }), definition('color', 5), definition('fit', 1), definition('unused', 0)],
      ...POLISH,
    )
    const shown = findAttributes(
      overridePlaces('pl-PL', 'en'),
      labels,
      [],
      [offer({ zone: '1', color: 'red', age: '3', size: 'XS', fit: 'slim' })],
    )
    expect(shown.map(({ key, label, value }) => ({ key, label, value }))).toEqual([
      { key: 'fit', label: 'fit', value: 'slim' },
      { key: 'size', label: 'Size', value: 'XS' },
      { key: 'color', label: 'color', value: 'red' },
      { key: 'age', label: 'age', value: '3' },
      { key: 'zone', label: 'zone', value: '1' },
    ])
  })

  it('are collected from all suppliers; the first one that has a key gives its value', () => {
    expect(values([], [offer({ color: 'red' }), offer({ color: 'blue', size: 'XS' })])).toEqual([
      'color=red',
      'size=XS',
    ])
  })

  it('take an override before any supplier’s value, also for keys that no supplier has', () => {
    expect(values([over('color', '', 'green'), over('fit', '', 'slim')], [offer({ color: 'red' })])).toEqual([
      'color=green',
      'fit=slim',
    ])
  })

  it('take the override of the store’s locale or a parent of it, then the one for every locale, then the account’s', () => {
    const overrides = [over('color', '', 'any'), over('color', 'en', 'red'), over('color', 'pl', 'czerwony')]
    expect(values(overrides, [])).toEqual(['color=czerwony'])
    expect(values(overrides, [], 'en')).toEqual(['color=red'])
    expect(values(overrides, [], 'en-GB')).toEqual(['color=red'])
    // * stands for every locale not named, and de is not named
    expect(values(overrides, [], 'de')).toEqual(['color=any'])
    expect(values([over('color', 'en', 'red')], [], 'de')).toEqual(['color=red'])
  })

  it('ignore an override of a locale outside the chain', () => {
    expect(values([over('color', 'de', 'rot')], [offer({ color: 'red' })])).toEqual(['color=red'])
  })

  it('are hidden by a null override, only in its locale', () => {
    expect(values([over('color', '', null)], [offer({ color: 'red', size: 'XS' })])).toEqual(['size=XS'])
    expect(values([over('color', 'pl', null)], [offer({ color: 'red' })])).toEqual([])
    expect(values([over('color', 'pl', null)], [offer({ color: 'red' })], 'en')).toEqual(['color=red'])
    expect(values([over('color', 'pl', null), over('color', '', 'any')], [])).toEqual([])
  })

  it('are not shown when blank; a blank value of the owner’s, and one of the first supplier’s, hides no other', () => {
    for (const blank of ['', ' ', '\u200b', '\u200d\ufeff']) {
      expect(values([over('fit', '', blank)], [offer({ color: blank, size: ' XS\u200b' })])).toEqual(['size=XS'])
      const offers = [offer({ color: blank }), offer({ color: 'red', fit: 'slim' })]
      expect(values([over('fit', 'pl', blank)], offers)).toEqual(['color=red', 'fit=slim'])
      expect(values([over('fit', 'pl', blank), over('fit', '', 'own')], offers)).toEqual(['color=red', 'fit=own'])
    }
  })

  it('may have keys such as __proto__', () => {
    expect(values([], [offer({ constructor: 'a', toString: 'b' })])).toEqual(['constructor=a', 'toString=b'])
  })
})

describe('a value as a store shows it', () => {
  const options = { red: { de: 'rot', pl: 'czerwony' }, 'Dark Blue': { en: 'navy' } }
  const definitions = (locale: string, accountLocale = locale) =>
    compileDefinitions(
      [definition('color', 0, {}, null, options), definition('weight', 0, {}, 'kg'), definition('code', 0)],
      locale,
      accountLocale,
    )

  it('is the option’s text in the first locale of the chain, ignoring letter case, else unchanged', () => {
    expect(showValue('color', 'RED ', definitions(...POLISH))).toBe('czerwony')
    expect(showValue('color', 'dark blue', definitions(...POLISH))).toBe('navy')
    expect(showValue('color', 'red', definitions('fr'))).toBe('red')
    expect(showValue('color', 'green', definitions('de'))).toBe('green')
  })

  it('has the locale’s decimal separator where it is a number with a unit, digit for digit', () => {
    expect(showValue('weight', '1250.50', definitions('de'))).toBe('1250,50')
    expect(showValue('weight', '-0.5', definitions('pl-PL'))).toBe('-0,5')
    expect(showValue('weight', '123456789012345678901234567890.5', definitions('de'))).toBe(
      '123456789012345678901234567890,5',
    )
    expect(showValue('weight', '1.5', definitions('en-GB'))).toBe('1.5')
    expect(showValue('weight', '1.5 - 2.5', definitions('de'))).toBe('1.5 - 2.5')
    expect(showValue('weight', '5', definitions('de'))).toBe('5')
    expect(showValue('code', '1.5', definitions('de'))).toBe('1.5')
    expect(showValue('unknown', '1.5', definitions('de'))).toBe('1.5')
  })

  it('is the same for the owner’s and for a supplier’s value', () => {
    const places = overridePlaces('de', 'en')
    const shown = (overrides: ReturnType<typeof over>[], offers: OfferInput[]) =>
      findAttributes(places, definitions('de', 'en'), overrides, offers)
    expect(shown([over('color', '', 'RED'), over('weight', 'de', '1.5'), over('code', '', '1.5')], [])).toMatchObject([
      { key: 'code', value: '1.5' },
      { key: 'color', value: 'rot', stated: 'RED', source: { from: 'override', locale: '*' } },
      { key: 'weight', value: '1,5', stated: '1.5', source: { from: 'override', locale: 'de' } },
    ])
    expect(shown([], [offer({ color: 'red', weight: '1.5' })])).toMatchObject([
      { value: 'rot', stated: 'red', source: { from: 'supplier', supplierId: 1, supplierSku: 'A' } },
      { value: '1,5', stated: '1.5' },
    ])
  })
})

describe('blank labels, and options that differ in letter case only', () => {
  it('a blank label, unit or text of an option counts as none', () => {
    const blank = definition('weight', 0, { pl: '\u200b', en: ' Weight ' }, '\u00a0', {
      ' 5 ': { pl: ' ', en: 'five ' },
    })
    const definitions = compileDefinitions([{ ...blank, units: { pl: '\u2060', en: '\u00adkg' } }], ...POLISH)
    expect(definitions.of('weight')).toMatchObject({ label: 'Weight (kg)', isNumber: true })
    expect(showValue('weight', '5', definitions)).toBe('five')
    expect(compileDefinitions([blank], ...POLISH).of('weight')).toMatchObject({ label: 'Weight', isNumber: false })
  })

  it('of options that are the same without letter case the last in the order of characters counts, however they are listed', () => {
    const [upper, mixed] = [{ en: 'upper' }, { en: 'mixed' }]
    for (const options of [
      { RED: upper, Red: mixed },
      { Red: mixed, RED: upper },
    ]) {
      const definitions = compileDefinitions([definition('color', 0, {}, null, options)], 'en', 'en')
      expect(['RED', 'Red', 'red'].map((value) => showValue('color', value, definitions))).toEqual([
        'upper',
        'mixed',
        'mixed',
      ])
    }
  })

  it('an option that matches exactly is preferred to one that differs in letter case', () => {
    const definitions = compileDefinitions(
      [definition('size', 0, {}, null, { M: { en: 'Medium' }, m: { en: 'metre' } })],
      'en',
      'en',
    )
    expect([showValue('size', 'M', definitions), showValue('size', 'm', definitions)]).toEqual(['Medium', 'metre'])
  })
})
