import { AMOUNT_MAX, BUDGET_NAMES, BUDGETS, isBudgetName, type BudgetName } from '../../../contract/account-limits.ts'

/** The limit of each budget; null: unlimited. */
export type LimitOfBudget = Readonly<Record<BudgetName, number | null>>

/**
 * The limits of accounts for which the operator has set no others. A token may send RATE_LIMIT_PER_SECOND requests, and
 * all tokens of an account together five times as many.
 */
export function defaultLimits(ratePerSecond: number, set: Partial<LimitOfBudget>): LimitOfBudget {
  const declared = Object.fromEntries(BUDGET_NAMES.map((name) => [name, BUDGETS[name].default])) as LimitOfBudget
  return { ...declared, requests_per_second: ratePerSecond === 0 ? null : 5 * ratePerSecond, ...set }
}

/** Reads `1000`, or `none` as null. @returns undefined for anything else. */
export function readAmount(text: string): number | null | undefined {
  if (text === 'none') return null
  const amount = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  return amount <= AMOUNT_MAX ? amount : undefined
}

/** Reads `products=500000,picture_bytes=none`. @returns the limits, or a text that says what is wrong. */
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

/** Sets the defaults of this process; only the composition root calls this, with the settings. */
export const setDefaultLimits = (limits: LimitOfBudget): void => void (defaults = limits)

export const limitsByDefault = (): LimitOfBudget => defaults
