import { expect, test } from 'vitest'
import { differingMirrors, equalMirrors, storeGroups } from '../../panel/pages/overview/store-groups.ts'

// The overview shows how many products stores list, and groups stores with equal figures.

const store = (slug: string, products: number, excluded: number, isActive = true) => ({
  id: 1,
  slug,
  name: slug.toUpperCase(),
  is_active: isActive,
  products,
  excluded,
  excluded_by_reason: [],
  mirrors: [],
})
const lacking = (slug: string, gap: 'no_title' | 'no_image' | 'no_category', products: number) => ({
  store: slug,
  products: 100,
  gaps: [{ gap, products, product_ids: [] }],
})

test('stores with the same figures are one group, and inactive ones none', () => {
  const [group, ...others] = storeGroups(
    [store('a', 100, 3), store('b', 100, 3), store('c', 7, 0, false)],
    // a gap that the overview does not show
    [lacking('b', 'no_category', 2)],
  )
  expect(others).toEqual([])
  expect(group).toMatchObject({ stores: [{ slug: 'a' }, { slug: 'b' }], products: 100, excluded: 3, tone: 'good' })
})

test('stores that differ are groups of their own, those that need a person first', () => {
  const groups = storeGroups(
    [store('a', 100, 3), store('b', 100, 3), store('c', 100, 3)],
    [lacking('b', 'no_image', 2), lacking('c', 'no_title', 5)],
  )
  expect(groups.map(({ stores, tone }) => [stores[0]?.slug, tone])).toEqual([
    ['c', 'warn'],
    ['b', 'off'],
    ['a', 'good'],
  ])
  expect(groups[0]?.gaps).toEqual([{ gap: 'no_title', products: 5 }])
})

test('a store that excludes everything needs a person, one without products does not', () => {
  const tones = storeGroups([store('a', 5, 5), store('b', 0, 0), store('c', 5, 4)])
  expect(tones.map(({ stores, tone }) => [stores[0]?.slug, tone])).toEqual([
    ['a', 'warn'],
    ['b', 'off'],
    ['c', 'good'],
  ])
})

test('mirrors that differ, and those that are equal, are told of active stores alone', () => {
  const told = { as_of: '', differs_since: null, told_at: '2026-11-20T10:00:00+00:00' }
  const mirrors = [
    { name: 'equal', differing: 0, ...told },
    { name: 'differs', differing: 3, ...told },
    { name: 'newer', differing: 0, ...told, told_at: '2026-11-20T14:03:00+00:00' },
  ]
  const stores = [
    { ...store('a', 1, 0), mirrors },
    { ...store('b', 1, 0, false), mirrors },
  ]
  const named = (found: { store: { slug: string }; mirror: { name: string } }[]) =>
    found.map((row) => `${row.store.slug} ${row.mirror.name}`)
  expect(named(differingMirrors(stores))).toEqual(['a differs'])
  expect(named(equalMirrors(stores))).toEqual(['a newer', 'a equal'])
})
