import { toMinor, type Exact } from '../model/money.ts'
import type { Price, Tier } from '../model/payload.ts'
import { basisOf, type Basis } from '../resolve/basis.ts'
import type { CompiledAccount } from '../resolve/compile.ts'
import type { ProductInputs } from '../resolve/inputs.ts'
import { resolve, resolvePriceHalves, type Pricing } from '../resolve/resolve.ts'
import { settle } from '../resolve/prices/rounding.ts'
import { withNewHolds } from '../shelf/payloads/price-guard.ts'

// The effect of a rule change on a product, which is resolved with the rules as they are and as they would be. Pure.

/** A customer group's price that would differ: in its amount, or only in its tiers, its compare-at price, or the rule that makes it. */
export interface PriceDifference {
  groupId: number
  currency: string
  /** null: no price. */
  before: Exact | null
  after: Exact | null
  /** The prices without tax, rounded to the minor unit; null if the store's prices do not include tax. */
  netBefore: Exact | null
  netAfter: Exact | null
  /** The rule that would make the price; null: no price. */
  ruleId: number | null
  /** Whether its tiers would differ. */
  areTiersDifferent: boolean
  /** The compare-at prices; null: none. */
  compareAtBefore: Exact | null
  compareAtAfter: Exact | null
}

/** A price that the jump guard would hold because of the change. */
export interface NewlyHeld {
  groupId: number
  currency: string
  shown: Exact
  wanted: Exact
}

/** How a product would differ in one store. Absent if clients would read the same and no price would be held. */
export interface Difference {
  productId: number
  storeId: number
  /** Whether clients would read something different. False: the only effect is that a price is held. */
  isRead: boolean
  listing: 'listed' | 'unlisted' | null
  /** Set if the store lists the product before and after, and the exclusion differs. */
  exclusion: { before: string | null; after: string | null } | null
  /** Prices that differ, if the store lists the product before and after. */
  prices: readonly PriceDifference[]
  /** Whether the product would lose all its prices. */
  isUnpriced: boolean
  held: readonly NewlyHeld[]
}

/** The parts of a product in one store that rules decide. */
interface Outcome {
  storeId: number
  isListed: boolean
  exclusion: string | null
  pricing: Pricing
}

/** An account with its rules as they are and as they would be, compiled; everything else is equal. */
export interface Comparison {
  before: CompiledAccount
  after: CompiledAccount
  /** Whether price halves suffice, because no exclusion rule reads contents. Otherwise whole products must be read. */
  isPriceAlone: boolean
}

export function comparisonOf(before: CompiledAccount, after: CompiledAccount): Comparison {
  return { before, after, isPriceAlone: before.isPriceAlone && after.isPriceAlone }
}

/** The same for these stores only. */
export function inStores(comparison: Comparison, stores: CompiledAccount['stores']): Comparison {
  const { before, after } = comparison
  if (stores.length === before.stores.length) return comparison
  const ids = new Set(stores.map(({ store }) => store.storeId))
  const others = after.stores.filter(({ store }) => ids.has(store.storeId))
  return { ...comparison, before: { ...before, stores }, after: { ...after, stores: others } }
}

/**
 * The differences of a product in each store. Prices are guarded as in shelving: one that jumps is held at the price that clients read.
 * @param product read with readPriceInputs if `isPriceAlone`, otherwise with readProductInputs.
 */
export function compareProduct({ before, after, isPriceAlone }: Comparison, product: ProductInputs): Difference[] {
  // rules do not affect the basis, so it is the same before and after
  const basis = basisOf(before, product)
  const old = outcomes(before, product, basis, isPriceAlone)
  const computed = outcomes(after, product, basis, isPriceAlone)
  const places = computed.map(({ storeId, pricing }, i) => ({
    storeId,
    shown: old[i]?.pricing.shown ?? [],
    pricing,
  }))
  const guarded = withNewHolds(product, places, after)
  const fresh = guarded === product ? computed : outcomes(after, guarded, basis, isPriceAlone)
  return old.flatMap((was, i) => {
    const now = fresh[i]
    return now === undefined ? [] : differenceOf(product.productId, was, now)
  })
}

function outcomes(account: CompiledAccount, product: ProductInputs, basis: Basis, isPriceAlone: boolean): Outcome[] {
  if (isPriceAlone)
    return resolvePriceHalves(account, product, basis).map(({ store, price, exclusionReason, pricing }) => ({
      storeId: store.storeId,
      isListed: price !== null,
      exclusion: exclusionReason,
      pricing,
    }))
  return resolve(account, product, basis).map(({ store, payload, pricing }) => ({
    storeId: store.storeId,
    isListed: payload !== null,
    exclusion: payload?.content.exclusion_reason ?? null,
    pricing,
  }))
}

function differenceOf(productId: number, was: Outcome, now: Outcome): Difference[] {
  const { storeId } = was
  const held = heldNewly(was, now)
  const difference = { productId, storeId, held, exclusion: null, prices: [], isUnpriced: false }
  if (was.isListed !== now.isListed)
    return [{ ...difference, isRead: true, listing: now.isListed ? 'listed' : 'unlisted' }]
  const isExclusionDifferent = was.exclusion !== now.exclusion
  const prices = priceDifferences(was.pricing.shown, now.pricing.shown)
  const isRead = isExclusionDifferent || prices.length > 0
  if (!isRead && held.length === 0) return []
  return [
    {
      ...difference,
      isRead,
      listing: null,
      exclusion: isExclusionDifferent ? { before: was.exclusion, after: now.exclusion } : null,
      prices,
      isUnpriced: was.pricing.shown.length > 0 && now.pricing.shown.length === 0,
    },
  ]
}

function priceDifferences(was: readonly Price[], now: readonly Price[]): PriceDifference[] {
  const oldOf = new Map(was.map((price) => [price.groupId, price]))
  const freshOf = new Map(now.map((price) => [price.groupId, price]))
  return [...new Set([...oldOf.keys(), ...freshOf.keys()])].flatMap((groupId) => {
    const [old, fresh] = [oldOf.get(groupId), freshOf.get(groupId)]
    const any = fresh ?? old
    if (any === undefined) return []
    const areTiersDifferent = !areSameTiers(old?.tiers ?? [], fresh?.tiers ?? [])
    const [compareAtBefore, compareAtAfter] = [old?.compareAtPrice ?? null, fresh?.compareAtPrice ?? null]
    const isSame =
      old !== undefined &&
      fresh !== undefined &&
      !areTiersDifferent &&
      isSameAmount(compareAtBefore, compareAtAfter) &&
      old.ruleId === fresh.ruleId &&
      old.computedPrice.equals(fresh.computedPrice)
    if (isSame) return []
    return [
      {
        groupId,
        currency: any.currency,
        before: old?.computedPrice ?? null,
        after: fresh?.computedPrice ?? null,
        netBefore: withoutTax(old),
        netAfter: withoutTax(fresh),
        ruleId: fresh?.ruleId ?? null,
        areTiersDifferent,
        compareAtBefore,
        compareAtAfter,
      },
    ]
  })
}

/** A price without its tax; null if there is no price or it includes no tax. */
function withoutTax(price: Price | undefined): Exact | null {
  if (price?.tax?.isIncluded !== true || price.tax.rate === null) return null
  return toMinor(settle(price.computedPrice.dividedBy(price.tax.rate.factor)), price.currency)
}

export const isSameAmount = (was: Exact | null, now: Exact | null) =>
  was === null || now === null ? was === now : was.equals(now)

const areSameTiers = (was: readonly Tier[], now: readonly Tier[]) =>
  was.length === now.length &&
  was.every(({ quantity, price }, i) => quantity === now[i]?.quantity && price.equals(now[i].price))

function heldNewly(was: Outcome, now: Outcome): NewlyHeld[] {
  return now.pricing.held
    .filter(({ groupId }) => !was.pricing.held.some((entry) => entry.groupId === groupId))
    .map(({ groupId, shown, wanted }) => ({
      groupId,
      currency: shown.currency,
      shown: shown.computedPrice,
      wanted: wanted.computedPrice,
    }))
}
