import type { Tx } from '../db/sql.ts'
import { mapYielding } from '../platform/yielding.ts'
import type { CompiledAccount } from '../resolve/compile.ts'
import type { ProductInputs } from '../resolve/inputs.ts'
import { resolvePriceHalves, RESOLVER_VERSION } from '../resolve/resolve.ts'
import type { Price } from '../model/payload.ts'
import { encodePrice, shownPrices, tagOf } from './encode.ts'
import { holdJumps, type Guarded } from './price-guard.ts'
import { byKey, keyOf } from './payload-key.ts'
import { shelvedPriceTags, type HalfRow } from './payloads.sql.ts'
import type { Writing } from './write-payloads.ts'

/** A price half as it is to be stored. */
interface FreshPrices extends HalfRow {
  exclusion: string | null
  prices: readonly Price[]
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
  const storing = shelvedPriceTags(
    tx,
    accountId,
    storeIds,
    products.map((product) => product.productId),
  ).execute()
  // should it fail while we compute, that is seen when it is awaited below
  storing.catch(() => {})
  const resolved = await mapYielding(products, (product) => resolveFresh(account, product))
  const storedOf = new Map((await storing).map((row) => [keyOf(row), row]))
  const isMore = (entry: FreshPrices) => {
    const stored = storedOf.get(keyOf(entry))
    return stored !== undefined && (stored.resolver !== RESOLVER_VERSION || stored.exclusion !== entry.exclusion)
  }
  // first what jumps is held: a held price may exclude where the wanted one does not
  const holds = await holdJumps(tx, accountId, account.jumpFactor, resolved, storedOf, (product) =>
    resolveFresh(account, product),
  )
  const rest = new Set(resolved.filter(({ fresh }) => fresh.some(isMore)).map(({ product }) => product.productId))
  const prices = resolved.filter(({ product }) => !rest.has(product.productId))
  const isHere = ({ productId }: { productId: number }) => !rest.has(productId)
  const moved = prices
    .flatMap(({ fresh }) => fresh)
    .filter((entry) => {
      const stored = storedOf.get(keyOf(entry))
      return stored !== undefined && stored.priceTag !== entry.tag
    })
    .map(({ prices, ...half }) => ({ ...half, shown: shownPrices(prices) }))
    .sort(byKey)
  // another stock, cost or rule is another half, but the same prices
  const history = moved.filter((entry) => storedOf.get(keyOf(entry))?.shown !== entry.shown)
  const changes = moved.map(({ storeId, productId }) => ({
    storeId,
    productId,
    price: true,
    content: false,
    removed: false,
  }))
  return {
    writing: {
      contents: [],
      prices: moved,
      history,
      leaving: [],
      changes,
      counts: [],
      holds: { keep: holds.keep.filter(isHere), gone: holds.gone.filter(isHere) },
    },
    rest: [...rest],
  }
}

/** The halves as they are to be stored; none where a store does not list the product. */
function resolveFresh(account: CompiledAccount, product: ProductInputs): Guarded & { fresh: FreshPrices[] } {
  const { productId } = product
  const fresh: FreshPrices[] = []
  const resolutions = resolvePriceHalves(account, product).map(
    ({ store: { storeId }, price, exclusionReason, held }) => {
      if (price === null) return { storeId, prices: null, priceTag: null, held }
      const body = encodePrice(price)
      const tag = tagOf(body)
      fresh.push({ storeId, productId, body, tag, exclusion: exclusionReason, prices: price.prices })
      return { storeId, prices: price.prices, priceTag: tag, held }
    },
  )
  return { product, resolutions, fresh }
}
