import { inTransaction, type Db } from '../../db/sql.ts'
import { parseSkuPattern, type SkuFault } from '../../model/sku-pattern.ts'
import { basisOf, skuOf } from '../../resolve/basis.ts'
import { compiledAccounts } from '../inputs/compiled-inputs.ts'
import { readProductInputs } from '../inputs/read-inputs.ts'

export interface SkuExamples {
  faults: SkuFault[]
  /** In the order of `productIds`. */
  skus: { productId: number; sku: string | null; missing: string | null }[]
}

/**
 * The SKUs that products would export with a pattern, by the resolver's own functions.
 * @param pattern null: each product's own key.
 */
export async function skuExamples(
  db: Db,
  accountId: number,
  pattern: string | null,
  productIds: readonly number[],
): Promise<SkuExamples> {
  const parsed = pattern === null ? null : parseSkuPattern(pattern)
  if (parsed !== null && 'faults' in parsed) return { faults: parsed.faults, skus: [] }
  return inTransaction(db, async (tx) => {
    await tx`set transaction isolation level repeatable read read only`
    const compiled = {
      ...(await compiledAccounts(db).read(tx, accountId)),
      skuPattern: parsed === null ? null : parsed.pattern,
    }
    const products = await readProductInputs(tx, accountId, productIds)
    return {
      faults: [],
      skus: products.map((product) => {
        const { sources, fields } = basisOf(compiled, product)
        const { sku, missing } = skuOf(compiled, product, sources, fields, false)
        return { productId: product.productId, sku, missing }
      }),
    }
  })
}
