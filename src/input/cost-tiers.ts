import { MUST } from '../../contract/values.ts'
import type { CostTier } from '../model/offer.ts'
import type { Fault } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import { BOUNDS, compareDecimals, readDecimal } from './decimal.ts'
import { tooMany } from './list.ts'
import { readWhole } from './whole.ts'

/**
 * Reads the costs of a piece from given quantities on: a list of objects with `quantity` and `cost`, in which quantities rise and costs fall. Every
 * fault is noted, as `cost_tiers.0.quantity`.
 * @param costGiven the cost of one piece, as it is given beside them; if it is a decimal, all costs must be below it.
 * @returns null for an empty list; undefined if there are faults
 */
export function readCostTiers(
  name: string,
  given: unknown,
  costGiven: unknown,
  note: (fault: Fault) => void,
): CostTier[] | null | undefined {
  if (!Array.isArray(given)) {
    note({ name, reason: MUST.list })
    return undefined
  }
  if (given.length > LIMITS.tiersPerRuleMax) {
    note({ name, reason: tooMany(given.length, LIMITS.tiersPerRuleMax) })
    return undefined
  }
  let isGood = true
  const fault = (at: string, reason: string) => {
    isGood = false
    note({ name: at, reason })
  }
  const single = readDecimal(costGiven, BOUNDS.amount)
  let before: Partial<CostTier> = 'value' in single ? { cost: single.value } : {}
  const tiers = (given as unknown[]).map((entry, i): CostTier => {
    const at = `${name}.${i}`
    const { quantity, cost } = readTier(at, entry, fault)
    if (quantity !== undefined && before.quantity !== undefined && quantity <= before.quantity)
      fault(`${at}.quantity`, `must be above that of the tier before it, ${before.quantity}`)
    if (cost !== undefined && before.cost !== undefined && compareDecimals(cost, before.cost) >= 0)
      fault(
        `${at}.cost`,
        i === 0
          ? `must be below the cost, ${before.cost}`
          : `must be below that of the tier before it, ${before.cost}: costs fall with the quantity`,
      )
    before = { ...before, ...(quantity === undefined ? {} : { quantity }), ...(cost === undefined ? {} : { cost }) }
    return { quantity: quantity ?? 0, cost: cost ?? '' }
  })
  if (!isGood) return undefined
  return tiers.length === 0 ? null : tiers
}

const MEMBERS = ['quantity', 'cost']

function readTier(at: string, entry: unknown, fault: (name: string, reason: string) => void): Partial<CostTier> {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
    fault(at, 'must be an object of quantity and cost')
    return {}
  }
  for (const name of Object.keys(entry))
    if (!MEMBERS.includes(name))
      fault(`${at}.${name.slice(0, 60)}`, `is not a known member; they are ${MEMBERS.join(', ')}`)
  const members: Readonly<Record<string, unknown>> = { ...entry }
  const read: { quantity?: number; cost?: string } = {}
  const quantity = readWhole(members['quantity'], 2, LIMITS.tierQuantityMax)
  if ('value' in quantity) read.quantity = quantity.value
  else fault(`${at}.quantity`, quantity.reason)
  const cost = readDecimal(members['cost'], BOUNDS.amount)
  if ('reason' in cost) fault(`${at}.cost`, cost.reason)
  else if (cost.value === '0') fault(`${at}.cost`, 'must be above 0')
  else read.cost = cost.value
  return read
}
