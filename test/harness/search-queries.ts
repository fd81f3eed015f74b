import type { Db } from '../../src/db/sql.ts'
import { searchDelete, searchStockUpdate, searchTags, searchUpsert } from '../../src/shelf/search/search-index.sql.ts'
import { lexemesNext, termsInsert } from '../../src/shelf/search/search-terms.sql.ts'
import { reading as read, undone, type HotQuery, type Subject } from './hot-queries.ts'

/** The statements by which a shelver keeps the search index. */
export function searchQueries(db: Db, { accountId, productIds: ids }: Subject): HotQuery[] {
  return [
    read('search tags', async () => await searchTags(db, accountId, ids)),
    undone(db, 'search rows: write', async (tx) => {
      await searchUpsert(
        tx,
        accountId,
        ids.map((productId) => ({ productId, tag: 't', words: '1.a', skuKey: 'a', titleKey: 'a', isInStock: true })),
      )
    }),
    undone(db, 'search rows: stock', async (tx) => {
      await searchStockUpdate(
        tx,
        accountId,
        ids.map((productId) => ({ productId, isInStock: false })),
      )
    }),
    undone(db, 'search terms: add', async (tx) => await termsInsert(tx, accountId, [{ term: '.new', grams: '1~new' }])),
    undone(db, 'search terms: next of a fill', async (tx) => await lexemesNext(tx, accountId, ids[0] ?? 0, 1_000)),
    undone(db, 'search rows: delete', async (tx) => await searchDelete(tx, accountId, ids)),
  ]
}
