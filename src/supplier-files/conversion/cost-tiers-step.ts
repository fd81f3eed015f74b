import { compareDecimals } from '../../input/decimal.ts'
import { tooMany } from '../../input/list.ts'
import { readWhole } from '../../input/whole.ts'
import type { CostTier } from '../../model/offer.ts'
import type { Fault } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { compileCell, type CellContext, type ReadCell } from './cells.ts'
import { compileCondition } from './conditions.ts'
import { compileFormula } from '../mapping/expression.ts'
import type { CostTierList, CostTierPacked, CostTierSource } from '../mapping/mapping.ts'
import { isNoCost } from '../no-value.ts'
import { inNotation, numberWithoutUnit, readMoney, type DecimalSign } from '../numbers.ts'
import { countWork } from '../row-work.ts'
import { memberLookup, type Lookup, type Row } from '../rows.ts'

/** The cost of a single piece, and its currency, as in the offer. */
interface Single {
  cost?: string | null | undefined
  currency?: string | null | undefined
}

/** A tier as a row states it, unread. `at`: its path in the mapping, for faults. */
interface StatedTier {
  at: string
  quantity: string
  cost: string
}

/** Reads the tiers of one entry of `cost_tiers`; undefined: the row does not have it. */
type ReadTiers = (row: Row, faults: Fault[], single: Single) => StatedTier[] | undefined

/**
 * Reads the costs of a piece from a quantity on. undefined: the row has none of the columns. null: it states no tier, or a tier cannot be read or
 * costs more than the one before it, which are faults: the old tiers beside a new cost would be wrong. A tier from one piece on, or with the cost of
 * the one before it, is redundant and left out.
 */
export function compileCostTiers(
  sources: readonly CostTierSource[],
  lookup: Lookup,
  sign: DecimalSign,
): (row: Row, dropped: Fault[], single: Single) => CostTier[] | null | undefined {
  const readers = sources.map((source, i) => compileEntry(source, `cost_tiers.${i}`, lookup, sign))
  // of several lists the first with a tier is taken: a catalog may have several, such as the customer's prices before list prices
  const areAlternatives = sources.every((source) => 'tiers' in source)
  return (row, dropped, single) => {
    // an offer without a cost has no price that tiers could lower
    if (single.cost === null) return null
    const faults: Fault[] = []
    let stated: StatedTier[] | undefined
    for (const read of readers) {
      const found = read(row, faults, single)
      if (found === undefined) continue
      stated = [...(stated ?? []), ...found]
      if (areAlternatives && stated.length > 0) break
    }
    if (stated === undefined && faults.length === 0) return undefined
    const tiers = tiersIn(stated ?? [], faults, single, sign)
    dropped.push(...faults)
    return faults.length > 0 || tiers.length === 0 ? null : tiers
  }
}

function compileEntry(source: CostTierSource, at: string, lookup: Lookup, sign: DecimalSign): ReadTiers {
  if ('tiers' in source) return compileList(source, at, lookup, sign)
  if ('packed' in source) return compilePacked(source, at, lookup)
  const of = (member: string): CellContext => ({ name: `${at}.${member}`, lookup, sign, written: sign })
  const { quantity: stated } = source
  const quantity: ReadCell = typeof stated === 'number' ? () => String(stated) : compileCell(stated, of('quantity'))
  const cost = compileCell(source.cost, { ...of('cost'), isEmpty: isNoCost })
  return (row, faults) => {
    const text = cost(row, faults)
    if (text === undefined) return undefined
    const from = text === '' ? '' : (quantity(row, faults) ?? '')
    return from === '' ? [] : [{ at, quantity: from, cost: text }]
  }
}

function compileList(source: CostTierList, at: string, lookup: Lookup, sign: DecimalSign): ReadTiers {
  const get = lookup(source.tiers)
  const inner = (member: string): CellContext => ({
    name: `${at}.${member}`,
    lookup: memberLookup,
    sign,
    written: sign,
  })
  const from = compileCell(source.from, inner('from'))
  const price = compileCell(source.price, { ...inner('price'), isEmpty: isNoCost })
  const currency = source.currency === undefined ? undefined : compileCell(source.currency, inner('currency'))
  const isWanted = source.where === undefined ? () => true : compileCondition(source.where, memberLookup, sign)
  const per =
    source.per === undefined ? undefined : compileCell(source.per, { name: `${at}.per`, lookup, sign, written: sign })
  const divide = compileFormula('price / per')
  return (row, faults, single) => {
    const tiers = get(row)
    if (tiers === undefined) return undefined
    const divisor = per === undefined ? undefined : (per(row, faults) ?? '')
    return (Array.isArray(tiers) ? (tiers as unknown[]) : [tiers]).flatMap((tier): StatedTier[] => {
      countWork(1)
      if (typeof tier !== 'object' || tier === null || !isWanted(tier as Row)) return []
      const of = currency?.(tier as Row, faults) ?? ''
      if (of !== '' && single.currency !== null && single.currency !== undefined && of !== single.currency) return []
      const quantity = from(tier as Row, faults) ?? ''
      const text = price(tier as Row, faults) ?? ''
      if (text === '') return []
      // a price without a quantity is that of one piece
      if (divisor === undefined) return [{ at, quantity: quantity === '' ? '1' : quantity, cost: text }]
      const numbers = { price: numberWithoutUnit(text, sign), per: numberWithoutUnit(divisor, sign) }
      const made =
        'value' in numbers.price && 'value' in numbers.per
          ? divide.calculate((name) => (name === 'per' ? valueOf(numbers.per) : valueOf(numbers.price)))
          : { reason: 'is not a number, or not a price of so many' }
      if ('value' in made)
        return [{ at, quantity: quantity === '' ? '1' : quantity, cost: inNotation(made.value, sign) }]
      faults.push({ name: `${at}.price`, reason: made.reason })
      return []
    })
  }
}

const valueOf = (number: { value: string } | { reason: string }): string => ('value' in number ? number.value : '0')

/** Reads several tiers in one cell: `1: 10.00, 10: 9.20`. */
function compilePacked({ packed, pair, assign, optional }: CostTierPacked, at: string, lookup: Lookup): ReadTiers {
  const read = compileCell(
    { column: packed, ...(optional === undefined ? {} : { optional }) },
    { name: at, lookup, sign: undefined, written: undefined },
  )
  return (row, faults) => {
    const text = read(row, faults)
    if (text === undefined) return undefined
    countWork(1 + text.length / 8)
    return text.split(pair).flatMap((part): StatedTier[] => {
      if (part.trim() === '') return []
      const cut = part.indexOf(assign)
      if (cut !== -1) return [{ at, quantity: part.slice(0, cut).trim(), cost: part.slice(cut + assign.length).trim() }]
      faults.push({ name: at, reason: `${JSON.stringify(part.trim().slice(0, 40))} has no ${JSON.stringify(assign)}` })
      return []
    })
  }
}

function tiersIn(stated: readonly StatedTier[], faults: Fault[], single: Single, sign: DecimalSign): CostTier[] {
  const read = stated.flatMap((tier): (CostTier & { at: string })[] => {
    const number = numberWithoutUnit(tier.quantity, sign)
    const whole = 'value' in number ? readWhole(Number(number.value), 1, LIMITS.tierQuantityMax) : number
    const cost = costOf(tier.cost, single, sign)
    if ('reason' in whole) faults.push({ name: `${tier.at}.quantity`, reason: whole.reason })
    if ('reason' in cost) faults.push({ name: `${tier.at}.cost`, reason: cost.reason })
    return 'value' in whole && 'value' in cost ? [{ at: tier.at, quantity: whole.value, cost: cost.value }] : []
  })
  const inOrder = read.toSorted((a, b) => a.quantity - b.quantity)
  const tiers: CostTier[] = []
  let before: { quantity: number; cost: string } | undefined =
    typeof single.cost === 'string' ? { quantity: 1, cost: single.cost } : undefined
  for (const { at, quantity, cost } of inOrder) {
    if (quantity === 1 && before?.quantity === 1) continue
    const difference = before === undefined ? -1 : compareDecimals(cost, before.cost)
    if (difference === 0) continue
    if (before !== undefined && quantity === before.quantity)
      faults.push({ name: `${at}.quantity`, reason: `${quantity} is duplicated` })
    else if (difference > 0)
      faults.push({ name: `${at}.cost`, reason: `must be below what it is for fewer pieces, ${before?.cost}` })
    else if (quantity > 1) tiers.push({ quantity, cost })
    before = { quantity, cost }
  }
  if (tiers.length > LIMITS.tiersPerRuleMax)
    faults.push({ name: 'cost_tiers', reason: tooMany(tiers.length, LIMITS.tiersPerRuleMax) })
  return tiers
}

function costOf(text: string, single: Single, sign: DecimalSign): { value: string } | { reason: string } {
  const money = readMoney(text, sign, 'rounded')
  if ('reason' in money) return money
  const { amount, currency } = money.value
  if (amount === '0') return { reason: 'must be above 0' }
  if (currency !== null && currency !== single.currency)
    return { reason: `${JSON.stringify(text.slice(0, 40))} is not in the currency of the row's cost` }
  return { value: amount }
}
