import { expect, test } from 'vitest'
import { DIMENSIONS, forEachField, isDimension, OPTIONAL_NAMES, OPTIONAL_TEXTS } from '../../contract/product-fields.ts'
import { anAccount, anOffer, aProduct, aStore, payloadOf } from './fixtures.ts'

// Fields that a payload has only if the product has a value.

/** Contents must be readable to be shown. */
const value = (prefix: string, field: string) => (field === 'net_content' ? `${prefix.length} l` : `${prefix} ${field}`)
const names = forEachField(OPTIONAL_NAMES, (field) => value('A', field))
const texts = forEachField(OPTIONAL_TEXTS, (field) => `A ${field}`)
const fields = [...OPTIONAL_NAMES, ...OPTIONAL_TEXTS]

/** The members in the form of the payload. */
const members = (prefix: string) => ({
  ...forEachField(
    fields.filter((field) => !isDimension(field)),
    (field) => value(prefix, field),
  ),
  dimensions: forEachField(DIMENSIONS, (field) => `${prefix} ${field}`),
})

test('an optional field is a member where an offer or an override has a value, and no member elsewhere', () => {
  const account = anAccount()
  const none = payloadOf(
    account,
    aProduct({ offers: [anOffer(1, { texts: { en: { title: 'Spade', seo_title: ' ' } } })] }),
  )
  expect(Object.keys(members('')).filter((member) => member in (none?.content ?? {}))).toEqual([])
  const stated = payloadOf(account, aProduct({ offers: [anOffer(1, { ...names, texts: { en: texts } })] }))
  expect(stated?.content).toMatchObject(members('A'))
  const overrides = fields.map((field) => ({
    field,
    locale: field in texts ? 'en' : '',
    value: value('Our', field),
  }))
  for (const offers of [[], [anOffer(1, { ...names, texts: { en: texts } })]])
    expect(payloadOf(account, aProduct({ offers, overrides }))?.content).toMatchObject(members('Our'))
})

test('each of the dimensions has its own source, and the member has those that are known', () => {
  const account = anAccount()
  const offers = [anOffer(1, { length: '30' }), anOffer(2, { length: '31', width: '20' })]
  const overrides = [{ field: 'width' as const, locale: '', value: '19' }]
  expect(payloadOf(account, aProduct({ offers, overrides }))?.content.dimensions).toEqual({ length: '30', width: '19' })
  expect(payloadOf(account, aProduct({ offers: [anOffer(1)] }))?.content).not.toHaveProperty('dimensions')
})

test('an optional text is the one of the store’s language, and an optional name is taken in the order of its sources', () => {
  const account = anAccount({
    stores: [aStore({ locale: 'de-AT' })],
    sourceOrders: [{ field: 'mpn', supplierIds: [2, 1] }],
  })
  const product = aProduct({
    offers: [
      anOffer(1, { mpn: 'ONE', texts: { en: { delivery_time: '2-4 days' }, de: { delivery_time: '2-4 Werktage' } } }),
      anOffer(2, { mpn: 'TWO', texts: { en: { seo_title: 'Spade' } } }),
    ],
  })
  expect(payloadOf(account, product)?.content).toMatchObject({
    mpn: 'TWO',
    delivery_time: '2-4 Werktage',
    seo_title: 'Spade',
  })
})
