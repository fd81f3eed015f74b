import { inTransaction, type Db } from '../../db/sql.ts'
import { parseSkuPattern, type SkuFault } from '../../model/sku-pattern.ts'
import { basisOf, skuOf } from '../../resolve/basis.ts'
import { compiledAccounts } from '../inputs/compiled-inputs.ts'
import { withReadingTurn } from '../inputs/looked-at.ts'
import { productSlices } from '../inputs/product-slices.ts'

export interface SkuExamples {
  faults: SkuFault[]
  /** In the order of `productIds`. */
  skus: { productId: number; sku: string | null; missing: string | null }[]
}

/**
 * The SKUs that products would have with a pattern, by the resolver's own functions.
 * @param pattern null: each product's own SKU.
 */
export async function skuExamples(
  db: Db,
  accountId: number,
  pattern: string | null,
  productIds: readonly number[],
): Promise<SkuExamples> {
  const parsed = pattern === null ? null : parseSkuPattern(pattern)
  if (parsed !== null && 'faults' in parsed) return { faults: parsed.faults, skus: [] }
  return withReadingTurn(db, accountId, productIds, () =>
    inTransaction(db, async (tx) => {
      await tx`set transaction isolation level repeatable read read only`
      const compiled = {
        ...(await compiledAccounts(db).read(tx, accountId)),
        skuPattern: parsed === null ? null : parsed.pattern,
      }
      const skus: SkuExamples['skus'] = []
      for await (const { products } of productSlices(tx, accountId, productIds))
        for (const product of products) {
          const { sources, fields } = basisOf(compiled, product)
          const { sku, missing } = skuOf(compiled, product, sources, fields, false)
          skus.push({ productId: product.productId, sku, missing })
        }
      return { faults: [], skus }
    }),
  )
}
