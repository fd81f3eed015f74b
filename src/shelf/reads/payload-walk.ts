import type { Reader } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import { productsAfter, type View } from './payload-pages.sql.ts'

/**
 * All product objects of a store in id order, in pages of LIMITS.exportPageProducts. Each page is a statement of its
 * own, so that a slow client keeps no snapshot open. The next page is read while the last one is encoded and sent,
 * unless the products are so large that two pages would take too much memory. Clients that need the changes made during
 * the walk read the feed's head before the first page, and the changes since then at the end.
 */
export async function* walkStore(
  reader: Reader,
  accountId: number,
  storeId: number,
  view: View,
): AsyncGenerator<readonly string[]> {
  const read = (afterId: number) => productsAfter(reader, accountId, storeId, view, afterId, LIMITS.exportPageProducts)
  let page = await read(0)
  for (;;) {
    const { members, nextAfterId } = page
    const isSmall = members.reduce((sum, member) => sum + member.length, 0) <= LIMITS.exportPageReadAheadCharacters
    const ahead = nextAfterId !== null && isSmall ? read(nextAfterId) : undefined
    // a reader that stops here never awaits it
    ahead?.catch(() => {})
    if (members.length > 0) yield members
    if (nextAfterId === null) return
    page = await (ahead ?? read(nextAfterId))
  }
}
