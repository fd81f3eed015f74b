import type { Db } from '../../src/db/sql.ts'
import { asLines, wantedOf, type ProductFilter } from '../../src/overview/product-wanted.ts'
import {
  changedProducts,
  firstChangeSince,
  gapsCount,
  productsBySku,
  productsCollect,
  productsCount,
  productsCountNext,
  productsMatching,
  productsSample,
  productsWalk,
  storeProductsCount,
  walkEnd,
  type Base,
} from '../../src/overview/product-list.sql.ts'
import { groupLines, variantsAfter } from '../../src/overview/product-lines.sql.ts'
import { exclusionReasons, isSettling, productRows } from '../../src/overview/product-rows.sql.ts'
import { productsNamed } from '../../src/overview/product-search.sql.ts'
import { eansEnding, productsToLimit, sampleOfEach, termsMatching } from '../../src/overview/search-terms.sql.ts'
import { insideQuery, nearQueries } from '../../src/model/search-terms.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { reading as read, type HotQuery, type Subject } from './hot-queries.ts'

const NOTHING: ProductFilter = {
  text: '',
  category: null,
  manufacturer: null,
  supplierId: null,
  storeId: null,
  isExcluded: null,
  reason: null,
  gap: null,
  isInStock: null,
  changedSince: null,
  moved: null,
}

/** The statements of the panel's list of products: each way to read a page, with every condition. */
export function productListQueries(db: Db, { accountId, storeIds, productIds, middle }: Subject): HotQuery[] {
  const [storeId = 0] = storeIds
  const ids = [...productIds]
  const wanted = (filter: Partial<ProductFilter>) => {
    const asked = wantedOf(accountId, { ...NOTHING, ...filter }, storeIds)
    if (asked === null) throw new Error('nothing can match')
    return asked
  }
  const words = wanted({ text: 'lei', manufacturer: 'Manufacturer 17' })
  const walk = (name: string, filter: Partial<ProductFilter>, sort: 'id' | 'sku' | 'title', isDescending = false) =>
    read(`product list: walk ${name}`, () =>
      productsWalk(db, accountId, wanted(filter), { sort, isDescending }, { key: 'b', productId: ids[0] ?? 0 }, 51),
    )
  const collect = (base: Base, filter: Partial<ProductFilter>) =>
    read(`product list: collect by ${base}`, () =>
      productsCollect(db, accountId, wanted(filter), base, { sort: 'title', isDescending: false }, null, 51, 20_000),
    )
  return [
    walk('by id', { text: 'lei' }, 'id'),
    walk('by SKU', { text: 'lei' }, 'sku'),
    walk('by title downwards', { isInStock: false }, 'title', true),
    walk('in a store', { storeId, isExcluded: false }, 'id'),
    walk('excluded anywhere', { isExcluded: true }, 'id'),
    walk('with a gap', { gap: 'no_image' }, 'id'),
    read('product list: walk by lines', () =>
      productsWalk(
        db,
        accountId,
        asLines(words),
        { sort: 'title', isDescending: false },
        { key: 'b', productId: 0 },
        51,
      ),
    ),
    read('product list: groups of lines', () => groupLines(db, accountId, words, ids)),
    read('product list: variants', () => variantsAfter(db, accountId, words, 1, ids[0] ?? 0, 51)),
    walk('changed', { changedSince: middle.since }, 'id'),
    read('product list: end of a walk', () =>
      walkEnd(db, accountId, { sort: 'title', isDescending: true }, { key: 'b', productId: ids[0] ?? 0 }),
    ),
    collect('words', { text: 'lei', manufacturer: 'Manufacturer 17', storeId }),
    collect('excluded', { isExcluded: true }),
    collect('store', { storeId, text: 'lei' }),
    collect('gap', { gap: 'no_image' }),
    collect('changed', { changedSince: middle.since }),
    read('product list: by the beginning of an SKU', () => productsBySku(db, accountId, words, 'n-0000', null, 51)),
    read('product list: which match', async () => await productsMatching(db, accountId, words, ids)),
    read('product list: named', () => productsNamed(db, accountId, { id: ids[0] ?? 0, text: '4000000012346' }, 20)),
    read('search terms: inside', () =>
      termsMatching(db, accountId, insideQuery(accountId, 'schrauber') ?? '', LIMITS.searchTermsRead),
    ),
    read('search terms: meant', () =>
      termsMatching(db, accountId, nearQueries(accountId, 'akuschraubr', 2)[1] ?? '', 1_000),
    ),
    read('search terms: EANs by their end', () => eansEnding(db, accountId, '2346', 40)),
    read('search terms: sample of each', () => sampleOfEach(db, accountId, [words.query ?? ''])),
    read('search terms: products to a limit', () => productsToLimit(db, accountId, words.query ?? '', 200)),
    read('product list: count', () => productsCount(db, accountId, words)),
    read('product list: count the next', () => productsCountNext(db, accountId, words, ids[0] ?? 0, 5_000)),
    read('product list: sample', () => productsSample(db, accountId, wanted({ text: 'lei', storeId }), 1_600)),
    read('product list: products of a store', () => storeProductsCount(db, accountId, storeId)),
    read('product list: products with a gap', () => gapsCount(db, accountId, storeIds, 'no_image')),
    read('product list: by newest change', () =>
      changedProducts(db, accountId, wanted({ isInStock: true }), middle.id, 0),
    ),
    read('product list: first change', () => firstChangeSince(db, accountId, storeIds, middle.since)),
    read('product list: rows', async () => await productRows(db, accountId, storeIds, ids)),
    read('product list: reasons', () => exclusionReasons(db, accountId, storeIds, 100)),
    read('product list: is it settling', () => isSettling(db, accountId)),
  ]
}

const GROUP = 'variant_group_member_group by account_id, group_id'
const IN_GROUP = 'variant_group_member_group by account_id, group_id, position, product_id'
const MEMBER = 'variant_group_member_pkey by account_id, product_id'
const BY_PRODUCT = 'product_search_pkey by account_id, product_id'
const PRICE = 'payload_price_pkey by account_id, store_id, product_id'
const CHANGE = ['change drops by (changed_at >= ?)', 'change_pkey by account_id, store_id, product_id']
const GAP = 'payload_content_gaps by account_id, store_id, gaps, product_id'
const WORDS = ['product_search drops by (account_id = ?)', 'product_search_words by words']

/** The expected access paths of these statements. */
export const PRODUCT_LIST_PLANS: Readonly<Record<string, string[][]>> = {
  'product list: walk by id': [[BY_PRODUCT]],
  'product list: walk by SKU': [['product_search_sku by account_id, sku_key, product_id']],
  'product list: walk by title downwards': [['product_search_title by account_id, title_key, product_id']],
  'product list: walk in a store': [['payload_price drops by (exclusion IS NULL)', PRICE, BY_PRODUCT]],
  'product list: walk excluded anywhere': [['payload_price_excluded by account_id, product_id, store_id', BY_PRODUCT]],
  'product list: walk with a gap': [[GAP, BY_PRODUCT]],
  'product list: walk by lines': [
    ['product_search_title by account_id, title_key, product_id', IN_GROUP, MEMBER, BY_PRODUCT],
  ],
  'product list: groups of lines': [[PRICE, GROUP, MEMBER, BY_PRODUCT]],
  'product list: variants': [['variant_group_member drops by (group_id = ?)', IN_GROUP, MEMBER, BY_PRODUCT]],
  'product list: walk changed': [[...CHANGE, BY_PRODUCT]],
  'product list: end of a walk': [['product_search_title by account_id, title_key, product_id']],
  'product list: collect by words': [[...WORDS, PRICE]],
  'product list: collect by excluded': [['payload_price_excluded by account_id, store_id', BY_PRODUCT]],
  'product list: collect by store': [['payload_price_pkey by account_id, store_id', BY_PRODUCT]],
  'product list: collect by gap': [['payload_content_gaps by account_id, store_id, gaps', GAP, BY_PRODUCT]],
  'product list: collect by changed': [[...CHANGE, 'change_feed by account_id, store_id, changed_at', BY_PRODUCT]],
  'product list: by the beginning of an SKU': [['product_search_sku by account_id, sku_key, product_id']],
  'product list: which match': [[BY_PRODUCT]],
  'product list: named': [
    [
      'payload_content_sku by account_id, store_id, sku',
      'product drops by (deleted_at IS NULL)',
      'product_ean_gtin by account_id, gtin',
      'product_ean_other by account_id, ean',
      'product_pkey by account_id, product_id',
      'product_sku by account_id, sku',
      'store by account_id',
    ],
  ],
  'search terms: inside': [['search_term drops by (account_id = ?)', 'search_term_grams by grams']],
  'search terms: meant': [['search_term drops by (account_id = ?)', 'search_term_grams by grams']],
  'search terms: EANs by their end': [['product_ean_ending by account_id, reverse']],
  'search terms: sample of each': [['product_search_pkey by account_id', BY_PRODUCT]],
  'search terms: products to a limit': [[...WORDS]],
  'product list: count': [[...WORDS]],
  'product list: count the next': [[BY_PRODUCT]],
  'product list: sample': [[PRICE, 'product_search_pkey by account_id', BY_PRODUCT]],
  'product list: products of a store': [['payload_block_pkey by account_id, store_id']],
  'product list: products with a gap': [['payload_block_pkey by account_id, store_id']],
  'product list: by newest change': [
    [
      'change drops by (change_id >= ?)',
      'change_content_id by account_id, content_id',
      'change_pkey by account_id, store_id, product_id',
      'change_price_id by account_id, price_id',
      'change_removed_id by account_id, removed_id',
      BY_PRODUCT,
    ],
  ],
  'product list: first change': [['change_feed by account_id, store_id, changed_at']],
  'product list: rows': [
    [
      'account_inputs by account_id',
      'change_pkey by account_id, store_id, product_id',
      'payload_content_pkey by account_id, store_id, product_id',
      PRICE,
      'product drops by (deleted_at IS NULL)',
      'product_pkey by account_id, product_id',
      BY_PRODUCT,
    ],
  ],
  'product list: reasons': [['payload_price_exclusion by account_id, store_id']],
  'product list: is it settling': [['sweep drops by (half IS DISTINCT FROM ?)', 'sweep_pkey by account_id']],
}
