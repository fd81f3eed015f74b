import { CONTENT_UNITS } from '../../../contract/content-units.ts'
import type { Reader } from '../../db/sql.ts'
import { keptContent } from '../../model/net-content.ts'
import { statedContents } from './findings.sql.ts'

/** What offers state as a content, or as the quantity of a unit price, and is not understood: their prices have no unit price by it. */
export interface UnreadContent {
  supplierId: number
  field: 'net_content' | 'unit_price_reference'
  value: string
  offers: number
}

/** How a content begins and ends that is kept; what it does not match is none, what it matches is looked at. */
const LOOKS_KEPT = `^[0-9 x.]+ (${CONTENT_UNITS.join('|')})$`

/** The most frequent ones first. */
export async function unreadContents(reader: Reader, accountId: number, limit: number): Promise<UnreadContent[]> {
  const stated = await statedContents(reader, accountId, LOOKS_KEPT, limit)
  return stated.filter(({ value }) => keptContent(value) === null)
}
