import { expect, test } from 'vitest'
import { LIMITS } from '../platform/limits.ts'
import type { ProductInputs } from '../resolve/inputs.ts'
import type { ShelvedAccount } from './inputs/compiled-inputs.ts'
import { nextSlice, partsOf } from './slices.ts'

const product = (productId: number, characters: number) =>
  ({
    productId,
    offers: [],
    overrides: [{ value: 'x'.repeat(characters) }],
    attributeOverrides: [{ value: null }],
  }) as unknown as ProductInputs
const account = { stores: [1, 2, 3, 4, 5].map((storeId) => ({ store: { storeId } })) } as unknown as ShelvedAccount
const MOST = LIMITS.statementCharacters

test('products are resolved together as long as their payloads in all stores are within four statements', () => {
  const products = [1, 2, 3, 4, 5, 6].map((id) => product(id, MOST / 5))
  const parts = [...partsOf(account, products)]
  expect(parts.map((part) => part.products.map(({ productId }) => productId))).toEqual([
    [1, 2, 3, 4],
    [5, 6],
  ])
  expect(parts.every((part) => part.account === account)).toBe(true)
})

test('a product whose payloads exceed that alone is resolved in some stores after the others', () => {
  const parts = [...partsOf(account, [product(1, 10), product(2, MOST), product(3, 10)])]
  expect(parts.map((part) => part.products.map(({ productId }) => productId))).toEqual([
    [2],
    [2],
    [2],
    [2],
    [2],
    [1, 3],
  ])
  expect(parts.map((part) => part.account.stores.map(({ store }) => store.storeId))).toEqual([
    ...[1, 2, 3, 4, 5].map((id) => [id]),
    [1, 2, 3, 4, 5],
  ])
})

test('a slice has one product at the least, and more as long as the heavy ones are within a statement', () => {
  const weights = new Map([
    [2, MOST],
    [4, MOST * 3],
  ])
  expect(nextSlice([1, 2, 3, 4, 5], 0, 10, weights)).toEqual([1, 2, 3])
  expect(nextSlice([1, 2, 3, 4, 5], 3, 10, weights)).toEqual([4])
  expect(nextSlice([1, 2, 3, 4, 5], 4, 10, weights)).toEqual([5])
  expect(nextSlice([1, 3, 5], 0, 2, weights)).toEqual([1, 3])
})
