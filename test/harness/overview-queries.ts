import type { Db } from '../../src/db/sql.ts'
import { outOfStock, storeMargins } from '../../src/overview/glance.sql.ts'
import { movedSince } from '../../src/overview/moved.sql.ts'
import { importsRunning, storeExclusions } from '../../src/overview/overview.sql.ts'
import { reading as read, type HotQuery, type Subject } from './hot-queries.ts'

/** The expected access paths of the statements of the panel's overview. */
export const OVERVIEW_PLANS: Readonly<Record<string, string[][]>> = {
  'imports that are running': [['import_run_open by account_id', 'supplier by account_id, supplier_id']],
  'what changed in stores since yesterday': [
    [
      'change_feed by account_id, store_id, changed_at',
      'price_history_pkey by account_id, product_id, store_id',
      // the rows of one product in one store, without those before the last day
      'price_history drops by (from_at < ?)',
    ],
  ],
  'what is out of stock': [['product_search_pkey by account_id', 'product_search drops by (NOT in_stock)']],
  'margins of stores': [
    [
      'customer_group by account_id',
      'payload_price_pkey by account_id, store_id',
      'payload_price_pkey by account_id, store_id, product_id',
    ],
  ],
  'excluded products by reason': [['payload_price_exclusion by account_id']],
  'heads for waiters': [['change_counter_pkey by account_id']],
}

/** The statements of the panel's overview. */
export function overviewQueries(db: Db, { accountId, storeIds: [store = 0] }: Subject): HotQuery[] {
  return [
    read('excluded products by reason', async () => await storeExclusions(db, accountId)),
    read('imports that are running', () => importsRunning(db, accountId, 20)),
    read('what changed in stores since yesterday', () =>
      movedSince(db, accountId, { storeIds: [store], groupId: 1, since: new Date(0), limit: 50 }, 5),
    ),
    read('what is out of stock', () => outOfStock(db, accountId)),
    read(
      'margins of stores',
      async () => await storeMargins(db, accountId, [store], { ranges: 20, each: 100, eachSeen: 1_000 }),
    ),
  ]
}
