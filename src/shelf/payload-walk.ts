import type { Reader } from '../db/sql.ts'
import { LIMITS } from '../platform/limits.ts'
import { productsAfter } from './payload-reads.sql.ts'

/**
 * All product objects of a store by id, in pages of LIMITS.exportPageProducts with `separator` between them. Each page
 * is a statement of its own, so that no snapshot stays open for a slow client. A client that needs what changed during
 * the walk reads the feed's head before the first page, and the changes since then after the last.
 */
export async function* walkStore(
  reader: Reader,
  accountId: number,
  storeId: number,
  separator: string,
): AsyncGenerator<string> {
  for (let afterId = 0; ;) {
    const page = await productsAfter(reader, accountId, storeId, afterId, LIMITS.exportPageProducts, separator)
    if (page.body !== '') yield page.body
    if (page.found < LIMITS.exportPageProducts) return
    afterId = page.lastId
  }
}
