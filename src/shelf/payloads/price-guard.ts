import type { Reader } from '../../db/sql.ts'
import { exactOf, type Exact } from '../../model/money.ts'
import type { Price } from '../../model/payload.ts'
import { isHeldAt, regularPrice, type Held } from '../../resolve/prices/guard.ts'
import type { HoldInput, ProductInputs } from '../../resolve/inputs.ts'
import { isAccidentallyFree } from '../../resolve/prices/price.ts'
import type { Pricing } from '../../resolve/resolve.ts'
import { encodedPrices, type EncodedPrice } from '../encode.ts'
import type { HoldKey, HoldRow } from './price-holds.sql.ts'
import { keyOf } from './payload-key.ts'
import { shelvedPrices } from './payloads.sql.ts'

/** An account's settings for the guard against price jumps. */
export interface Guard {
  /** null: the guard is off. */
  jumpFactor: Exact | null
  defaultGroupId: number | null
}

/**
 * Finds prices of one payload that jump away from the stored price. @returns holds that keep the stored prices. If the product has a hold
 * for a price already, `resolve` has decided about it (held, confirmed or back in range). A group that is new to the payload has no price
 * to keep; if its price of 0 would hide the prices of the other groups, it is held at the price of the default or first group. Sales are
 * left out of the comparison: the beginning or end of a sale is not a jump. docs/decisions/023-a-held-price-is-an-input.md says why.
 */
function jumps(
  storeId: number,
  { computed }: Pick<Pricing, 'computed'>,
  stored: readonly EncodedPrice[],
  product: ProductInputs,
  factor: Exact,
  defaultGroupId: number | null,
): HoldInput[] {
  const storedOf = new Map(stored.map((entry) => [entry.groupId, entry]))
  return computed.flatMap((fresh): HoldInput[] => {
    const old =
      storedOf.get(fresh.groupId) ?? (isAccidentallyFree(fresh) ? usualPrice(stored, defaultGroupId) : undefined)
    if (old === undefined || old.currency !== fresh.currency) return []
    const isJudged = product.holds.some(
      (hold) => hold.storeId === storeId && hold.groupId === fresh.groupId && hold.currency === fresh.currency,
    )
    if (isJudged || !isHeldAt(exactOf(old.regularPrice), fresh, factor)) return []
    return [
      {
        storeId,
        groupId: fresh.groupId,
        currency: old.currency,
        shownPrice: old.regularPrice,
        shownRuleId: old.ruleId,
      },
    ]
  })
}

/** The stored price above 0 of the default group, or else of the first group. */
function usualPrice(stored: readonly EncodedPrice[], defaultGroupId: number | null): EncodedPrice | undefined {
  const priced = stored.filter(({ regularPrice }) => !exactOf(regularPrice).isZero())
  return priced.find(({ groupId }) => groupId === defaultGroupId) ?? priced[0]
}

/** The product with added holds, which replace older ones of the same store and group. */
function withHolds(product: ProductInputs, found: readonly HoldInput[]): ProductInputs {
  const others = product.holds.filter(
    (old) => !found.some((hold) => hold.storeId === old.storeId && hold.groupId === old.groupId),
  )
  return { ...product, holds: [...others, ...found] }
}

/**
 * For previews: the product as it would be resolved after a write, with a hold wherever a fresh price jumps away from what clients read
 * now; the same object if none jumps.
 * @param places for each store, the prices that clients read and the prices that the rules would make.
 */
export function withNewHolds(
  product: ProductInputs,
  places: readonly { storeId: number; shown: readonly Price[]; pricing: Pricing }[],
  { jumpFactor, defaultGroupId }: Guard,
): ProductInputs {
  if (jumpFactor === null) return product
  const found = places.flatMap(({ storeId, shown, pricing }) => {
    const stored = shown.map((price) => ({
      groupId: price.groupId,
      currency: price.currency,
      regularPrice: regularPrice(price).toFixed(),
      ruleId: price.ruleId,
    }))
    return jumps(storeId, pricing, stored, product, jumpFactor, defaultGroupId)
  })
  return found.length === 0 ? product : withHolds(product, found)
}

/**
 * The part of a product's prices that the guard needs. The payload is encoded by then; keeping tiers, taxes and unit prices for a whole
 * batch was the main load on the garbage collector.
 */
export type GuardedPrices = Pick<Pricing, 'computed' | 'held'>

export const guardedPrices = ({ computed, held }: Pricing): GuardedPrices => ({ computed, held })

/** A product of which the whole payload or the price half has been resolved. */
export interface Guarded {
  product: ProductInputs
  /** One for each store; priceTag is null where the store does not list the product. */
  resolutions: readonly {
    storeId: number
    pricing: GuardedPrices
    priceTag: string | null
  }[]
}

/**
 * Applies the guard, if the account has one: prices that jump are replaced by holds of the stored prices, and their products resolved
 * again with the holds as inputs.
 * @param resolved entries with new holds are replaced by the result of `again`.
 * @param storedOf stored tags by keyOf: only price halves with a different tag can have jumped.
 * @returns holds to write (`keep`), and holds that no longer have an effect (`gone`).
 */
export async function holdJumps<T extends Guarded>(
  reader: Reader,
  accountId: number,
  { jumpFactor, defaultGroupId }: Guard,
  resolved: T[],
  storedOf: ReadonlyMap<string, { priceTag: string }>,
  again: (product: ProductInputs) => T,
): Promise<{ keep: HoldRow[]; gone: HoldKey[] }> {
  const isChanged = ({ product: { productId }, resolutions }: T) =>
    resolutions.some(({ storeId, priceTag }) => {
      const stored = storedOf.get(keyOf({ storeId, productId }))
      return stored !== undefined && stored.priceTag !== priceTag
    })
  const changed = jumpFactor === null ? [] : resolved.filter(isChanged)
  if (jumpFactor !== null && changed.length > 0) {
    const storeIds = new Set(changed.flatMap(({ resolutions }) => resolutions.map(({ storeId }) => storeId)))
    const bodies = await shelvedPrices(
      reader,
      accountId,
      [...storeIds],
      changed.map(({ product }) => product.productId),
    )
    const bodyOf = new Map(bodies.map((row) => [keyOf(row), row.price]))
    resolved.forEach(({ product, resolutions }, i) => {
      const found = resolutions.flatMap(({ storeId, pricing }): HoldInput[] => {
        const body = bodyOf.get(keyOf({ storeId, productId: product.productId }))
        return body === undefined
          ? []
          : jumps(storeId, pricing, encodedPrices(body), product, jumpFactor, defaultGroupId)
      })
      if (found.length > 0) resolved[i] = again(withHolds(product, found))
    })
  }
  const afterwards = resolved.filter(({ product }) => product.holds.length > 0).map(holdsAfterwards)
  return { keep: afterwards.flatMap(({ keep }) => keep), gone: afterwards.flatMap(({ gone }) => gone) }
}

/** For the stores that were resolved: the holds to write, and the keys of those that no longer have an effect. */
function holdsAfterwards({ product, resolutions }: Guarded): { keep: HoldRow[]; gone: HoldKey[] } {
  const held = resolutions.flatMap(({ pricing }) => pricing.held)
  const stores = new Set(resolutions.map(({ storeId }) => storeId))
  const isHeld = (hold: HoldInput) =>
    held.some((entry) => entry.storeId === hold.storeId && entry.groupId === hold.groupId)
  return {
    keep: held.map((entry) => rowOf(product.productId, entry)),
    gone: product.holds
      .filter((hold) => stores.has(hold.storeId) && !isHeld(hold))
      .map(({ storeId, groupId }) => ({ productId: product.productId, storeId, groupId })),
  }
}

function rowOf(productId: number, { storeId, groupId, shown, wanted }: Held): HoldRow {
  return {
    productId,
    storeId,
    groupId,
    currency: shown.currency,
    cost: wanted.baseCost.toFixed(),
    shownPrice: shown.computedPrice.toFixed(),
    shownRuleId: shown.ruleId,
    wantedPrice: wanted.computedPrice.toFixed(),
    wantedRuleId: wanted.ruleId,
  }
}
