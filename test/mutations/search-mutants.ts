import type { Mutant } from './mutant.ts'

// Mutants of the search index.

const SEARCH = 'test/panel/search.full.pg.test.ts'
const INSIDE = 'test/panel/search-inside.pg.test.ts'
const FOLLOWS = 'what a product is found by follows its inputs, its stores and its stock'

export const SEARCH_MUTANTS: readonly Mutant[] = [
  {
    name: 'titles-of-a-deleted-store-stay',
    edits: [
      {
        file: 'src/catalog/settings/stores/stores.ts',
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
        file: 'src/shelf/search/search-index.ts',
        from: 'return old !== undefined && old.isInStock !== isInStock\n',
        to: 'return old !== undefined && old.isInStock !== isInStock && old.tag === isInStock.toString()\n',
      },
    ],
    file: SEARCH,
    test: FOLLOWS,
  },
  {
    name: 'words-are-remembered-before-they-are-committed',
    edits: [
      {
        file: 'src/shelf/search/search-terms.ts',
        from: 'slice.flatMap(({ term }) => (added.has(term) ? [] : [term])),',
        to: 'slice.flatMap(({ term }) => (added.has(term) ? [term] : [term])),',
      },
    ],
    file: INSIDE,
    test: 'words of a batch that is rolled back are added by the next one',
  },
  {
    name: 'a-fill-passes-over-products',
    edits: [
      {
        file: 'src/shelf/search/search-terms.ts',
        from: 'await fillMove(tx, accountId, place.dueAt, lastId)',
        to: 'await fillMove(tx, accountId, place.dueAt, lastId + 1)',
      },
    ],
    file: INSIDE,
    test: 'products that were there before are found inside words once the fill is done, step by step, without a change',
  },
  {
    name: 'a-search-begins-with-what-is-inside',
    edits: [
      {
        file: 'src/overview/product-list.ts',
        from: 'productIds: [...page.productIds, ...others(inside)],',
        to: 'productIds: [...others(inside), ...page.productIds],',
      },
    ],
    file: INSIDE,
    test: 'words are found inside words, after those that begin with them, in German, Polish, French, Greek and Russian',
  },
  {
    name: 'a-deleted-product-is-found',
    edits: [
      {
        file: 'src/shelf/search/search-index.ts',
        from: 'if (old !== undefined) writes.gone.push(productId)',
        to: 'if (old === undefined) writes.gone.push(productId)',
      },
    ],
    file: SEARCH,
    test: FOLLOWS,
  },
]
