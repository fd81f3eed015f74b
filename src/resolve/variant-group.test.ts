import { expect, test } from 'vitest'
import { anAccount, anOffer, aProduct, aStore, aSupplier, payloadOf } from './fixtures.ts'
import type { OfferInput } from './inputs.ts'

const size = (value: string, label: string | null = null) => ({ key: 'size', label, value })
const stated = (over: Partial<NonNullable<OfferInput['group']>> = {}) => ({
  key: 'tee',
  title: { en: 'Tee' },
  options: [size('M')],
  position: 2,
  ...over,
})
const groups = [{ supplierId: 1, key: 'tee', groupId: 7, position: 2 }]

test('the payload has a group where a supplier states one that is registered, and is otherwise what it was', () => {
  const shown = (offers: OfferInput[], over = {}) =>
    payloadOf(anAccount(), aProduct({ offers, groups, ...over }))?.content
  expect(shown([anOffer(1, { group: stated() })])?.group).toEqual({
    id: 7,
    key: 'tee',
    title: 'Tee',
    position: 2,
    options: [{ key: 'size', label: 'size', value: 'M', position: 1 }],
  })
  expect(shown([anOffer(1)])).not.toHaveProperty('group')
  expect(shown([anOffer(1, { group: stated() })], { groups: [] })).not.toHaveProperty('group')
  // of a supplier that is deleted
  expect(shown([anOffer(9, { group: stated() })])).not.toHaveProperty('group')
})

test('key, options and position come from the first supplier that states one each, the title in the store’s language', () => {
  const account = anAccount({
    stores: [
      aStore(),
      aStore({ storeId: 2, slug: 'at', locale: 'de-AT' }),
      aStore({ storeId: 3, slug: 'fr', locale: 'fr' }),
    ],
    suppliers: [aSupplier(1, { priority: 2 }), aSupplier(2, { priority: 1 })],
  })
  const product = aProduct({
    groups,
    offers: [
      anOffer(1, { group: stated({ title: { en: 'Tee', de: 'Shirt' } }) }),
      anOffer(2, { group: stated({ key: 'theirs', title: { en: 'T-shirt', de: ' ' }, options: [], position: null }) }),
    ],
  })
  const group = (storeId: number) => payloadOf(account, product, storeId)?.content.group
  expect(group(1)).toMatchObject({ id: 7, key: 'theirs', title: 'T-shirt', position: 2, options: [{ value: 'M' }] })
  expect(group(2)).toMatchObject({ title: 'Shirt' })
  expect(group(3)).toMatchObject({ title: 'T-shirt' })
})

test('an option is labelled and shown like the attribute with its key, else as the supplier labels it, else by its key', () => {
  const account = anAccount({
    stores: [aStore({ locale: 'de' })],
    attributes: [
      { key: 'color', unit: null, units: {}, position: 1, labels: { de: 'Farbe' }, options: { red: { de: 'rot' } } },
    ],
  })
  const options = [
    { key: 'color', label: 'Color', value: 'red' },
    size('M', 'Size'),
    { key: 'fit', label: null, value: 'wide' },
  ]
  const product = aProduct({ groups, offers: [anOffer(1, { group: stated({ options }) })] })
  expect(payloadOf(account, product)?.content.group?.options).toEqual([
    { key: 'color', label: 'Farbe', value: 'rot', position: 1 },
    { key: 'size', label: 'Size', value: 'M', position: 2 },
    { key: 'fit', label: 'fit', value: 'wide', position: 3 },
  ])
})
