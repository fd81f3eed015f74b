import type { Mutant } from './mutant.ts'

// Protections of slugs, which lead to one product each.

const SLUGS = 'src/shelf/inputs/product-slugs.ts'
const SQL = 'src/catalog/products/slugs/slugs.sql.ts'
const TEST = 'test/shelf/slugs.pg.test.ts'

export const SLUG_MUTANTS: readonly Mutant[] = [
  {
    name: 'a-slug-is-taken-from-the-product-that-has-it',
    edits: [
      { file: SQL, from: '    where product_slug.retired > 0\n    returning store_id', to: '    returning store_id' },
    ],
    file: TEST,
    test: 'a slug by hand takes the place of the made one, which still leads to the product, and goes back to it',
  },
  {
    name: 'a-product-shows-a-slug-that-another-one-has',
    edits: [
      {
        file: SLUGS,
        from: '.map((row) => ({ ...row, slug: withId(row.slug, row.productId) }))',
        to: '.filter(() => withId === undefined)',
      },
    ],
    file: TEST,
    test: 'of products with one title the second has its id in its slug, and another store has its own slugs',
  },
  {
    name: 'slugs-are-taken-slice-by-slice',
    edits: [
      { file: SLUGS, from: '      isRegistered = true\n', to: '' },
      { file: SLUGS, from: '...wantedLater]', to: ']' },
    ],
    file: TEST,
    test: 'two shelvers whose batches want the same slugs in opposite orders never wait for each other',
  },
  {
    name: 'slugs-are-taken-in-the-order-of-products',
    edits: [
      {
        file: SQL,
        from: '    order by given.store_id, given.slug collate "C", given.product_id\n',
        to: '    order by given.product_id\n',
      },
    ],
    file: TEST,
    test: 'two shelvers whose batches want the same slugs in opposite orders never wait for each other',
  },
  {
    name: 'a-merged-product-takes-its-slugs-along',
    edits: [
      {
        file: 'src/catalog/products/merge-split.ts',
        from: '  await slugsMove(tx, accountId, losers, winnerId)\n',
        to: '  void slugsMove\n',
      },
    ],
    file: TEST,
    test: 'slugs of merged products lead to the one that stays, a split product gets one of its own, and deleted ones lead nowhere',
  },
  {
    name: 'a-slug-follows-the-title',
    edits: [
      {
        file: 'src/resolve/content/additional-members.ts',
        from: '      slugIn(product, inStore.store.storeId) ??\n',
        to: '',
      },
    ],
    file: TEST,
    test: 'a product has a slug of its title in each store that lists it, and keeps it when the title',
  },
  {
    name: 'pictures-of-products-that-were-read-early-stay-as-they-were-read',
    edits: [
      {
        file: 'src/shelf/inputs/product-images.ts',
        from: 'if (!hasCopies || products.every(isComplete)) return products',
        to: 'if (!hasCopies || isRegistered || products.every(isComplete)) return products',
      },
    ],
    file: TEST,
    test: 'products of a batch are read once, also those whose slugs are taken before their turn, and have their pictures',
  },
  {
    name: 'products-that-were-read-early-stay-without-their-slugs',
    edits: [
      {
        file: SLUGS,
        from: 'for (const [productId, product] of kept) kept.set(productId, withTaken(product))',
        to: '',
      },
    ],
    file: TEST,
    test: 'products of a batch are read once, also those whose slugs are taken before their turn, and have their pictures',
  },
]
