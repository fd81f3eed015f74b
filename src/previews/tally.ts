import { Exact } from '../model/money.ts'
import type { CompiledAccount } from '../resolve/compile.ts'
import { isSameAmount, type Difference, type PriceDifference } from './compare.ts'

// Counts of what a change of rules would do, with its largest moves and examples. A tally is a plain value: that of a preview over
// everything is stored as JSON after each page and continued from there. Pure.

/** What is counted: products, and payloads (a product in a store). */
export interface Reach {
  products: number
  payloads: number
}

/** What can happen to a product in a store. */
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
 * repriced: a price has another amount; priced, unpriced: it gets its first price or loses the last; held: the jump guard would hold
 * a price; excluded, included: from the export; reasoned: excluded for another reason; listed, unlisted: by the store; tiered: a
 * price of the same amount has other prices by quantity; compared: one that is shown beside another price, or beside none; ruled:
 * another rule makes the same price.
 */
export type Effect = (typeof EFFECTS)[number]

/** A price, or a product in a store, as an example; amounts are decimal texts. */
export interface Example {
  productId: number
  storeId: number
  /** null where it is not about a price. */
  groupId: number | null
  currency: string | null
  before: string | null
  after: string | null
  /** The prices without tax, where the store shows them with it. Previews that were stored by older releases have none. */
  netBefore?: string | null
  netAfter?: string | null
  /** What the price is shown beside. Previews that were stored by older releases have none. */
  compareAtBefore?: string | null
  compareAtAfter?: string | null
  /** The price that the rules make, where it would be held. */
  wanted: string | null
  /** Reasons of the exclusion before and after. */
  reasonBefore: string | null
  reasonAfter: string | null
}

/** A price that moves, with the difference in the account's currency, by which moves are compared. */
export interface Move extends Example {
  by: string
}

export interface Tally {
  products: number
  /** Products and payloads that a client would read differently. */
  changed: Reach
  /** Prices of customer groups that rise and fall. */
  up: number
  down: number
  effects: Record<Effect, Reach>
  /** By store id. */
  stores: Record<string, Record<Effect | 'changed', number>>
  /** The largest of each product, the largest first. */
  largestUp: Move[]
  largestDown: Move[]
  /** The first products of each. */
  examples: Record<Effect, Example[]>
}

/** How many of the largest moves, and of the examples of each effect, are kept. */
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

/** A tally as it was stored: by an earlier release it has no count of effects that were not known then. */
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
      // a product is one example, however many stores have it
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
  const tiered = prices.find((price) => isSamePrice(price) && price.areTiersOther)
  if (tiered !== undefined) found.push(['tiered', priceExample(plain, tiered)])
  const compared = prices.find((price) => isSamePrice(price) && isComparedOther(price))
  if (compared !== undefined) found.push(['compared', priceExample(plain, compared)])
  const isRuleAlone = (price: PriceDifference) => isSamePrice(price) && !price.areTiersOther && !isComparedOther(price)
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

const isComparedOther = ({ compareAtBefore: was, compareAtAfter: now }: PriceDifference) => !isSameAmount(was, now)
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

/** Counts the prices that move; of a product the largest rise and the largest fall are compared with those of others. */
function addMoves(tally: Tally, { money, account }: CompiledAccount, differences: readonly Difference[]): void {
  let up: Moving | undefined
  let down: Moving | undefined
  for (const { productId, storeId, prices } of differences)
    for (const price of prices) {
      const { before, after, currency } = price
      if (before === null || after === null || before.equals(after)) continue
      // without a rate there is no price in that currency
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

/** A price that moves, before it is known whether it is one of the largest. */
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
