import type { Reader } from '../../../db/sql.ts'
import { LIMITS } from '../../../platform/limits.ts'
import { heavyOffers } from './offers.sql.ts'

// How much is known of offers that are read together.
// docs/decisions/256-what-is-held-is-bounded-by-bytes.md says why.

/** About how many bytes of text the contents of offers have, by key, of those that have many. */
export async function offerWeights(
  reader: Reader,
  accountId: number,
  supplierId: number,
  skus: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await heavyOffers(reader, accountId, supplierId, skus, LIMITS.shelveHeavyCharacters)
  return new Map(rows.map(({ supplierSku, weight }) => [supplierSku, weight]))
}
