import {
  productsLackingSlugs,
  slugHolders,
  slugsDelete,
  slugsMark,
  slugsMove,
  slugsOf,
  slugsTake,
  slugsTakeAsOld,
  slugsTakeBack,
  slugsTakeKept,
} from '../../src/catalog/products/slugs/slugs.sql.ts'
import type { Db } from '../../src/db/sql.ts'
import { must } from '../../src/platform/must.ts'
import { idsBySlug } from '../../src/shelf/reads/payload-reads.sql.ts'
import { reading, undone, type HotQuery, type Subject } from './hot-queries.ts'

/** Every statement about slugs that runs per request or per batch. */
export function slugQueries(db: Db, { accountId, storeIds, productIds }: Subject): HotQuery[] {
  const ids = [...productIds]
  const [storeId, id] = [must(storeIds[0]), must(ids[0])]
  const wanted = ids.map((productId) => ({ storeId, productId, slug: `slug-${productId}` }))
  const own = storeIds.map((store, i) => ({ storeId: store, slug: `slug-${id}`, retired: 50 + i, isOwn: true }))
  const write = (name: string, run: Parameters<typeof undone>[2]) => undone(db, name, run)
  return [
    reading('slugs: look up', () => idsBySlug(db, accountId, storeId, ['slug-1', 'slug-2'])),
    reading('slugs: of a product', async () => await slugsOf(db, accountId, id)),
    reading('slugs: who has them', async () => await slugHolders(db, accountId, wanted)),
    reading('slugs: products without', () => productsLackingSlugs(db, accountId, storeIds, ids)),
    write('slugs: take', async (tx) => await slugsTake(tx, accountId, wanted)),
    write('slugs: take back', async (tx) => await slugsTakeBack(tx, accountId, wanted)),
    write('slugs: take kept ones', (tx) => slugsTakeKept(tx, accountId, wanted)),
    write('slugs: take by hand', async (tx) => await slugsTakeAsOld(tx, accountId, id, own)),
    write('slugs: mark', (tx) => slugsMark(tx, accountId, id, own)),
    write('slugs: delete old ones', (tx) => slugsDelete(tx, accountId, id, own)),
    write('slugs: merge', (tx) => slugsMove(tx, accountId, ids.slice(1, 3), id)),
  ]
}

const OWNER = ['account_inputs by account_id']
const KEY = 'product_slug_pkey by account_id, store_id, slug'
const PRODUCT = 'product_slug_of_product by account_id, product_id'

export const SLUG_PLANS = {
  'slugs: look up': [[KEY]],
  'slugs: of a product': [[PRODUCT]],
  'slugs: who has them': [[KEY]],
  'slugs: products without': [[`${PRODUCT}, retired`]],
  'slugs: take': [OWNER],
  'slugs: take back': [[KEY, `${PRODUCT}, retired, store_id`, 'product_slug drops by (slug = given.slug)']],
  'slugs: take kept ones': [OWNER],
  'slugs: take by hand': [OWNER],
  'slugs: mark': [[PRODUCT]],
  'slugs: delete old ones': [[`${PRODUCT}, retired`]],
  'slugs: merge': [
    [PRODUCT, `${PRODUCT}, store_id`, KEY],
    [`${PRODUCT}, retired`, `${PRODUCT}, retired, store_id`, 'product_slug drops by ((SubPlan 1) >= ?)'],
  ],
}

/** Gives every product of every account a current slug and an old one in each store. */
export async function fillSlugs(db: Db): Promise<void> {
  await db.unsafe(`insert into product_slug (account_id, store_id, slug, product_id, retired, is_own)
    select p.account_id, s.store_id, case when old = 0 then 'slug-' else 'old-' end || product_id, product_id, old, false
    from product p join store s on s.account_id = p.account_id cross join generate_series(0, 1) old`)
}
