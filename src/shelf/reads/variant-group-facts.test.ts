import { expect, test } from 'vitest'
import { LIMITS } from '../../platform/limits.ts'
import { groupFacts, type GroupedProduct } from './variant-group-facts.ts'

const product = (id: number, images: string[], options: Record<string, string> = {}): GroupedProduct => ({
  id,
  images,
  group: {
    id: 1,
    key: 'tee',
    title: null,
    position: id,
    options: Object.entries(options).map(([key, value], i) => ({
      key,
      label: key.toUpperCase(),
      value,
      position: i + 1,
    })),
  },
})

test('options have each value once, in the order of the products; a picture is named once, with the products that show it', () => {
  expect(
    groupFacts([
      product(7, ['front', 'red', 'front'], { size: 'M', color: 'red' }),
      product(3, ['front', 'blue'], { color: 'blue', size: 'M' }),
      product(5, [], { size: 'L', cut: 'wide' }),
    ]),
  ).toEqual({
    options: [
      { key: 'size', label: 'SIZE', values: ['M', 'L'] },
      { key: 'color', label: 'COLOR', values: ['red', 'blue'] },
      { key: 'cut', label: 'CUT', values: ['wide'] },
    ],
    images: [
      { url: 'front', product_ids: [7, 3], first_of: [7, 3] },
      { url: 'red', product_ids: [7], first_of: [] },
      { url: 'blue', product_ids: [3], first_of: [] },
    ],
  })
  expect(groupFacts([])).toEqual({ options: [], images: [] })
})

test('a picture has the details that its products show, with the first text that any of them has', () => {
  const details = (alt: string | null) => [
    { alt, width: null, height: null, type: null, hash: null, is_mirrored: false },
  ]
  const { images } = groupFacts([
    { ...product(1, ['a']), image_details: details(null) },
    { ...product(2, ['a']), image_details: details('Front') },
    { ...product(3, ['a']), image_details: details('Other') },
  ])
  expect(images).toEqual([{ url: 'a', product_ids: [1, 2, 3], first_of: [1, 2, 3], details: details('Front')[0] }])
})

test('of very many pictures the first are taken, and their products are still complete', () => {
  const many = Array.from({ length: LIMITS.groupImagesMax + 5 }, (_, i) => String(i))
  const { images } = groupFacts([product(1, many), product(2, [...many].reverse())])
  expect(images).toHaveLength(LIMITS.groupImagesMax)
  expect(images.every(({ product_ids: ids }) => ids.join() === '1,2')).toBe(true)
})
