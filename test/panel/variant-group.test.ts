import { expect, test } from 'vitest'
import type { GroupedProduct, GroupRead } from '../../panel/api/variant-groups.ts'
import { bodyOf, draftOf, faultsOf, firstShown, optionsOf, type Draft } from '../../panel/pages/variant-group/draft.ts'

const store = { id: 1, slug: 'main', name: 'Main', locale: 'en', currency: 'EUR', is_default: true }
const product = (id: number, options: Record<string, string>): GroupedProduct => ({
  id,
  sku: `S${id}`,
  title: `Tee ${id}`,
  stock: 1,
  prices: [],
  excluded: false,
  exclusion_reason: null,
  group: {
    id: 9,
    key: 'tee',
    title: 'Tee',
    position: id,
    options: Object.entries(options).map(([key, value], i) => ({ key, label: key, value, position: i + 1 })),
  },
})
const read = (...products: GroupedProduct[]): GroupRead => ({
  id: 9,
  own: null,
  shown: [
    { store, title: 'Tee', products },
    { store: { ...store, slug: 'de' }, title: 'Hemd', products: [product(7, { size: 'groß' })] },
  ],
  productIds: products.map(({ id }) => id),
})

test('a supplier’s group begins with its products and nothing of one’s own; options are those that they show', () => {
  const group = read(product(1, { size: 'M' }), product(2, { color: 'red', size: 'L' }))
  const draft = draftOf(group)
  expect(draft).toEqual({ title: {}, options: [], products: [1, 2].map((id) => ({ id, options: {} })) })
  expect(optionsOf(draft, firstShown(group)).map(({ key }) => key)).toEqual(expect.arrayContaining(['size', 'color']))
  // the first store that lists it
  expect([...firstShown(group).keys()].toSorted()).toEqual([1, 2, 7])
})

test('what is typed counts in place of what is shown: variants alike, and options that are missing', () => {
  const found = firstShown(read(product(1, { size: 'M' }), product(2, { size: 'L' }), product(3, {})))
  const draft = (...values: string[]): Draft => ({
    title: {},
    options: [],
    products: values.map((size, i) => ({ id: i + 1, options: size === '' ? {} : { size } })),
  })
  expect(faultsOf(draft('', ''), found)).toEqual({ alike: [], lacking: [] })
  expect(faultsOf(draft('', 'M', ''), found)).toEqual({ alike: [[1, 2]], lacking: [{ id: 3, keys: ['size'] }] })
  expect(faultsOf({ ...draft('', ''), options: [{ key: 'cut', labels: {} }] }, found)).toEqual({
    alike: [],
    lacking: [
      { id: 1, keys: [] },
      { id: 2, keys: [] },
    ],
  })
  // a single product lacks nothing
  expect(faultsOf(draft(''), new Map())).toEqual({ alike: [], lacking: [] })
})

test('what is saved has no empty texts, and takes away what was removed', () => {
  const before: Draft = { title: { en: 'Tee', de: 'Hemd' }, options: [], products: [] }
  expect(
    bodyOf(
      {
        title: { en: 'Shirt', de: ' ' },
        options: [{ key: ' size ', labels: { en: 'Size', de: '' } }],
        products: [
          { id: 1, options: { size: 'M', gone: 'x' } },
          { id: 2, options: { size: ' ' } },
        ],
      },
      before,
    ),
  ).toEqual({
    title: { en: 'Shirt', de: null },
    options: [{ key: 'size', labels: { en: 'Size' } }],
    products: [
      { product_id: 1, options: { size: 'M' } },
      { product_id: 2, options: {} },
    ],
  })
})
