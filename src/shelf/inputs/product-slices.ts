import type { Reader } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { ProductInputs } from '../../resolve/inputs.ts'
import { slicesOf, type Weights } from '../slices.ts'
import { readPriceInputs, readProductInputs } from './read-inputs.ts'
import { productWeights } from './weights.sql.ts'

const LIGHT: Weights = new Map()

/** Weights of those of these products that are heavy. */
export async function weightsOf(reader: Reader, accountId: number, productIds: readonly number[]): Promise<Weights> {
  const heavy = await productWeights(reader, accountId, productIds, LIMITS.shelveHeavyCharacters)
  return heavy.length === 0 ? LIGHT : new Map(heavy.map(({ productId, weight }) => [productId, weight]))
}

/** Products that are read together, in the order of the ids given. */
export interface ProductSlice {
  ids: readonly number[]
  products: readonly ProductInputs[]
}

/**
 * Reads products for callers that do not shelve them, in slices as small as shelving's. What a caller keeps of a slice must
 * not keep the whole slice in memory. docs/decisions/256-what-is-held-is-bounded-by-bytes.md says why.
 * @param read readPriceInputs if prices suffice; then no product is heavy.
 * @param weights weights of these products, if the caller has read them in the same snapshot.
 */
export async function* productSlices(
  reader: Reader,
  accountId: number,
  productIds: readonly number[],
  { read = readProductInputs, weights }: { read?: typeof readProductInputs; weights?: Weights | undefined } = {},
): AsyncGenerator<ProductSlice> {
  if (productIds.length === 0) return
  const heavy = read === readPriceInputs ? LIGHT : (weights ?? (await weightsOf(reader, accountId, productIds)))
  for (const ids of slicesOf(productIds, LIMITS.shelveBatchProducts, heavy))
    yield { ids, products: await read(reader, accountId, ids) }
}
