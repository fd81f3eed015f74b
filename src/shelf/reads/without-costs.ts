import { tagOf } from '../encode.ts'
import type { PayloadRow } from './payload-reads.sql.ts'

// Purchase prices are cut out of the text that is stored, as chosen members are. The tag is that of what is left: the stored one is a
// hash of the cost, too, which whoever knows all the rest of the text could find by trying amounts.

/** A name after a comma is that of a member and never part of a text, in which each quote follows a backslash. */
const BASE_COST = /,"base_cost":[^,}]*/g

/** A stored price half without what the product costs the merchant. */
export function withoutCosts(price: string): { price: string; priceTag: string } {
  const shown = price.replaceAll(BASE_COST, '')
  return { price: shown, priceTag: tagOf(shown) }
}

/** A stored product as a caller may see it. */
export const seenBy = <Row extends Pick<PayloadRow, 'price' | 'priceTag'>>(
  { seesCosts }: { seesCosts: boolean },
  row: Row,
): Row => (seesCosts ? row : { ...row, ...withoutCosts(row.price) })
