import { expect, test } from 'vitest'
import { anAccount, anOffer, aProduct, aStore, aSupplier, payloadOf } from '../fixtures.ts'
import type { OfferInput, ProductInputs } from '../inputs.ts'
import { statedGroupPlaces } from './variant-group.ts'

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
  // of a deleted supplier
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
      {
        key: 'color',
        unit: null,
        units: {},
        position: 1,
        labels: { de: 'Farbe' },
        options: { red: { de: 'rot' } },
        type: null,
        separator: null,
        decimal: null,
      },
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

test('what the owner says of a group takes precedence: title, labels and values by hand, the rest as suppliers state it', () => {
  const account = anAccount({ stores: [aStore(), aStore({ storeId: 2, slug: 'at', locale: 'de-AT' })] })
  const offers = [
    anOffer(1, { group: stated({ options: [size('M', 'Size'), { key: 'color', label: null, value: 'red' }] }) }),
  ]
  const own = { groupId: 40, position: 3, values: {}, title: {}, options: [] }
  const ownPlace = [{ supplierId: 0, key: '40', groupId: 40, position: 3 }]
  const group = (ownGroup: ProductInputs['ownGroup'], storeId = 1, over = {}) =>
    payloadOf(account, aProduct({ offers, groups: ownPlace, ownGroup, ...over }), storeId)?.content.group
  // the owner states nothing but membership
  expect(group(own)).toEqual({
    id: 40,
    key: '40',
    title: 'Tee',
    position: 3,
    options: [
      { key: 'size', label: 'Size', value: 'M', position: 1 },
      { key: 'color', label: 'color', value: 'red', position: 2 },
    ],
  })
  const named = {
    ...own,
    title: { de: 'Hemd', en: 'Shirt' },
    values: { cut: 'wide', toString: 'never named' },
    options: [
      { key: 'cut', labels: { de: 'Schnitt' } },
      { key: 'size', labels: {} },
      { key: 'toString2', labels: {} },
    ],
  }
  expect(group(named, 2)).toMatchObject({
    title: 'Hemd',
    options: [
      { key: 'cut', label: 'Schnitt', value: 'wide', position: 1 },
      { key: 'size', label: 'Size', value: 'M', position: 2 },
    ],
  })
  expect(group(named)?.title).toBe('Shirt')
  // a title in one language only is not mixed with suppliers' titles of the group
  expect(group({ ...own, title: { de: 'Hemd' } })?.title).toBeNull()
  // without any offer
  expect(group(named, 1, { offers: [] })?.options).toEqual([{ key: 'cut', label: 'cut', value: 'wide', position: 1 }])
})

test('of a product for which the owner decides, no supplier is asked for its place', () => {
  const offers = [anOffer(1, { group: stated() })]
  const suppliers = new Map([[1, aSupplier(1)]])
  const places = (ownGroup: ProductInputs['ownGroup']) =>
    statedGroupPlaces(suppliers, aProduct({ offers, ownGroup }), (all) => all)
  expect(places(null)).toEqual([{ supplierId: 1, key: 'tee', position: 2 }])
  const own = { position: 3, values: {}, title: {}, options: [] }
  expect(places({ ...own, groupId: 40 })).toEqual([{ supplierId: 0, key: '40', position: 3 }])
  expect(places({ ...own, groupId: null })).toEqual([])
})
