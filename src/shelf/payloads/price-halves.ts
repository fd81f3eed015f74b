import type { Tx } from '../../db/sql.ts'
import { mapYielding } from '../../platform/turns/yielding.ts'
import type { ProductInputs } from '../../resolve/inputs.ts'
import { basisOf } from '../../resolve/basis.ts'
import { resolvePriceHalves, RESOLVER_VERSION } from '../../resolve/resolve.ts'
import { encodePrice, shownPrices, tagOf } from '../encode.ts'
import { guardedPrices, holdJumps, type Guarded } from './price-guard.ts'
import { byKey, keyOf } from './payload-key.ts'
import { shelvedPriceTags, type HalfRow } from './payloads.sql.ts'
import type { ShelvedAccount } from '../inputs/compiled-inputs.ts'
import { gapDeltas } from './diff.ts'
import { digestChange } from './digest.ts'
import { blockCounts, type BatchWrites } from './write-payloads.ts'
import { diffSearchStock } from '../search/search-index.ts'
import { readStored } from './read-stored.ts'

/** A price half to be stored. */
interface FreshPrices extends HalfRow {
  exclusion: string | null
  /** As shownPrices writes it. */
  shown: string
}

/** The stored rows that fresh price halves are compared with; see readStored. */
export const storedPrices = (
  tx: Tx,
  accountId: number,
  account: Pick<ShelvedAccount, 'stores'>,
  productIds: readonly number[],
) => readStored(tx, accountId, account, productIds, shelvedPriceTags)

/**
 * Resolves the price halves of locked products and compares them with the stored ones, for writes that change prices
 * alone; this costs half as much as whole products. Payloads that are not stored yet, or whose product is no longer
 * listed, are skipped: another mark or sweep is pending for them.
 * @param storing the stored rows of these products, if they are being read already.
 * @returns the rows to write, and in `rest` the products that must be resolved as a whole, because their exclusion
 * changed with the prices or an older resolver wrote them.
 */
export async function diffPriceHalves(
  tx: Tx,
  accountId: number,
  account: ShelvedAccount,
  products: readonly ProductInputs[],
  storing = storedPrices(
    tx,
    accountId,
    account,
    products.map(({ productId }) => productId),
  ),
): Promise<{ writes: BatchWrites; rest: number[] }> {
  const resolved = await mapYielding(products, (product) => resolveFresh(account, product))
  const [stored, tags] = await storing
  const storedOf = new Map(stored.map((row) => [keyOf(row), row]))
  const needsWhole = (entry: FreshPrices) => {
    const stored = storedOf.get(keyOf(entry))
    return stored !== undefined && (stored.resolver !== RESOLVER_VERSION || stored.exclusion !== entry.exclusion)
  }
  // before `rest`: a held price may exclude a product that the wanted price does not
  const holds = await holdJumps(tx, accountId, account, resolved, storedOf, (product) => resolveFresh(account, product))
  const rest = new Set(resolved.filter(({ fresh }) => fresh.some(needsWhole)).map(({ product }) => product.productId))
  const prices = resolved.filter(({ product }) => !rest.has(product.productId))
  const isNotInRest = ({ productId }: { productId: number }) => !rest.has(productId)
  const written = prices
    .flatMap(({ fresh }) => fresh)
    .filter((entry) => {
      const stored = storedOf.get(keyOf(entry))
      return stored !== undefined && (stored.priceTag !== entry.tag || stored.priceGaps !== entry.gaps)
    })
    .sort(byKey)
  // gaps can differ while clients read the same: a cost of 0 shows no price, like a missing cost
  const changed = written.filter((entry) => storedOf.get(keyOf(entry))?.priceTag !== entry.tag)
  // stock, costs and rules change the half but not necessarily the prices
  const history = changed.filter((entry) => storedOf.get(keyOf(entry))?.shown !== entry.shown)
  const changes = changed.map(({ storeId, productId }) => ({
    storeId,
    productId,
    isEntering: false,
    price: true,
    content: false,
    removed: false,
  }))
  return {
    writes: {
      contents: [],
      prices: written,
      history,
      leaving: [],
      changes,
      counts: blockCounts(
        written.map((entry) => ({
          ...entry,
          delta: 0,
          content: 0n,
          price: digestChange(entry.productId, storedOf.get(keyOf(entry))?.priceTag ?? null, entry.tag),
          gapDeltas: gapDeltas(
            { content: 0, price: storedOf.get(keyOf(entry))?.priceGaps ?? 0 },
            { content: 0, price: entry.gaps },
          ),
        })),
      ),
      holds: { keep: holds.keep.filter(isNotInRest), gone: holds.gone.filter(isNotInRest) },
      search: diffSearchStock(
        prices.map(({ product: { productId }, isInStock }) => ({ productId, isInStock })),
        tags,
      ),
    },
    rest: [...rest],
  }
}

/** The price halves to be stored; none for stores that do not list the product. */
function resolveFresh(
  account: ShelvedAccount,
  product: ProductInputs,
): Guarded & { fresh: FreshPrices[]; isInStock: boolean } {
  const { productId } = product
  const fresh: FreshPrices[] = []
  const basis = basisOf(account, product)
  const resolutions = resolvePriceHalves(account, product, basis).map(
    ({ store: { storeId }, price, exclusionReason, priceGaps, pricing }) => {
      if (price === null) return { storeId, pricing: guardedPrices(pricing), priceTag: null }
      const body = encodePrice(price)
      const tag = tagOf(body)
      fresh.push({
        isNew: false,
        storeId,
        productId,
        body,
        tag,
        exclusion: exclusionReason,
        gaps: account.hasGaps ? priceGaps : 0,
        shown: shownPrices(price.prices),
      })
      return { storeId, pricing: guardedPrices(pricing), priceTag: tag }
    },
  )
  return { product, resolutions, fresh, isInStock: basis.stock > 0 }
}
