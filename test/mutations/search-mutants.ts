import type { Mutant } from './mutant.ts'

// Mutants of what products are found by.

const SEARCH = 'test/panel/search.pg.test.ts'
const FOLLOWS = 'what a product is found by follows its inputs, its stores and its stock'

export const SEARCH_MUTANTS: readonly Mutant[] = [
  {
    name: 'titles-of-a-deleted-store-stay',
    edits: [
      {
        file: 'src/catalog/settings/stores.ts',
        from: 'if (store.isActive && isLastOfLocale) await',
        to: 'if (store.isActive && isLastOfLocale && storeId === 0) await',
      },
    ],
    file: SEARCH,
    test: FOLLOWS,
  },
  {
    name: 'a-sweep-of-one-store-forgets-the-others-titles',
    edits: [
      {
        file: 'src/resolve/search-entry.ts',
        from: 'for (const locales of compiled.titleLocales) {',
        to: 'for (const locales of compiled.stores.map(({ texts }) => texts)) {',
      },
    ],
    file: SEARCH,
    test: FOLLOWS,
  },
  {
    name: 'a-price-half-does-not-say-what-is-in-stock',
    edits: [
      {
        file: 'src/shelf/search-index.ts',
        from: 'return old !== undefined && old.isInStock !== isInStock\n',
        to: 'return old !== undefined && old.isInStock !== isInStock && old.tag === isInStock.toString()\n',
      },
    ],
    file: SEARCH,
    test: FOLLOWS,
  },
  {
    name: 'a-deleted-product-is-found',
    edits: [
      {
        file: 'src/shelf/search-index.ts',
        from: 'if (old !== undefined) writes.gone.push(productId)',
        to: 'if (old === undefined) writes.gone.push(productId)',
      },
    ],
    file: SEARCH,
    test: FOLLOWS,
  },
]
