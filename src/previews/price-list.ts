import { Exact } from '../model/money.ts'
import type { Reader } from '../db/sql.ts'
import { LIMITS } from '../platform/limits.ts'
import { mapYielding } from '../platform/turns/yielding.ts'
import { findListing } from '../resolve/rules/assortment.ts'
import { basisOf } from '../resolve/basis.ts'
import type { CompiledAccount } from '../resolve/compile.ts'
import { isJump, regularPrice } from '../resolve/prices/guard.ts'
import type { PriceListEntryInput, ProductInputs } from '../resolve/inputs.ts'
import type { ComputedPrice } from '../resolve/prices/price.ts'
import { listsIn, orderedLists } from '../resolve/prices/price-lists.ts'
import { pricesIn } from '../resolve/resolve.ts'
import { withNewHolds } from '../shelf/payloads/price-guard.ts'
import { readPriceInputs } from '../shelf/inputs/read-inputs.ts'

// Previews entries of a price list: their products are resolved without and with the entries, as if the list were in force today.
// docs/decisions/118-a-preview-is-the-write-without-the-write.md says why.

/** A price that would differ, or whose compare-at price would. */
export interface ListDifference {
  productId: number
  sku: string | null
  store: string
  groupId: number
  currency: string
  /** Decimal texts; null: no price. */
  before: string | null
  after: string | null
  /** Compare-at prices; null: none. */
  compareAtBefore: string | null
  compareAtAfter: string | null
}

/** How prices that clients read would differ. */
export interface ListPreview {
  products: number
  prices: number
  /** Prices that would stay the same while their compare_at_price changes: a sale hides the list's price until it ends. */
  compareAtPrices: number
  up: number
  down: number
  /**
   * Prices of the list that differ from what clients read by more than the account's price_jump_factor; sales are left out of the
   * comparison.
   */
  jumps: number
  /** The largest changes, largest first; prices of which only the compare-at price changes come last. */
  examples: ListDifference[]
}

/** The new entries of one product by group id; null: removed. */
export type EntriesOfProduct = ReadonlyMap<number, string | null>

/** @param changes by product id. */
export async function previewPriceList(
  reader: Reader,
  accountId: number,
  account: CompiledAccount,
  key: string,
  changes: ReadonlyMap<number, EntriesOfProduct>,
): Promise<ListPreview> {
  const after = withListInForce(account, key)
  const tally: ListPreview = { products: 0, prices: 0, compareAtPrices: 0, up: 0, down: 0, jumps: 0, examples: [] }
  const ranked: Ranked[] = []
  const ids = [...changes.keys()].sort((a, b) => a - b)
  for (let at = 0; at < ids.length; at += LIMITS.shelveBatchProducts) {
    const products = await readPriceInputs(reader, accountId, ids.slice(at, at + LIMITS.shelveBatchProducts))
    await mapYielding(products, (product) => {
      const found = differencesOf(account, after, product, withEntries(product, key, changes.get(product.productId)))
      if (found.length > 0) tally.products++
      for (const { was, now, difference } of found) {
        const isBeside = was !== null && now?.computedPrice.equals(was.computedPrice) === true
        if (isBeside) tally.compareAtPrices++
        else tally.prices++
        if (was === null || now === null) continue
        if (!isBeside) {
          if (now.computedPrice.greaterThan(was.computedPrice)) tally.up++
          else tally.down++
        }
        // a sale hides both prices, but when it ends the new one is shown without asking again
        const [from, to] = [regularPrice(was), regularPrice(now)]
        if (now.isStated && account.jumpFactor !== null && isJump(from, to, account.jumpFactor)) tally.jumps++
        ranked.push({
          isBeside,
          by: isBeside ? ratioOf(from, to) : ratioOf(was.computedPrice, now.computedPrice),
          difference,
        })
      }
    })
    ranked.sort((a, b) => Number(a.isBeside) - Number(b.isBeside) || b.by.cmp(a.by))
    ranked.splice(LIMITS.priceListExamplesMax)
  }
  tally.examples = ranked.map(({ difference }) => difference)
  return tally
}

interface Ranked {
  /** Whether only the compare-at price changes. */
  isBeside: boolean
  by: Exact
  difference: ListDifference
}

/** The account as if the list were active and valid today. */
function withListInForce(account: CompiledAccount, key: string): CompiledAccount {
  const lists = orderedLists(
    account.account.priceLists.map((list) =>
      list.key === key ? { ...list, isActive: true, validFrom: null, validTo: null } : list,
    ),
  )
  const { day } = account.account
  return {
    ...account,
    stores: account.stores.map((inStore) => ({ ...inStore, priceLists: listsIn(lists, inStore.store, day) })),
  }
}

function withEntries(product: ProductInputs, key: string, changed: EntriesOfProduct = new Map()): ProductInputs {
  const others = product.listEntries.filter(({ listKey, groupId }) => listKey !== key || !changed.has(groupId))
  const given = [...changed].flatMap(([groupId, amount]): PriceListEntryInput[] =>
    amount === null ? [] : [{ listKey: key, groupId, amount }],
  )
  return { ...product, listEntries: [...others, ...given] }
}

interface Found {
  was: ComputedPrice | null
  now: ComputedPrice | null
  difference: ListDifference
}

function differencesOf(
  before: CompiledAccount,
  after: CompiledAccount,
  product: ProductInputs,
  changed: ProductInputs,
): Found[] {
  if (product.isDeleted) return []
  const basis = basisOf(before, product)
  const listed = before.stores.flatMap((inStore, i) => {
    const later = after.stores[i]
    if (later === undefined || !findListing(inStore.store, inStore.assortment, product, basis.facts).isListed) return []
    return [{ later, was: pricesIn(before, inStore, product, basis), now: pricesIn(after, later, changed, basis) }]
  })
  // prices that rules make again are held as in shelving
  const places = listed.map(({ later, was, now }) => ({
    storeId: later.store.storeId,
    shown: was.shown,
    pricing: now,
  }))
  const guarded = withNewHolds(changed, places, after)
  return listed.flatMap(({ later, was, now }) => {
    const fresh = guarded === changed ? now : pricesIn(after, later, guarded, basis)
    const groups = new Set([...was.shown, ...fresh.shown].map(({ groupId }) => groupId))
    return [...groups].flatMap((groupId): Found[] => {
      const old = was.shown.find((price) => price.groupId === groupId) ?? null
      const price = fresh.shown.find((entry) => entry.groupId === groupId) ?? null
      if (old !== null && price?.computedPrice.equals(old.computedPrice) === true && isSameCompareAt(old, price))
        return []
      const difference = {
        productId: product.productId,
        sku: product.sku,
        store: later.store.slug,
        groupId,
        currency: later.store.currency,
        before: old?.computedPrice.toFixed() ?? null,
        after: price?.computedPrice.toFixed() ?? null,
        compareAtBefore: old?.compareAtPrice?.toFixed() ?? null,
        compareAtAfter: price?.compareAtPrice?.toFixed() ?? null,
      }
      return [{ was: old, now: price, difference }]
    })
  })
}

/** Whether two prices have the same compare-at price. */
const isSameCompareAt = ({ compareAtPrice: a }: ComputedPrice, { compareAtPrice: b }: ComputedPrice): boolean =>
  a === null || b === null ? a === b : a.equals(b)

/** The ratio of two amounts, at least 1. */
function ratioOf(a: Exact, b: Exact): Exact {
  const [low, high] = a.lessThan(b) ? [a, b] : [b, a]
  return low.isZero() ? new Exact(Number.MAX_SAFE_INTEGER) : high.dividedBy(low)
}
