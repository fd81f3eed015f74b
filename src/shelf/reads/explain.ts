import { slugsOf } from '../../catalog/products/slugs/slugs.sql.ts'
import { storesList } from '../../catalog/settings/stores/stores.sql.ts'
import { inTransaction, type Db } from '../../db/sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { candidatesOf, type Candidate, type CandidateField } from '../../resolve/content/candidates.ts'
import { explain } from '../../resolve/explain/explain.ts'
import type { Explanation } from '../../resolve/explanation.ts'
import { compiledAccounts } from '../inputs/compiled-inputs.ts'
import { withReadingTurn } from '../inputs/looked-at.ts'
import { inProductSnapshot } from '../inputs/product-snapshot.ts'
import { readProductInputs } from '../inputs/read-inputs.ts'

/**
 * Explains a product's payload in a store, from its inputs in one snapshot. For a stale product this is the payload
 * that shelving will produce.
 * @throws ShelfwireError unknown-product; unknown-store, also for an inactive store.
 */
export async function explainProduct(
  db: Db,
  accountId: number,
  storeSlug: string,
  productId: number,
): Promise<Explanation> {
  return withReadingTurn(db, accountId, [productId], () =>
    inTransaction(db, async (tx) => {
      await tx`set transaction isolation level repeatable read read only`
      const compiled = await compiledAccounts(db).read(tx, accountId)
      const store = (await storesList(tx, accountId)).find((row) => row.slug === storeSlug)
      const [product] = await readProductInputs(tx, accountId, [productId])
      if (product === undefined) throw new ShelfwireError('unknown-product', `the account has no product ${productId}`)
      const slugs = compiled.account.additionalMembers.includes('slug') ? await slugsOf(tx, accountId, productId) : []
      const explanation = store === undefined ? null : explain(compiled, product, store.storeId, slugs)
      if (explanation === null)
        throw new ShelfwireError('unknown-store', `the account has no active store "${storeSlug.slice(0, 80)}"`)
      return explanation
    }),
  )
}

export interface Candidates {
  candidates: Candidate[]
  /** Whether the account has a source order for the field. */
  hasOrder: boolean
  /** The locales in which the store looks for texts and attribute overrides, in order. */
  locales: readonly string[]
}

/**
 * The values that a field of a product could show in a store, best first, from its inputs in one snapshot.
 * @param key the attribute's key.
 * @throws ShelfwireError unknown-product; unknown-store, also for an inactive store.
 */
export async function productCandidates(
  db: Db,
  accountId: number,
  storeId: number,
  productId: number,
  field: CandidateField,
  key: string,
): Promise<Candidates> {
  return inProductSnapshot(db, accountId, productId, (compiled, product) => {
    const candidates = candidatesOf(compiled, product, storeId, field, key, LIMITS.candidatesShown)
    const inStore = compiled.stores.find(({ store }) => store.storeId === storeId)
    if (candidates === null || inStore === undefined)
      throw new ShelfwireError('unknown-store', 'the account has no such active store')
    return {
      candidates,
      hasOrder: compiled.account.sourceOrders.some((order) => order.field === field),
      locales: inStore.texts.chain,
    }
  })
}
