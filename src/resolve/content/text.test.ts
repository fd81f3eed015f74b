import { describe, expect, it, test } from 'vitest'
import { anOffer } from '../fixtures.ts'
import type { TextField } from '../../../contract/product-fields.ts'
import type { OfferInput, OverrideInput } from '../inputs.ts'
import { findName, findText } from './text.ts'

const offer = (texts: OfferInput['texts'], manufacturer: string | null = null) =>
  anOffer(1, { supplierSku: 'A', texts, manufacturer })
const resolveText = (
  field: TextField,
  chain: readonly string[],
  overrides: readonly OverrideInput[],
  offers: readonly OfferInput[],
  isAnyAllowed = false,
) => findText(field, { chain, isAnyAllowed }, overrides, offers)?.value ?? null
const resolveManufacturer = (overrides: Parameters<typeof findName>[1], offers: OfferInput[]) =>
  findName('manufacturer', overrides, offers)?.value ?? null
const CHAIN = ['pl-PL', 'pl', 'en']
const ONLY = { chain: CHAIN, isAnyAllowed: false }
const title = (value: string, locale: string) => ({ field: 'title' as const, locale, value })

describe('a text', () => {
  it('is taken from the first locale of the chain that has one', () => {
    const offers = [offer({ en: { title: 'Spade' }, pl: { title: 'Szpadel' } })]
    expect(resolveText('title', CHAIN, [], offers)).toBe('Szpadel')
    expect(resolveText('title', ['de-DE', 'de', 'en'], [], offers)).toBe('Spade')
    expect(resolveText('title', ['de'], [], offers)).toBeNull()
  })

  it('a more wanted locale of a later supplier goes before a less wanted one of the first', () => {
    expect(
      resolveText('title', CHAIN, [], [offer({ en: { title: 'Spade' } }), offer({ pl: { title: 'Szpadel' } })]),
    ).toBe('Szpadel')
  })

  it('within a locale the first supplier in the order given goes first', () => {
    expect(
      resolveText('title', CHAIN, [], [offer({ pl: { title: 'First' } }), offer({ pl: { title: 'Second' } })]),
    ).toBe('First')
  })

  it('an override goes before the suppliers within its locale, and only there', () => {
    const offers = [offer({ en: { title: 'Spade' }, pl: { title: 'Szpadel' } })]
    expect(resolveText('title', CHAIN, [title('Mine', 'pl')], offers)).toBe('Mine')
    expect(resolveText('title', CHAIN, [title('Mine', 'en')], offers)).toBe('Szpadel')
    expect(resolveText('title', CHAIN, [title('Mine', 'de')], offers)).toBe('Szpadel')
    expect(resolveText('title', CHAIN, [title('Mine', 'en')], [])).toBe('Mine')
  })

  it('an override of another field does not count', () => {
    const overrides = [
      { field: 'description' as const, locale: 'pl', value: 'Long' },
      { field: 'manufacturer' as const, locale: '', value: 'Acme' },
    ]
    expect(resolveText('title', CHAIN, overrides, [])).toBeNull()
    expect(resolveText('description', CHAIN, overrides, [])).toBe('Long')
  })

  it('empty, null and missing values count as none; title and description fall back each on its own', () => {
    const offers = [
      offer({
        'pl-PL': { title: '', description: null },
        pl: { title: null },
        en: { title: 'Spade', description: '<p>Digs</p>' },
      }),
    ]
    expect(resolveText('title', CHAIN, [], offers)).toBe('Spade')
    expect(resolveText('description', CHAIN, [], offers)).toBe('<p>Digs</p>')
    expect(resolveText('title', CHAIN, [], [offer({ pl: {} })])).toBeNull()
  })

  it('is handed on as it is, markup, blanks and signs included, but for blanks at its ends', () => {
    const text = '<p title="a&b"> zażółć \u2028 \u200b👩\u200d🔧</p>'
    expect(resolveText('description', ['en'], [], [offer({ en: { description: ` \ufeff${text}\u200b\r\n` } })])).toBe(
      text,
    )
  })

  it.each([' ', '\u00a0', '\u200b', '\u200d\u200c', '\ufeff', '\u00ad', '\u2060\t'])('%j counts as none', (blank) => {
    const real = [offer({ pl: { title: blank } }), offer({ pl: { title: 'Szpadel' } })]
    expect(resolveText('title', CHAIN, [title(blank, 'pl')], real)).toBe('Szpadel')
    expect(resolveText('title', CHAIN, [title(blank, 'pl-PL')], [offer({ en: { title: 'Spade' } })])).toBe('Spade')
    const [manufacturer] = [{ field: 'manufacturer' as const, locale: '', value: blank }]
    expect(resolveManufacturer([manufacturer], [offer({}, blank), offer({}, ' Acme ')])).toBe('Acme')
    expect(resolveManufacturer([manufacturer], [])).toBeNull()
  })
})

describe('the manufacturer', () => {
  it('is the first supplier’s that names one', () => {
    expect(resolveManufacturer([], [offer({}), offer({}, ''), offer({}, 'Acme'), offer({}, 'Other')])).toBe('Acme')
    expect(resolveManufacturer([], [offer({})])).toBeNull()
    expect(resolveManufacturer([], [])).toBeNull()
  })

  it('is the override where there is one', () => {
    expect(
      resolveManufacturer(
        [title('x', 'en'), { field: 'manufacturer', locale: '', value: 'Mine' }],
        [offer({}, 'Acme')],
      ),
    ).toBe('Mine')
  })
})

test('a text comes with its source', () => {
  expect(findText('title', ONLY, [], [offer({ pl: { title: 'Szpadel' } })])).toEqual({
    value: 'Szpadel',
    source: { from: 'supplier', supplierId: 1, supplierSku: 'A', locale: 'pl' },
  })
  expect(findText('title', ONLY, [title('Mine', 'en')], [])).toEqual({
    value: 'Mine',
    source: { from: 'override', locale: 'en' },
  })
  expect(findName('category', [{ field: 'category', locale: '', value: 'Tools' }], [])).toEqual({
    value: 'Tools',
    source: { from: 'override', locale: '' },
  })
})

describe('a text that no locale of the chain has', () => {
  const any = (overrides: readonly OverrideInput[], offers: readonly OfferInput[], chain: readonly string[] = CHAIN) =>
    resolveText('title', chain, overrides, offers, true)

  it('is none, unless any locale is allowed', () => {
    const offers = [offer({ fr: { title: 'Bêche' } })]
    expect(resolveText('title', CHAIN, [], offers)).toBeNull()
    expect(any([], offers)).toBe('Bêche')
    expect(any([], [offer({ fr: { title: '\u200b', description: 'Longue' } })])).toBeNull()
    // a locale of the chain comes first
    expect(any([title('Mein', 'de')], [offer({ fr: { title: 'Bêche' } }), offer({ en: { title: 'Spade' } })])).toBe(
      'Spade',
    )
  })

  it('is taken from the store’s language, then the account’s, then by the tags, whatever the order of offers and locales', () => {
    const texts = { uk: 'Лопата', 'pl-US': 'Szpadel', 'en-GB': 'Spade', cs: 'Rýč', 'cs-CZ': 'Rýč 2' }
    const names = Object.entries(texts).map(([locale, text]) => [locale, { title: text }] as const)
    const without = (...left: string[]) => {
      const kept = names.filter(([locale]) => !left.includes(locale))
      const one = offer(Object.fromEntries(kept))
      const many = kept.map((entry) => offer(Object.fromEntries([entry])))
      return [
        any([], [one]),
        any([], many),
        any([], many.toReversed()),
        any([], [offer(Object.fromEntries(kept.toReversed()))]),
      ]
    }
    expect(without()).toEqual(Array(4).fill('Szpadel'))
    expect(without('pl-US')).toEqual(Array(4).fill('Spade'))
    expect(without('pl-US', 'en-GB')).toEqual(Array(4).fill('Rýč'))
    expect(without('pl-US', 'en-GB', 'cs')).toEqual(Array(4).fill('Rýč 2'))
  })

  it('is the owner’s within that locale, and then the first supplier’s', () => {
    const offers = [offer({ fr: { title: 'Bêche' } }), offer({ fr: { title: 'Autre' }, de: { title: '' } })]
    expect(any([], offers)).toBe('Bêche')
    expect(any([title('Ma bêche', 'fr')], offers)).toBe('Ma bêche')
    expect(any([title('Mein Spaten', 'de')], offers)).toBe('Mein Spaten')
  })
})
