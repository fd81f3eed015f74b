import { expect, test } from 'vitest'
import type { ListedCategory } from '../../client/src/answers.ts'
import { categoryTree } from '../../connectors/vendure/src/shop/category-tree.ts'
import { pictureName } from '../../connectors/vendure/src/shop/picture-name.ts'

const category = (id: number, parent: number | null, name = `C${id}`) =>
  ({ id, parent_id: parent, name }) as unknown as ListedCategory

test('categories have their names by language, and all that are below them in the order of the list', () => {
  const tree = categoryTree([
    {
      language: 'en',
      categories: [category(1, null), category(3, 1), category(7, 3), category(2, 1), category(4, null)],
    },
    { language: 'de', categories: [category(1, null, 'K1'), category(3, 1, 'K3'), category(9, 1, 'K9')] },
  ])
  expect(tree.map(({ id, parentId, withBelow }) => [id, parentId, withBelow])).toEqual([
    [1, null, [1, 3, 7, 2, 9]],
    [3, 1, [3, 7]],
    [7, 3, [7]],
    [2, 1, [2]],
    [4, null, [4]],
    [9, 1, [9]],
  ])
  expect(tree.find(({ id }) => id === 3)?.names).toEqual([
    { languageCode: 'en', name: 'C3' },
    { languageCode: 'de', name: 'K3' },
  ])
  expect(tree.find(({ id }) => id === 9)?.names).toEqual([{ languageCode: 'de', name: 'K9' }])
})

test('as many categories as an account may have hold up the shop for a moment', { retry: 2 }, () => {
  const categories = Array.from({ length: 10_000 }, (_, i) => category(i + 1, i < 10 ? null : Math.floor(i / 10)))
  const lists = ['en', 'de', 'pl'].map((language) => ({ language, categories }))
  const from = performance.now()
  const tree = categoryTree(lists)
  expect(performance.now() - from).toBeLessThan(500)
  expect(tree).toHaveLength(10_000)
  expect(tree[0]?.withBelow.length).toBeGreaterThan(1_000)
})

test.each([
  ['https://x.example/a/Gr%C3%B6%C3%9Fe%201.JPG?w=2', 'image/jpeg', 'Gr-e-1.jpg'],
  ['https://x.example/50%off.jpg', 'image/jpeg', '50-off.jpg'],
  ['https://x.example/%E0%A4%A.png', 'image/png', '-A.png'],
  ['https://x.example/', 'image/webp', 'picture.webp'],
  ['https://x.example/b.php', 'image/svg+xml', 'b.svg'],
])('the picture %s has a name in the shop', (url, type, name) => {
  expect(pictureName(url, type)).toBe(name)
})
