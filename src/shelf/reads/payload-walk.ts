import type { Reader } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import { productsAfter, type View } from './payload-pages.sql.ts'

/**
 * All product objects of a store by id, in pages of LIMITS.exportPageProducts as `view` has them. Each page
 * is a statement of its own, so that no snapshot stays open for a slow client. The next page is read while the last one is coded and sent,
 * unless its products are so large that two pages would be much to hold. A client that needs what changed during
 * the walk reads the feed's head before the first page, and the changes since then after the last.
 */
export async function* walkStore(
  reader: Reader,
  accountId: number,
  storeId: number,
  view: View,
): AsyncGenerator<readonly string[]> {
  const read = (afterId: number) => productsAfter(reader, accountId, storeId, view, afterId, LIMITS.exportPageProducts)
  let page = await read(0)
  while (page.nextAfterId !== null) {
    const { members, nextAfterId } = page
    const isSmall = members.reduce((sum, member) => sum + member.length, 0) <= LIMITS.exportPageReadAheadCharacters
    const next = isSmall ? read(nextAfterId) : null
    // whoever stops reading never awaits it
    next?.catch(() => {})
    if (members.length > 0) yield members
    page = await (next ?? read(nextAfterId))
  }
  if (page.members.length > 0) yield page.members
}
