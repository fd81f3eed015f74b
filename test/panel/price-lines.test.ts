import { expect, test } from 'vitest'
import type { CatalogStore, StoreProduct } from '../../panel/api/catalog.ts'
import type { ProductExplanation } from '../../panel/pages/product/data.ts'
import { priceLines } from '../../panel/pages/product/price-lines.ts'

// The lines of the table of prices on a product's page.

const store = (slug: string) => ({ slug, name: slug.toUpperCase() }) as CatalogStore
const read = (groups: readonly string[], over: Partial<StoreProduct> = {}) =>
  ({ excluded: false, prices: groups.map((customer_group) => ({ customer_group })), ...over }) as StoreProduct
const why = (groups: readonly string[]) =>
  ({ prices: groups.map((group) => ({ group })) }) as unknown as ProductExplanation

test('there is a line for each store that lists the product and each of its groups, in their order', () => {
  const stores = [store('main'), store('gone'), store('de')]
  const lines = priceLines(
    stores,
    [read(['Retail', 'Trade']), null, read(['Retail'])],
    [why(['Retail', 'Trade']), why(['Retail']), undefined],
  )
  expect(lines.map(({ key }) => key)).toEqual(['main Retail', 'main Trade', 'de Retail'])
  expect(lines.map(({ read: price, made }) => [price === undefined, made === undefined])).toEqual([
    [false, false],
    [false, false],
    [false, true],
  ])
})

test('a product without a price has its lines from what was tried, with why it is not exported', () => {
  const excluded = read([], { excluded: true, exclusion_reason: 'no_price' })
  const lines = priceLines([store('main')], [excluded], [why(['Retail'])])
  expect(lines).toMatchObject([{ group: 'Retail', read: undefined, exclusion: 'no_price' }])
})
