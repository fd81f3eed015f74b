import type { Tx } from '../../db/sql.ts'
import type { ShelvedAccount } from '../inputs/compiled-inputs.ts'
import { searchTags } from '../search/search-index.sql.ts'

/**
 * Reads the stored tags of products in the account's stores, by `tagsOf`, and of their search entries. Sent at once; a failure is handled where
 * the result is awaited.
 */
export function readStored<Tags>(
  tx: Tx,
  accountId: number,
  { stores }: Pick<ShelvedAccount, 'stores'>,
  productIds: readonly number[],
  tagsOf: (tx: Tx, accountId: number, storeIds: readonly number[], productIds: readonly number[]) => PromiseLike<Tags>,
) {
  const storeIds = stores.map(({ store }) => store.storeId)
  const reading = Promise.all([
    // a query is sent only once something calls its then()
    tagsOf(tx, accountId, storeIds, productIds).then((found) => found),
    searchTags(tx, accountId, productIds).execute(),
  ])
  reading.catch(() => {})
  return reading
}
