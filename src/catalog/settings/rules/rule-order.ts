import type { Tx } from '../../../db/sql.ts'
import { ShelfwireError } from '../../../platform/errors.ts'
import { LIMITS } from '../../../platform/limits.ts'
import { settingsLock } from '../../../accounts/settings-lock.sql.ts'
import { sweepAppend } from '../../stale/sweeps.sql.ts'
import { settingsWritten, type Written } from '../../stale/written.ts'
import { must } from '../../../platform/must.ts'
import { assortmentRulePrioritize, assortmentRulesOrder } from './assortment-rules.sql.ts'
import { exclusionRulePrioritize, exclusionRulesOrder } from './exclusion-rules.sql.ts'
import { pricingRulePrioritize, pricingRulesOrder } from './pricing-rules.sql.ts'
import type { Ordered as Place } from './rule-rows.sql.ts'

interface Ordered extends Place {
  isDefault?: boolean
}

/** The distance between priorities when all are assigned anew. */
const STEP = 10

/**
 * Gives rules the priorities for an order, changing as few as possible; if there is no room between two, all are assigned anew. The default pricing
 * rule is always last and is not named.
 * @param order the ids of all rules.
 * @returns the rules whose priority changes.
 * @throws ShelfwireError conflict when the order does not name exactly the existing rules: one was created or deleted meanwhile.
 */
export function reordered<R extends Ordered>(rules: readonly R[], order: readonly number[]): R[] {
  const byId = new Map(rules.filter(({ isDefault }) => isDefault !== true).map((rule) => [rule.ruleId, rule]))
  const wanted = order.map((id) => byId.get(id)).filter((rule) => rule !== undefined)
  if (wanted.length !== byId.size || order.length !== byId.size || new Set(order).size !== order.length)
    throw new ShelfwireError(
      'conflict',
      'the order must name each rule once, and rules have been created or deleted since it was made; read them again',
    )
  const priorities = fittingPriorities(wanted) ?? wanted.map((_, i) => (i + 1) * STEP)
  return wanted.flatMap((rule, i) => {
    const priority = priorities[i] ?? rule.priority
    return priority === rule.priority ? [] : [{ ...rule, priority }]
  })
}

const isBefore = (a: Ordered, b: Ordered) =>
  a.priority - b.priority < 0 || (a.priority === b.priority && a.ruleId < b.ruleId)

/**
 * Priorities for the wanted order, in which the longest run of rules that are in order already keep theirs; null if the others do not fit between
 * them.
 */
function fittingPriorities(wanted: readonly Ordered[]): number[] | null {
  const kept = longestAscending(wanted)
  const priorities: number[] = []
  for (let i = 0; i < wanted.length;) {
    const rule = wanted[i]
    if (rule === undefined) break
    if (kept.has(i)) {
      priorities.push(rule.priority)
      i++
      continue
    }
    let end = i
    while (end < wanted.length && !kept.has(end)) end++
    const [before, after] = [wanted[i - 1], wanted[end]]
    const count = end - i
    const low = before === undefined ? (after?.priority ?? 0) - STEP * (count + 1) : must(priorities[i - 1])
    const high = after?.priority ?? low + STEP * (count + 1)
    if (high - low - 1 < count || low < -LIMITS.priorityMax || high > LIMITS.priorityMax) return null
    for (let n = 1; n <= count; n++) priorities.push(low + Math.max(n, Math.floor(((high - low) * n) / (count + 1))))
    i = end
  }
  return priorities
}

/** The indexes of a longest ascending subsequence. */
function longestAscending(rules: readonly Ordered[]): Set<number> {
  const tails: number[] = []
  const previous: number[] = []
  for (const [i, rule] of rules.entries()) {
    let [low, high] = [0, tails.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const tail = rules[must(tails[middle])]
      if (tail !== undefined && isBefore(tail, rule)) low = middle + 1
      else high = middle
    }
    previous[i] = low === 0 ? -1 : (tails[low - 1] ?? -1)
    tails[low] = i
  }
  const places = new Set<number>()
  for (let at = tails.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) places.add(at)
  return places
}

/** A kind of rules, and the sweep that follows a change of their order. */
interface Kind {
  list: (tx: Tx, accountId: number) => Promise<Ordered[]>
  update: (tx: Tx, accountId: number, rule: Place) => Promise<unknown>
  sweep: readonly [reason: string, options?: { half: 'price' }]
}

const PRICING: Kind = {
  list: pricingRulesOrder,
  update: pricingRulePrioritize,
  sweep: ['pricing rules ordered', { half: 'price' }],
}
const EXCLUSION: Kind = {
  list: exclusionRulesOrder,
  update: exclusionRulePrioritize,
  sweep: ['exclusion rules ordered'],
}
const ASSORTMENT: Kind = {
  list: assortmentRulesOrder,
  update: assortmentRulePrioritize,
  sweep: ['assortment rules ordered'],
}

const ordering =
  ({ list, update, sweep }: Kind) =>
  async (tx: Tx, accountId: number, order: readonly number[]): Promise<Written> => {
    await settingsLock(tx, accountId)
    const changed = reordered(await list(tx, accountId), order)
    for (const rule of changed) await update(tx, accountId, rule)
    if (changed.length > 0) await sweepAppend(tx, accountId, ...sweep)
    return settingsWritten()
  }

/** Puts all pricing rules into an order, in one write. @throws ShelfwireError conflict, see `reordered`. */
export const orderPricingRules = ordering(PRICING)
/** The same for exclusion rules. */
export const orderExclusionRules = ordering(EXCLUSION)
/** The same for assortment rules. The order matters only among the rules of one store. */
export const orderAssortmentRules = ordering(ASSORTMENT)
