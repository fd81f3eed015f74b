import type { Tx } from '../../db/sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { minorDigits } from '../../model/money.ts'
import type { RoundingInput, RuleInput } from '../../resolve/inputs.ts'
import { Check } from '../../input/check.ts'
import { sweepAppend } from '../stale/sweeps.sql.ts'
import { settingsWritten, type Written } from '../stale/written.ts'
import { settingsLock } from './settings-lock.sql.ts'
import { checkConditions, CONDITION_NAMES, requireNamed } from './rule-conditions.ts'
import {
  pricingRuleDelete,
  pricingRuleInsert,
  pricingRuleLock,
  pricingRulesCount,
  pricingRuleUpdate,
} from './pricing-rules.sql.ts'

/** What a rule is made from; what is left out is any value, or none. */
export type NewPricingRule = Pick<RuleInput, 'name'> & Partial<Omit<RuleInput, 'ruleId' | 'isDefault'>>
/** What an edit changes; null removes a condition or an amount. */
export type PricingRuleChanges = Partial<Omit<RuleInput, 'ruleId' | 'isDefault'>>

/** The defaults of a rule. */
export const PLAIN_RULE = {
  priority: 100,
  isActive: true,
  storeIds: null,
  groupIds: null,
  productIds: null,
  supplierIds: null,
  manufacturers: null,
  categories: null,
  costMin: null,
  costBelow: null,
  validFrom: null,
  validTo: null,
  action: 'markup',
  percent: null,
  fixedPrice: null,
  addition: null,
  floorMarginPercent: null,
  floorProfit: null,
  floorPrice: null,
  ceilingPrice: null,
  currency: null,
  rounding: {},
} as const satisfies Omit<RuleInput, 'ruleId' | 'isDefault' | 'name'>

/** Makes a pricing rule. The account's default rule is made with the account and has no conditions. */
export async function createRule(
  tx: Tx,
  accountId: number,
  input: NewPricingRule,
  isDefault = false,
): Promise<Written<number>> {
  await settingsLock(tx, accountId)
  const rule = { ...PLAIN_RULE, ...input, isDefault }
  await checkRule(tx, accountId, rule)
  if ((await pricingRulesCount(tx, accountId)) >= LIMITS.rulesPerAccountMax) {
    throw new ShelfwireError('conflict', `an account has at most ${LIMITS.rulesPerAccountMax} pricing rules`)
  }
  const ruleId = await pricingRuleInsert(tx, accountId, rule)
  await sweepAppend(tx, accountId, 'pricing rule created', { half: 'price' })
  return settingsWritten(ruleId)
}

/** Edits a rule; what is not named stays. The default rule always applies, everywhere. */
export async function editRule(
  tx: Tx,
  accountId: number,
  ruleId: number,
  changes: PricingRuleChanges,
): Promise<Written> {
  await settingsLock(tx, accountId)
  const old = await pricingRuleLock(tx, accountId, ruleId)
  if (old === undefined) throw new ShelfwireError('unknown-reference', `the account has no pricing rule ${ruleId}`)
  const rule = { ...old, ...changes }
  // another action has its price in another field: the old action's field is cleared
  if (changes.action !== undefined && changes.action !== old.action) {
    rule.percent = changes.percent ?? (changes.action === 'fixed' ? null : old.percent)
    rule.fixedPrice = changes.fixedPrice ?? null
  }
  await checkRule(tx, accountId, rule, old.productIds ?? [])
  await pricingRuleUpdate(tx, accountId, rule)
  await sweepAppend(tx, accountId, 'pricing rule edited', { half: 'price' })
  return settingsWritten()
}

/** Deletes a rule. The default rule cannot be deleted. */
export async function deleteRule(tx: Tx, accountId: number, ruleId: number): Promise<Written> {
  await settingsLock(tx, accountId)
  if (!(await pricingRuleDelete(tx, accountId, ruleId))) {
    throw new ShelfwireError('unknown-reference', `the account has no pricing rule ${ruleId} that can be deleted`)
  }
  await sweepAppend(tx, accountId, 'pricing rule deleted', { half: 'price' })
  return settingsWritten()
}

const MONEY = { fractionDigits: 6 }
const PERCENT = { integerDigits: 8, fractionDigits: 4 }

async function checkRule(
  tx: Tx,
  accountId: number,
  rule: Omit<RuleInput, 'ruleId'>,
  knownProducts: readonly number[] = [],
): Promise<void> {
  const check = new Check()
  check.text('name', rule.name, LIMITS.nameLengthMax)
  check.priority(rule.priority)
  checkConditions(check, rule)
  checkCostTier(check, rule)
  checkDays(check, rule)
  checkAction(check, rule)
  const decimal = (
    name: string,
    value: string | null,
    options: { min?: number; fractionDigits: number; integerDigits?: number },
  ) => {
    if (value !== null) check.decimal(name, value, options)
  }
  decimal('addition', rule.addition, MONEY)
  decimal('floor_margin_percent', rule.floorMarginPercent, { integerDigits: 4, fractionDigits: 4 })
  if (rule.floorMarginPercent !== null)
    check.that(Number(rule.floorMarginPercent) < 100, 'floor_margin_percent', 'must be below 100')
  decimal('floor_profit', rule.floorProfit, MONEY)
  decimal('floor_price', rule.floorPrice, { ...MONEY, min: 0 })
  decimal('ceiling_price', rule.ceilingPrice, { ...MONEY, min: 0 })
  if (rule.currency !== null) check.currency('currency', rule.currency)
  for (const [currency, rounding] of Object.entries(rule.rounding)) checkRounding(check, currency, rounding)
  if (rule.isDefault) checkDefault(check, rule)
  check.done('pricing rule')
  // a product that was deleted since stays named; a rule about it can still be edited
  await requireNamed(tx, accountId, {
    ...rule,
    productIds: rule.productIds?.filter((id) => !knownProducts.includes(id)) ?? null,
  })
}

function checkCostTier(check: Check, { costMin, costBelow }: Pick<RuleInput, 'costMin' | 'costBelow'>): void {
  if (costMin !== null) check.decimal('cost_min', costMin, { ...MONEY, min: 0 })
  if (costBelow !== null) {
    check.decimal('cost_below', costBelow, { ...MONEY, min: 0 })
    check.that(Number(costBelow) > Number(costMin ?? 0), 'cost_below', 'must be above cost_min, and above 0')
  }
}

function checkDays(check: Check, { validFrom, validTo }: Pick<RuleInput, 'validFrom' | 'validTo'>): void {
  for (const [name, day] of [
    ['valid_from', validFrom],
    ['valid_to', validTo],
  ] as const) {
    if (day !== null) check.that(isDay(day), name, `«${day.slice(0, 20)}» is not a day such as 2026-11-30`)
  }
  if (validFrom !== null && validTo !== null)
    check.that(validFrom <= validTo, 'valid_to', 'must not lie before valid_from')
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

function checkAction(
  check: Check,
  { action, percent, fixedPrice }: Pick<RuleInput, 'action' | 'percent' | 'fixedPrice'>,
): void {
  check.that(
    action === 'markup' || action === 'margin' || action === 'fixed',
    'action',
    'must be markup, margin or fixed',
  )
  if (action === 'fixed') {
    check.that(percent === null, 'percent', 'has no meaning with the action fixed')
    check.that(fixedPrice !== null, 'fixed_price', 'is needed with the action fixed')
    if (fixedPrice !== null) check.decimal('fixed_price', fixedPrice, { ...MONEY, min: 0 })
    return
  }
  check.that(fixedPrice === null, 'fixed_price', 'has a meaning with the action fixed alone')
  check.that(percent !== null, 'percent', `is needed with the action ${action}`)
  if (percent === null) return
  check.decimal('percent', percent, action === 'markup' ? { ...PERCENT, min: -100 } : PERCENT)
  if (action === 'margin') check.that(Number(percent) < 100, 'percent', 'a margin is below 100')
}

function checkRounding(check: Check, currency: string, rounding: RoundingInput): void {
  const name = `rounding.${currency}`
  check.currency(name, currency)
  const digits = minorDigits(currency)
  // a step or an ending with more digits than the currency has would make prices nobody can pay
  const isAmount = (text: string) =>
    (digits === 0 ? /^\d{1,12}$/ : new RegExp(`^\\d{1,12}(?:\\.\\d{1,${digits}})?$`)).test(text)
  check.that(
    isAmount(rounding.step) && Number(rounding.step) > 0,
    `${name}.step`,
    `must be an amount above 0 with at most ${digits} digits after the point`,
  )
  check.that(
    isAmount(rounding.ending) && Number(rounding.ending) < Number(rounding.step),
    `${name}.ending`,
    `must be an amount below the step with at most ${digits} digits after the point`,
  )
  check.that(['up', 'down', 'nearest'].includes(rounding.direction), `${name}.direction`, 'must be up, down or nearest')
}

function checkDefault(check: Check, rule: Omit<RuleInput, 'ruleId'>): void {
  for (const [field, name] of Object.entries({
    ...CONDITION_NAMES,
    costMin: 'cost_min',
    costBelow: 'cost_below',
    validFrom: 'valid_from',
    validTo: 'valid_to',
    currency: 'currency',
  })) {
    check.that(
      rule[field as keyof typeof rule] === null,
      name,
      'the default rule has no conditions: it is what is left when no other rule matches',
    )
  }
  check.that(rule.isActive, 'is_active', 'the default rule is always active')
}
