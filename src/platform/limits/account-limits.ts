import { AMOUNT_MAX, BUDGET_NAMES, BUDGETS, isBudgetName, type BudgetName } from '../../../contract/account-limits.ts'

/** A limit of each budget; null: none. */
export type LimitOfBudget = Readonly<Record<BudgetName, number | null>>

/**
 * The limits of accounts that the operator has set no others for. A token may send RATE_LIMIT_PER_SECOND, and all
 * tokens of an account together five times as much.
 */
export function defaultLimits(ratePerSecond: number, set: Partial<LimitOfBudget>): LimitOfBudget {
  const declared = Object.fromEntries(BUDGET_NAMES.map((name) => [name, BUDGETS[name].default])) as LimitOfBudget
  return { ...declared, requests_per_second: ratePerSecond === 0 ? null : 5 * ratePerSecond, ...set }
}

/** `1000`, or `none`. @returns undefined for anything else. */
export function readAmount(text: string): number | null | undefined {
  if (text === 'none') return null
  const amount = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  return amount <= AMOUNT_MAX ? amount : undefined
}

/** `products=500000,picture_bytes=none`. @returns what is wrong with it as text. */
export function readLimits(text: string): Partial<Record<BudgetName, number | null>> | string {
  const limits: Partial<Record<BudgetName, number | null>> = {}
  for (const entry of text.split(',').map((part) => part.trim())) {
    if (entry === '') continue
    const [name = '', given = '', more] = entry.split('=').map((part) => part.trim())
    const amount = readAmount(given)
    if (!isBudgetName(name)) return `names "${name}", which is no budget: ${BUDGET_NAMES.join(', ')}`
    if (amount === undefined || more !== undefined)
      return `has "${entry}": a budget, =, and a whole number or none, such as products=500000`
    if (name in limits) return `names "${name}" twice`
    limits[name] = amount
  }
  return limits
}

let defaults = defaultLimits(100, {})

/** The defaults of this process, which the composition root sets by the settings. */
export const setDefaultLimits = (limits: LimitOfBudget): void => void (defaults = limits)

export const limitsByDefault = (): LimitOfBudget => defaults
