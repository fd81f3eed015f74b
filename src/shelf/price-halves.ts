import type { Tx } from '../db/sql.ts'
import { takeTurns } from '../ground/turns.ts'
import type { CompiledAccount } from '../resolve/compile.ts'
import type { ProductInputs } from '../resolve/inputs.ts'
import { resolvePriceHalves, RESOLVER_VERSION, type PriceResolution } from '../resolve/resolve.ts'
import { encodePrice, tagOf } from './encode.ts'
import { holdJumps, type Guarded } from './guard.ts'
import { shelvedPriceTags } from './payloads/store.ts'
import { byKey, type Writing } from './writing.ts'

interface FreshPrice {
  storeId: number
  body: string
  tag: string
  exclusion: string | null
}

/**
 * Resolves the price halves of locked products and compares them with what is stored: for what moves prices alone, at half
 * the cost of looking at the whole. A payload that is not stored yet, or no more listed, has a mark or a sweep of its own
 * and is left to it.
 * @returns what is to be written, and the products of which the whole must be looked at: whether they are excluded has
 *   moved with the prices, or an older resolver wrote them.
 */
export async function judgePriceHalves(
  tx: Tx,
  accountId: number,
  account: CompiledAccount,
  products: readonly ProductInputs[],
): Promise<{ writing: Writing; rest: number[] }> {
  const storeIds = account.stores.map(({ store }) => store.storeId)
  const storing = shelvedPriceTags(tx, accountId, storeIds, products.map((product) => product.productId)).execute()
  // should it fail while we compute, that is seen when it is awaited below
  storing.catch(() => {})
  const turns = takeTurns()
  const resolved: { product: ProductInputs; resolutions: PriceResolution[]; fresh: (FreshPrice | null)[] }[] = []
  for (const product of products) {
    resolved.push(resolveFresh(account, product))
    await turns()
  }
  const storedOf = new Map((await storing).map((row) => [`${row.storeId}.${row.productId}`, row]))
  const restIds = new Set<number>()
  for (const { product, fresh } of resolved) {
    for (const entry of fresh) {
      const stored = entry === null ? undefined : storedOf.get(`${entry.storeId}.${product.productId}`)
      if (stored === undefined) continue
      if (stored.resolver !== RESOLVER_VERSION || stored.exclusion !== entry?.exclusion) restIds.add(product.productId)
    }
  }
  const guardedOf = ({ product, resolutions, fresh }: (typeof resolved)[number]): Guarded & { fresh: (FreshPrice | null)[] } => ({
    product,
    fresh,
    resolutions: resolutions.map(({ store, price, held }, i) => {
      const tag = storedOf.get(`${store.storeId}.${product.productId}`)?.priceTag
      return { storeId: store.storeId, prices: price?.prices ?? null, isMoved: tag !== undefined && fresh[i]?.tag !== tag, held }
    }),
  })
  const guarded = resolved.filter(({ product }) => !restIds.has(product.productId)).map(guardedOf)
  const holds = await holdJumps(tx, accountId, account.jumpFactor, guarded, (product) => guardedOf(resolveFresh(account, product)))
  const writing: Writing = { contents: [], prices: [], leaving: [], changes: [], counts: [], holds }
  for (const { product: { productId }, fresh } of guarded) {
    for (const entry of fresh) {
      const stored = entry === null ? undefined : storedOf.get(`${entry.storeId}.${productId}`)
      if (entry === null || stored === undefined || stored.priceTag === entry.tag) continue
      writing.prices.push({ productId, ...entry })
      writing.changes.push({ storeId: entry.storeId, productId, price: true, content: false, removed: false })
    }
  }
  writing.prices.sort(byKey)
  writing.changes.sort(byKey)
  return { writing, rest: [...restIds] }
}

function resolveFresh(account: CompiledAccount, product: ProductInputs): { product: ProductInputs; resolutions: PriceResolution[]; fresh: (FreshPrice | null)[] } {
  const resolutions = resolvePriceHalves(account, product)
  return {
    product,
    resolutions,
    fresh: resolutions.map(({ store, price, exclusionReason }) => {
      if (price === null) return null
      const body = encodePrice(price)
      return { storeId: store.storeId, body, tag: tagOf(body), exclusion: exclusionReason }
    }),
  }
}
