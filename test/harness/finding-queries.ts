import { offersStale } from '../../src/catalog/products/offers/offers.sql.ts'
import { productsLockAll } from '../../src/catalog/products/products.sql.ts'
import { supplierActivityRecord } from '../../src/catalog/settings/suppliers/suppliers.sql.ts'
import { marksDeleteRead, marksOf } from '../../src/catalog/stale/marks.sql.ts'
import type { Db } from '../../src/db/sql.ts'
import { thresholdsOf } from '../../src/imports/thresholds.sql.ts'
import { blocksAdd, counterLock } from '../../src/shelf/payloads/change-counter.sql.ts'
import {
  firstWithGap,
  gapsAfter,
  productsIncomplete,
  overdueSuppliers,
  staleOfferCounts,
  staleOffersAfter,
  storeGapCounts,
} from '../../src/shelf/findings/completeness.sql.ts'
import { blocksAfter, digestsAfter, digestsCompute, tagsAfter } from '../../src/shelf/payloads/digests.sql.ts'
import { attributeValueCounts } from '../../src/shelf/findings/attribute-values.sql.ts'
import { indistinctVariants } from '../../src/shelf/findings/variant-findings.sql.ts'
import { duplicateOptions } from '../../src/shelf/findings/variant-option-keys.sql.ts'
import { reading as read, undone, type HotQuery, type Subject } from './hot-queries.ts'

/**
 * The statements by which findings read a large catalog, those of imports for findings, those of digests, and those that lock products which were
 * just written.
 */
export function findingQueries(db: Db, { accountId, storeIds, supplierId, productIds, skus }: Subject): HotQuery[] {
  const [store = 0] = storeIds
  const [id = 0] = productIds
  const write = (name: string, run: Parameters<typeof undone>[2]) => undone(db, name, run)
  return [
    read('findings: counts of gaps', () => storeGapCounts(db, accountId)),
    read('findings: first products with a gap', () => firstWithGap(db, accountId, 'no_image', storeIds, 20)),
    read('findings: incomplete products', () => productsIncomplete(db, accountId, storeIds, 1_001)),
    read('findings: products with a gap', async () => await gapsAfter(db, accountId, store, 'no_image', id, 201)),
    read('findings: products without a price', async () => await gapsAfter(db, accountId, store, 'no_price', id, 201)),
    read('findings: counts of stale offers', async () => await staleOfferCounts(db, accountId, 10_000)),
    read('findings: stale offers', async () => await staleOffersAfter(db, accountId, supplierId, skus[0] ?? '', 201)),
    read('findings: silent suppliers', async () => await overdueSuppliers(db, accountId)),
    read('findings: indistinct variants', () => indistinctVariants(db, accountId, 1_000)),
    read('findings: options that a group has twice', async () => await duplicateOptions(db, accountId, 1_000)),
    read(
      'findings: values of attributes',
      async () =>
        await attributeValueCounts(db, accountId, ['color'], { offersMax: 20_000, valuesMax: 500, rowsMax: 5_000 }),
    ),
    read('import: thresholds', () => thresholdsOf(db, accountId, supplierId)),
    write('import: mark stale offers', (tx) => offersStale(tx, accountId, supplierId, skus)),
    write('import: heard of', (tx) => supplierActivityRecord(tx, accountId, [supplierId])),
    write('blocks: add', (tx) =>
      blocksAdd(
        tx,
        accountId,
        storeIds.map((storeId) => ({
          storeId,
          block: Math.floor(id / 1_024),
          delta: 1,
          gaps: [1, 0, 0, 0, 0],
          content: 1n,
          price: 2n,
        })),
      ),
    ),
    write('blocks: lock the counter', (tx) => counterLock(tx, accountId)),
    read('digests: page', async () => await digestsAfter(db, accountId, store, -1, 1_000)),
    read('digests: tags', () => tagsAfter(db, accountId, store, { afterId: id - 1, limit: 50, hasBodies: false })),
    read('digests: blocks', async () => await blocksAfter(db, accountId, { dueAt: '', storeId: store, block: -1 }, 4)),
    write(
      'digests: compute',
      async (tx) => await digestsCompute(tx, accountId, { storeId: store, block: Math.floor(id / 1_024) }),
    ),
    write('products: lock all', (tx) => productsLockAll(tx, accountId, [id], false)),
    write('products: lock all, skipping', (tx) => productsLockAll(tx, accountId, [id], true)),
    read('marks: read', async () => await marksOf(db, accountId, [id])),
    write('marks: delete what was read', (tx) =>
      marksDeleteRead(tx, accountId, [{ markId: 1, productId: id, half: null }]),
    ),
  ]
}

const GAPS_OF = (table: string) => [`${table}_gaps by account_id, store_id, gaps, product_id`]
const BLOCKS = 'payload_block_pkey by account_id, store_id, block'
const HALVES = ['payload_content', 'payload_price'].map((table) => `${table}_pkey by account_id, store_id, product_id`)
const STALE = 'offer_stale by account_id, supplier_id'

/** The expected access paths of these statements. */
export const FINDING_PLANS: Readonly<Record<string, string[][]>> = {
  'findings: counts of gaps': [['payload_block_pkey by account_id']],
  'findings: first products with a gap': [GAPS_OF('payload_content')],
  'findings: incomplete products': [
    ['payload_content_gaps by account_id, store_id', 'payload_price_gaps by account_id, store_id'],
  ],
  'findings: products with a gap': [
    [...GAPS_OF('payload_content'), 'payload_content_pkey by account_id, store_id, product_id'],
  ],
  'findings: products without a price': [
    [...GAPS_OF('payload_price'), 'payload_content_pkey by account_id, store_id, product_id'],
  ],
  'findings: counts of stale offers': [['supplier by account_id', 'supplier drops by (deleted_at IS NULL)', STALE]],
  'findings: stale offers': [[`${STALE}, supplier_sku`]],
  'findings: silent suppliers': [
    [
      'supplier by account_id',
      'supplier drops by (is_active AND (deleted_at IS NULL) AND (silent_days_max IS NOT NULL))',
    ],
  ],
  'findings: values of attributes': [
    [
      'offer_content_pkey by account_id',
      'offer_pkey by account_id, supplier_id, supplier_sku',
      'offer drops by (dropped_at IS NULL)',
    ],
  ],
  'import: thresholds': [['supplier by account_id, supplier_id']],
  'import: mark stale offers': [
    [
      'offer_pkey by account_id, supplier_id, supplier_sku',
      'offer drops by ((stale_since IS NULL) AND (absent_since IS NULL))',
    ],
  ],
  'import: heard of': [['account_inputs by account_id']],
  'blocks: lock the counter': [['change_counter_pkey by account_id']],
  // payloads are read only of blocks whose digests are not stored yet
  'digests: page': [['change_counter_pkey by account_id', 'payload_block drops by (products > 0)', BLOCKS, ...HALVES]],
  'digests: tags': [['change_counter_pkey by account_id', ...HALVES]],
  'digests: blocks': [[BLOCKS]],
  'digests: compute': [[BLOCKS, ...HALVES]],
  'products: lock all': [['product_pkey by account_id, product_id']],
  'products: lock all, skipping': [['product_pkey by account_id, product_id']],
  'marks: read': [['mark_pkey by account_id, product_id']],
  'marks: delete what was read': [['mark_pkey by account_id, product_id, mark_id']],
}
