import { expect, test } from 'vitest'
import {
  LIST_CHANGES,
  LIST_DIGESTS,
  LIST_PRICES,
  LIST_PRODUCT_TAGS,
  LIST_PRODUCTS,
  LIST_VARIANT_GROUPS,
} from '../../contract/routes/catalog.ts'
import { nearMisses } from './near-miss.ts'
import { namesOf } from './parameters.ts'

const products = nearMisses(namesOf(LIST_PRODUCTS.query))
const changes = nearMisses(namesOf(LIST_CHANGES.query))

test.each([
  ['Page', 'page'],
  ['PER_PAGE', 'per_page'],
  ['perPage', 'per_page'],
  ['per-page', 'per_page'],
  ['per.page', 'per_page'],
  ['perpage', 'per_page'],
  ['per_pages', 'per_page'],
  ['pre_page', 'per_page'],
  ['per_apge', 'per_page'],
  ['page[]', 'page'],
  ['pages', 'page'],
  ['pgae', 'page'],
  ['id', 'ids'],
  ['id[]', 'ids'],
  ['IDs', 'ids'],
  ['ids[a]', 'ids'],
  ['ids[', 'ids'],
  ['product_ids', 'ids'],
  ['productIds', 'ids'],
  ['product_id', 'ids'],
  ['afterId', 'after_id'],
  ['after', 'after_id'],
  ['SKU', 'sku'],
  ['skus', 'sku'],
  ['eans', 'ean'],
  ['Store', 'store'],
  ['stores', 'store'],
  ['stroe', 'store'],
  ['store_id', 'store'],
  ['store_slug', 'store'],
])('%s means %s', (given, meant) => expect(products(given)).toBe(meant))

test.each([
  ['Since', 'since'],
  ['sinceId', 'since_id'],
  ['since-id', 'since_id'],
  ['sinceid', 'since_id'],
  ['since_ids', 'since_id'],
  ['snce', 'since'],
  ['limits', 'limit'],
  ['waits', 'wait'],
  ['next_since', 'since'],
  ['nextSince', 'since'],
  ['next_id', 'since_id'],
  ['cursor', 'since'],
])('of the feed, %s means %s', (given, meant) => expect(changes(given)).toBe(meant))

test.each([LIST_PRODUCTS, LIST_PRICES, LIST_VARIANT_GROUPS, LIST_PRODUCT_TAGS])(
  'of $path, what answers call the next page means after_id',
  ({ query }) => {
    const meant = nearMisses(namesOf(query))
    for (const name of ['next_after_id', 'nextAfterId', 'next_after', 'cursor'])
      expect([name, meant(name)]).toEqual([name, 'after_id'])
  },
)

test('of digests, what answers call the next page means after_block', () => {
  const meant = nearMisses(namesOf(LIST_DIGESTS.query))
  for (const name of ['next_after_block', 'nextAfterBlock', 'cursor'])
    expect([name, meant(name)]).toEqual([name, 'after_block'])
})

test.each([
  ['_', 'v', 't', 'ts', 'cb', 'rnd', 'nocache', 'cachebuster', 'timestamp', 'version', 'nonce', 'hash'],
  ['utm_source', 'utm_medium', 'utm_campaign', 'gclid', 'fbclid', 'msclkid', '_ga', '_gl', 'mc_cid', 'ref', 'source'],
  ['lang', 'currency', 'format', 'members', 'include', 'sort', 'order', 'dir', 'q', 'search', 'filter[name]'],
  ['offset', 'size', 'count', 'from', 'to', 'date', 'name', 'title', 'type', 'status', 'state', 'debug', 'trace_id'],
  [
    'token',
    'api_key',
    'apikey',
    'account_id',
    'user_id',
    'customer_group_id',
    'supplier',
    'category',
    'brand',
    'price',
  ],
  ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', '[]', '-', 'x'.repeat(5_000), 'ids'.repeat(20)],
])('nothing is meant by %s and the like', (...names) => {
  for (const name of names) expect([name, products(name), changes(name)]).toEqual([name, null, null])
})
