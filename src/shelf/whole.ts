import type { Tx } from '../db/sql.ts'
import { takeTurns } from '../ground/turns.ts'
import type { CompiledAccount } from '../resolve/compile.ts'
import type { ProductInputs } from '../resolve/inputs.ts'
import { resolve, RESOLVER_VERSION, type Resolution } from '../resolve/resolve.ts'
import { encodeFresh, judge, type Fresh, type Verdict } from './diff.ts'
import { holdJumps, type Guarded } from './guard.ts'
import { shelvedBodies, shelvedTags } from './payloads/store.ts'
import { writingOf, type Writing } from './writing.ts'

const keyOf = (row: { storeId: number; productId: number }) => `${row.storeId}.${row.productId}`

/** Resolves locked products in the account's stores and compares both halves of each payload with what is stored. */
export async function judgeWhole(tx: Tx, accountId: number, account: CompiledAccount, products: readonly ProductInputs[]): Promise<Writing> {
  const productIds = products.map((product) => product.productId)
  const storeIds = account.stores.map(({ store }) => store.storeId)
  if (productIds.length === 0) return writingOf([], { keep: [], gone: [] })
  // sent before resolving, so that the server looks while we compute
  const storing = shelvedTags(tx, accountId, storeIds, productIds)
  // should it fail while we compute, that is seen when it is awaited below
  storing.catch(() => {})
  const turns = takeTurns()
  const resolved: { product: ProductInputs; resolutions: Resolution[]; fresh: Fresh[] }[] = []
  for (const product of products) {
    resolved.push(resolveFresh(account, product))
    await turns()
  }
  const stored = await storing
  const storedOf = new Map(stored.map((row) => [keyOf(row), row]))
  const guarded = resolved.map((entry): Guarded & { fresh: Fresh[] } => guardedOf(entry))
  function guardedOf({ product, resolutions, fresh }: (typeof resolved)[number]): Guarded & { fresh: Fresh[] } {
    return {
      product,
      fresh,
      resolutions: resolutions.map(({ store, payload, held }, i) => {
        const tag = storedOf.get(`${store.storeId}.${product.productId}`)?.priceTag
        return { storeId: store.storeId, prices: payload?.price.prices ?? null, isMoved: tag !== undefined && fresh[i]?.halves?.priceTag !== tag, held }
      }),
    }
  }
  const holds = await holdJumps(tx, accountId, account.jumpFactor, guarded, (product) => guardedOf(resolveFresh(account, product)))
  const older = new Set(stored.filter((row) => row.resolver !== RESOLVER_VERSION).map((row) => row.productId))
  const bodies = older.size === 0 ? [] : await shelvedBodies(tx, accountId, storeIds, [...older])
  const bodiesOf = new Map(bodies.map((row) => [keyOf(row), row]))
  const verdicts: Verdict[] = []
  for (const { fresh } of guarded) {
    for (const entry of fresh) verdicts.push(judge(entry, storedOf.get(keyOf(entry)), bodiesOf.get(keyOf(entry))))
    await turns()
  }
  return writingOf(verdicts, holds)
}

function resolveFresh(account: CompiledAccount, product: ProductInputs): { product: ProductInputs; resolutions: Resolution[]; fresh: Fresh[] } {
  const resolutions = resolve(account, product)
  return { product, resolutions, fresh: resolutions.map(({ store, payload }) => encodeFresh(store.storeId, product.productId, payload)) }
}
