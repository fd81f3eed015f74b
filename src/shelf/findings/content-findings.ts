import { CONTENT_UNITS } from '../../../contract/content-units.ts'
import type { Reader } from '../../db/sql.ts'
import { keptContent } from '../../model/net-content.ts'
import { statedContents } from './findings.sql.ts'

/** A net content or unit price reference that offers state and that cannot be read, so that they give no unit price. */
export interface UnreadContent {
  supplierId: number
  field: 'net_content' | 'unit_price_reference'
  value: string
  offers: number
}

/**
 * Matches the beginning and end of a readable content. A value that does not match cannot be read; one that matches is still parsed.
 */
const LOOKS_KEPT = `^[0-9 x.]+ (${CONTENT_UNITS.join('|')})$`

/** Unreadable contents, the most frequent first. */
export async function unreadContents(reader: Reader, accountId: number, limit: number): Promise<UnreadContent[]> {
  const stated = await statedContents(reader, accountId, LOOKS_KEPT, limit)
  return stated.filter(({ value }) => keptContent(value) === null)
}
