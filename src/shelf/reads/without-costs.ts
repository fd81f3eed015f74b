import { tagOf } from '../encode.ts'
import type { PayloadRow } from './payload-reads.sql.ts'

// Purchase prices are cut out of the stored text. The tag is recomputed from the rest: the stored tag covers the cost, which someone
// who knows the rest of the text could find by trying amounts.

/** A quoted name after a comma is always a member's name: quotes within texts follow a backslash. */
const BASE_COST = /,"base_cost":[^,}]*/g

/** A stored price half without base costs, with its own tag. */
export function withoutCosts(price: string): { price: string; priceTag: string } {
  const shown = price.replaceAll(BASE_COST, '')
  return { price: shown, priceTag: tagOf(shown) }
}

/** A stored product reduced to what a caller may see. */
export const seenBy = <Row extends Pick<PayloadRow, 'price' | 'priceTag'>>(
  { seesCosts }: { seesCosts: boolean },
  row: Row,
): Row => (seesCosts ? row : { ...row, ...withoutCosts(row.price) })
