import type { Reader } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import { productsAfter, type View } from './payload-pages.sql.ts'

/**
 * All product objects of a store in id order, in pages of LIMITS.exportPageProducts. Each page is a statement of its
 * own, so that a slow client keeps no snapshot open. Clients that need the changes made during the walk read the feed's
 * head before the first page, and the changes since then at the end.
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
