import type { Reader } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import { productsAfter, type View } from './payload-pages.sql.ts'

/**
 * All product objects of a store by id, in pages of LIMITS.exportPageProducts as `view` has them. Each page
 * is a statement of its own, so that no snapshot stays open for a slow client. A client that needs what changed during
 * the walk reads the feed's head before the first page, and the changes since then after the last.
 */
export async function* walkStore(
  reader: Reader,
  accountId: number,
  storeId: number,
  view: View,
): AsyncGenerator<readonly string[]> {
  for (let afterId: number | null = 0; afterId !== null;) {
    const page = await productsAfter(reader, accountId, storeId, view, afterId, LIMITS.exportPageProducts)
    if (page.members.length > 0) yield page.members
    afterId = page.nextAfterId
  }
}
