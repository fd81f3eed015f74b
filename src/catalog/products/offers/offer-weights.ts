import type { Reader } from '../../../db/sql.ts'
import { LIMITS } from '../../../platform/limits.ts'
import { heavyOffers } from './offers.sql.ts'

// The sizes of offers, by which readers decide how many to read at once.
// docs/decisions/256-what-is-held-is-bounded-by-bytes.md says why.

/**
 * The approximate size of offers' contents, in bytes of text, by key; only of offers with LIMITS.shelveHeavyCharacters
 * or more.
 */
export async function offerWeights(
  reader: Reader,
  accountId: number,
  supplierId: number,
  skus: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await heavyOffers(reader, accountId, supplierId, skus, LIMITS.shelveHeavyCharacters)
  return new Map(rows.map(({ supplierSku, weight }) => [supplierSku, weight]))
}
