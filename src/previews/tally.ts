import { Exact } from '../model/money.ts'
import type { CompiledAccount } from '../resolve/compile.ts'
import { isSameAmount, type Difference, type PriceDifference } from './compare.ts'

// Counts the effects of a rule change, and keeps its largest moves and examples. A tally is a plain value: a preview of everything
// stores it as JSON after each page and continues from there. Pure.

/** A count of products, and of payloads (a product in a store). */
export interface Reach {
  products: number
  payloads: number
}

/** Possible effects on a product in a store. */
export const EFFECTS = [
  'repriced',
  'priced',
  'unpriced',
  'held',
  'excluded',
  'included',
  'reasoned',
  'listed',
  'unlisted',
  'tiered',
  'compared',
  'ruled',
] as const
/**
 * repriced: a price has another amount; priced, unpriced: it gets its first price or loses its last; held: the jump guard would hold
 * a price; excluded, included: in exports; reasoned: excluded for another reason; listed, unlisted: by the store; tiered: a price of
 * the same amount has other tiers; compared: one with another compare-at price; ruled: another rule makes the same price.
 */
export type Effect = (typeof EFFECTS)[number]

/** An example: a price, or a product in a store. Amounts are decimal texts. */
export interface Example {
  productId: number
  storeId: number
  /** null if the example is not a price. */
  groupId: number | null
  currency: string | null
  before: string | null
  after: string | null
  /** Prices without tax, if the store's prices include it. Absent in previews that older releases stored. */
  netBefore?: string | null
  netAfter?: string | null
  /** Compare-at prices. Absent in previews that older releases stored. */
  compareAtBefore?: string | null
  compareAtAfter?: string | null
  /** The price that rules make, if it would be held. */
  wanted: string | null
  /** Exclusion reasons before and after. */
  reasonBefore: string | null
  reasonAfter: string | null
}

/** A price that changes, with the difference in the account's currency, by which moves are ranked. */
export interface Move extends Example {
  by: string
}

export interface Tally {
  products: number
  /** Products and payloads that clients would read differently. */
  changed: Reach
  /** Prices of customer groups that rise and that fall. */
  up: number
  down: number
  effects: Record<Effect, Reach>
  /** By store id. */
  stores: Record<string, Record<Effect | 'changed', number>>
  /** The largest move of each product, the largest first. */
  largestUp: Move[]
  largestDown: Move[]
  /** The first products with each effect. */
  examples: Record<Effect, Example[]>
}

/** How many of the largest moves, and examples per effect, are kept. */
const SHOWN = 10

const perEffect = <T>(value: () => T) =>
  Object.fromEntries(EFFECTS.map((effect) => [effect, value()])) as Record<Effect, T>

export function openTally(): Tally {
  return {
    products: 0,
    changed: { products: 0, payloads: 0 },
    up: 0,
    down: 0,
    effects: perEffect(() => ({ products: 0, payloads: 0 })),
    stores: {},
    largestUp: [],
    largestDown: [],
    examples: perEffect(() => []),
  }
}

/** A stored tally, with zero counts added for effects that an earlier release did not know. */
export function storedTally(tally: Tally): Tally {
  const none = { ...perEffect(() => 0), changed: 0 }
  return {
    ...tally,
    effects: { ...openTally().effects, ...tally.effects },
    examples: { ...openTally().examples, ...tally.examples },
    stores: Object.fromEntries(Object.entries(tally.stores).map(([id, counts]) => [id, { ...none, ...counts }])),
  }
}

/** Adds a product with its differences. */
export function addProduct(tally: Tally, account: CompiledAccount, differences: readonly Difference[]): void {
  tally.products++
  const seen = new Set<Effect>()
  let isChanged = false
  for (const difference of differences) {
    const store = (tally.stores[difference.storeId] ??= { ...perEffect(() => 0), changed: 0 })
    if (difference.isRead) {
      isChanged = true
      tally.changed.payloads++
      store.changed++
    }
    for (const [effect, example] of effectsOf(difference)) {
      // one example per product, however many stores have it
      if (!seen.has(effect) && tally.examples[effect].length < SHOWN) tally.examples[effect].push(example)
      seen.add(effect)
      tally.effects[effect].payloads++
      store[effect]++
    }
  }
  if (isChanged) tally.changed.products++
  addMoves(tally, account, differences)
  for (const effect of seen) tally.effects[effect].products++
}

function effectsOf(difference: Difference): [Effect, Example][] {
  const { listing, exclusion, prices, held, isUnpriced } = difference
  const plain: Example = {
    productId: difference.productId,
    storeId: difference.storeId,
    groupId: null,
    currency: null,
    before: null,
    after: null,
    wanted: null,
    reasonBefore: exclusion?.before ?? null,
    reasonAfter: exclusion?.after ?? null,
  }
  const found: [Effect, Example][] = []
  if (listing !== null) found.push([listing, plain])
  const [moved] = prices.filter(isMove)
  if (moved !== undefined) found.push(['repriced', priceExample(plain, moved)])
  const [first] = prices
  if (isUnpriced && first !== undefined) found.push(['unpriced', priceExample(plain, first)])
  if (first !== undefined && prices.every(({ before }) => before === null))
    found.push(['priced', priceExample(plain, first)])
  const tiered = prices.find((price) => isSamePrice(price) && price.areTiersDifferent)
  if (tiered !== undefined) found.push(['tiered', priceExample(plain, tiered)])
  const compared = prices.find((price) => isSamePrice(price) && hasOtherCompareAt(price))
  if (compared !== undefined) found.push(['compared', priceExample(plain, compared)])
  const isRuleAlone = (price: PriceDifference) =>
    isSamePrice(price) && !price.areTiersDifferent && !hasOtherCompareAt(price)
  if (first !== undefined && prices.every(isRuleAlone)) found.push(['ruled', priceExample(plain, first)])
  const [hold] = held
  if (hold !== undefined) {
    const { groupId, currency, shown, wanted } = hold
    const amount = shown.toFixed()
    found.push(['held', { ...plain, groupId, currency, before: amount, after: amount, wanted: wanted.toFixed() }])
  }
  if (exclusion !== null) {
    if (exclusion.before === null) found.push(['excluded', plain])
    else if (exclusion.after === null) found.push(['included', plain])
    else found.push(['reasoned', plain])
  }
  return found
}

const hasOtherCompareAt = ({ compareAtBefore: was, compareAtAfter: now }: PriceDifference) => !isSameAmount(was, now)
const isSamePrice = ({ before, after }: PriceDifference) => before !== null && after !== null && before.equals(after)
const isMove = ({ before, after }: PriceDifference) => before !== null && after !== null && !before.equals(after)

function priceExample(plain: Example, difference: PriceDifference): Example {
  const { groupId, currency, before, after, netBefore, netAfter, compareAtBefore, compareAtAfter } = difference
  const text = (amount: Exact | null) => amount?.toFixed() ?? null
  return {
    ...plain,
    groupId,
    currency,
    before: text(before),
    after: text(after),
    netBefore: text(netBefore),
    netAfter: text(netAfter),
    compareAtBefore: text(compareAtBefore),
    compareAtAfter: text(compareAtAfter),
  }
}

/** Counts prices that change. Only the largest rise and the largest fall of a product are ranked. */
function addMoves(tally: Tally, { money, account }: CompiledAccount, differences: readonly Difference[]): void {
  let up: Moving | undefined
  let down: Moving | undefined
  for (const { productId, storeId, prices } of differences)
    for (const price of prices) {
      const { before, after, currency } = price
      if (before === null || after === null || before.equals(after)) continue
      // without an exchange rate there are no prices in that currency
      const by = money.convert(after.minus(before), currency, account.currency) ?? new Exact(0)
      if (after.greaterThan(before)) {
        tally.up++
        if (up === undefined || by.greaterThan(up.by)) up = { productId, storeId, price, by }
      } else {
        tally.down++
        if (down === undefined || by.lessThan(down.by)) down = { productId, storeId, price, by }
      }
    }
  if (up !== undefined) keepLargest(tally.largestUp, moveOf(up))
  if (down !== undefined) keepLargest(tally.largestDown, moveOf(down))
}

/** A price that changes and may be one of the largest moves. */
interface Moving {
  productId: number
  storeId: number
  price: PriceDifference
  by: Exact
}

function moveOf({ productId, storeId, price, by }: Moving): Move {
  const plain = { productId, storeId, groupId: null, currency: null, before: null, after: null }
  const none = { wanted: null, reasonBefore: null, reasonAfter: null }
  return { ...priceExample({ ...plain, ...none }, price), by: by.toFixed() }
}

const isLarger = (a: Move, b: Move) => new Exact(a.by).abs().greaterThan(new Exact(b.by).abs())

function keepLargest(largest: Move[], move: Move): void {
  const at = largest.findIndex((entry) => isLarger(move, entry))
  largest.splice(at === -1 ? largest.length : at, 0, move)
  if (largest.length > SHOWN) largest.pop()
}
