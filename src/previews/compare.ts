import { toMinor, type Exact } from '../model/money.ts'
import type { Price, Tier } from '../model/payload.ts'
import { basisOf, type Basis } from '../resolve/basis.ts'
import type { CompiledAccount } from '../resolve/compile.ts'
import type { ProductInputs } from '../resolve/inputs.ts'
import { resolve, resolvePriceHalves, type Pricing } from '../resolve/resolve.ts'
import { settle } from '../resolve/prices/rounding.ts'
import { withNewHolds } from '../shelf/payloads/price-guard.ts'

// What a change of rules would do to a product: it is resolved with the rules as they are and as they would be. Pure.

/** A price of one customer group that would differ: in its amount, or only in its prices by quantity, the price that it is compared with, or the rule that makes it. */
export interface PriceDifference {
  groupId: number
  currency: string
  /** null: no price. */
  before: Exact | null
  after: Exact | null
  /** The same without tax, to minor digits; null where the store shows prices without it. */
  netBefore: Exact | null
  netAfter: Exact | null
  /** The rule that would make it; null: no price. */
  ruleId: number | null
  /** Whether it would have other prices by quantity. */
  areTiersOther: boolean
  /** What it is shown beside; null: nothing. */
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

/** How a product would differ in one store; absent where clients would read the same and no price would be held. */
export interface Difference {
  productId: number
  storeId: number
  /** Whether a client would read something else: without it, a price is held and stays as it is. */
  isRead: boolean
  listing: 'listed' | 'unlisted' | null
  /** Where the store lists the product before and after. */
  exclusion: { before: string | null; after: string | null } | null
  /** The same. */
  prices: readonly PriceDifference[]
  /** Whether all its prices go. */
  isUnpriced: boolean
  held: readonly NewlyHeld[]
}

/** A product in one store, as far as rules decide it. */
interface Outcome {
  storeId: number
  isListed: boolean
  exclusion: string | null
  pricing: Pricing
}

/** An account with its rules as they are and as they would be, compiled; nothing else of it differs. */
export interface Comparison {
  before: CompiledAccount
  after: CompiledAccount
  /** Whether price halves suffice: no exclusion rule reads more. Else whole products must be read. */
  isPriceAlone: boolean
}

export function comparisonOf(before: CompiledAccount, after: CompiledAccount): Comparison {
  return { before, after, isPriceAlone: before.isPriceAlone && after.isPriceAlone }
}

/** The same in these stores alone. */
export function inStores(comparison: Comparison, stores: CompiledAccount['stores']): Comparison {
  const { before, after } = comparison
  if (stores.length === before.stores.length) return comparison
  const ids = new Set(stores.map(({ store }) => store.storeId))
  const others = after.stores.filter(({ store }) => ids.has(store.storeId))
  return { ...comparison, before: { ...before, stores }, after: { ...after, stores: others } }
}

/**
 * The differences of a product in each store. Prices are guarded as shelving does it: one that jumps is held at what clients read.
 * @param product read with readPriceInputs where `isPriceAlone`, else with readProductInputs.
 */
export function compareProduct({ before, after, isPriceAlone }: Comparison, product: ProductInputs): Difference[] {
  // what rules do not decide is the same before and after
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
  const isExclusionOther = was.exclusion !== now.exclusion
  const prices = priceDifferences(was.pricing.shown, now.pricing.shown)
  const isRead = isExclusionOther || prices.length > 0
  if (!isRead && held.length === 0) return []
  return [
    {
      ...difference,
      isRead,
      listing: null,
      exclusion: isExclusionOther ? { before: was.exclusion, after: now.exclusion } : null,
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
    const areTiersOther = !areSameTiers(old?.tiers ?? [], fresh?.tiers ?? [])
    const [compareAtBefore, compareAtAfter] = [old?.compareAtPrice ?? null, fresh?.compareAtPrice ?? null]
    const isSame =
      old !== undefined &&
      fresh !== undefined &&
      !areTiersOther &&
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
        areTiersOther,
        compareAtBefore,
        compareAtAfter,
      },
    ]
  })
}

/** A price without the tax that is in it; null: there is no price, or none in it. */
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
