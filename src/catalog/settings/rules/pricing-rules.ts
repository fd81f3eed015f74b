import { noConditions, PRICING_CONDITIONS } from '../../../../contract/rule-conditions.ts'
import { requireRoom } from '../../../accounts/limits/limits.ts'
import type { Reader, Tx } from '../../../db/sql.ts'
import { ShelfwireError } from '../../../platform/errors.ts'
import { LIMITS } from '../../../platform/limits.ts'
import { minorDigits } from '../../../model/money.ts'
import type { RoundingInput, RuleInput } from '../../../resolve/inputs.ts'
import { Check } from '../../../input/check.ts'
import { BOUNDS, compareDecimals, readDecimal, type DecimalBounds } from '../../../input/decimal.ts'
import { sweepAppend } from '../../stale/sweeps.sql.ts'
import { settingsWritten, type Written } from '../../stale/written.ts'
import { settingsLock } from '../../../accounts/settings-lock.sql.ts'
import { checkTiers } from './rule-tiers.ts'
import { checkConditions, requireNamed, requireValueRoom } from './rule-conditions.ts'
import {
  pricingRuleDelete,
  pricingRuleInsert,
  pricingRuleLock,
  pricingRulesCount,
  pricingRuleUpdate,
} from './pricing-rules.sql.ts'

/** Input of a new rule; an omitted condition matches everything, an omitted amount counts as none. */
export type NewPricingRule = Pick<RuleInput, 'name'> & Partial<Omit<RuleInput, 'ruleId' | 'isDefault'>>
/** The changes of an edit; null removes a condition or an amount. */
export type PricingRuleChanges = Partial<Omit<RuleInput, 'ruleId' | 'isDefault'>>

/** The values of a new rule that its input leaves out. */
export const PLAIN_RULE = {
  priority: 100,
  isActive: true,
  ...noConditions('pricing'),
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
  overPriceLists: false,
  tiers: null,
  tiersAbovePrice: false,
  tiersFromSupplier: false,
  listPricePercent: null,
} as const satisfies Omit<RuleInput, 'ruleId' | 'isDefault' | 'name'>

/**
 * Makes a new rule of an input: validated and in its stored form. Writes and locks nothing, so previews use it, too.
 * @throws ShelfwireError invalid-input, unknown-reference; quota-exceeded.
 */
export async function newRule(
  reader: Reader,
  accountId: number,
  input: NewPricingRule,
  isDefault = false,
): Promise<Omit<RuleInput, 'ruleId'>> {
  const rule = { ...PLAIN_RULE, ...input, isDefault }
  await checkRule(reader, accountId, rule)
  await requireRoom(reader, accountId, 'pricing_rules', await pricingRulesCount(reader, accountId))
  await requireValueRoom(reader, accountId, rule, undefined)
  return rule
}

/** Applies changes to a rule, like `newRule`. @throws ShelfwireError invalid-input, unknown-reference; quota-exceeded. */
export async function editedRule(
  reader: Reader,
  accountId: number,
  old: RuleInput,
  changes: PricingRuleChanges,
): Promise<RuleInput> {
  const rule = { ...old, ...changes }
  // each action has its own price field: the old action's field is cleared
  if (changes.action !== undefined && changes.action !== old.action) {
    rule.percent = changes.percent ?? (changes.action === 'fixed' ? null : old.percent)
    rule.fixedPrice = changes.fixedPrice ?? null
  }
  await checkRule(reader, accountId, rule, old.productIds ?? [])
  await requireValueRoom(reader, accountId, rule, old)
  return rule
}

/** Creates a pricing rule. The account's default rule is created with the account and has no conditions. */
export async function createRule(
  tx: Tx,
  accountId: number,
  input: NewPricingRule,
  isDefault = false,
): Promise<Written<number>> {
  await settingsLock(tx, accountId)
  const ruleId = await pricingRuleInsert(tx, accountId, await newRule(tx, accountId, input, isDefault))
  await sweepAppend(tx, accountId, 'pricing rule created', { half: 'price' })
  return settingsWritten(ruleId)
}

/** Edits a rule; absent members stay unchanged. The default rule has no conditions and is always active. */
export async function editRule(
  tx: Tx,
  accountId: number,
  ruleId: number,
  changes: PricingRuleChanges,
): Promise<Written> {
  await settingsLock(tx, accountId)
  const old = await pricingRuleLock(tx, accountId, ruleId)
  if (old === undefined) throw new ShelfwireError('unknown-reference', `the account has no pricing rule ${ruleId}`)
  await pricingRuleUpdate(tx, accountId, await editedRule(tx, accountId, old, changes))
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

/** Validates a rule and puts it into its stored form, in place. */
async function checkRule(
  reader: Reader,
  accountId: number,
  rule: Omit<RuleInput, 'ruleId'>,
  knownProducts: readonly number[] = [],
): Promise<void> {
  const check = new Check()
  rule.name = check.text('name', rule.name, LIMITS.nameLengthMax)
  check.priority(rule.priority)
  checkConditions(check, rule)
  checkAction(check, rule)
  const decimal = (name: string, value: string | null, bounds: DecimalBounds) =>
    value === null ? null : check.decimal(name, value, bounds)
  rule.addition = decimal('addition', rule.addition, BOUNDS.signedAmount)
  rule.floorMarginPercent = decimal('floor_margin_percent', rule.floorMarginPercent, BOUNDS.factor)
  if (rule.floorMarginPercent !== null)
    check.that(compareDecimals(rule.floorMarginPercent, '100') < 0, 'floor_margin_percent', 'must be below 100')
  rule.floorProfit = decimal('floor_profit', rule.floorProfit, BOUNDS.signedAmount)
  rule.floorPrice = decimal('floor_price', rule.floorPrice, BOUNDS.amount)
  rule.ceilingPrice = decimal('ceiling_price', rule.ceilingPrice, BOUNDS.amount)
  rule.listPricePercent = decimal('list_price_percent', rule.listPricePercent, BOUNDS.markup)
  if (rule.listPricePercent !== null)
    check.that(compareDecimals(rule.listPricePercent, '0') > 0, 'list_price_percent', 'must be above 0')
  if (rule.currency !== null) rule.currency = check.currency('currency', rule.currency)
  rule.rounding = checkRoundings(check, rule.rounding)
  rule.tiers = checkTiers(check, rule)
  if (rule.isDefault) checkDefault(check, rule)
  check.done('pricing rule')
  const known = new Set(knownProducts)
  // a rule keeps the ids of products that were deleted later; it can still be edited
  await requireNamed(reader, accountId, {
    ...rule,
    productIds: rule.productIds?.filter((id) => !known.has(id)) ?? null,
  })
}

function checkAction(check: Check, rule: Pick<RuleInput, 'action' | 'percent' | 'fixedPrice'>): void {
  const { action, percent, fixedPrice } = rule
  check.that(
    action === 'markup' || action === 'margin' || action === 'fixed',
    'action',
    'must be markup, margin or fixed',
  )
  if (action === 'fixed') {
    check.that(percent === null, 'percent', 'has no meaning with the action fixed')
    check.that(fixedPrice !== null, 'fixed_price', 'is required with the action fixed')
    if (fixedPrice !== null) rule.fixedPrice = check.decimal('fixed_price', fixedPrice, BOUNDS.amount)
    return
  }
  check.that(fixedPrice === null, 'fixed_price', 'has a meaning with the action fixed alone')
  check.that(percent !== null, 'percent', `is required with the action ${action}`)
  if (percent === null) return
  rule.percent = check.decimal('percent', percent, action === 'markup' ? BOUNDS.markup : BOUNDS.percent)
  if (action === 'margin') check.that(compareDecimals(rule.percent, '100') < 0, 'percent', 'a margin is below 100')
}

/** Validates roundings. @returns them by currency in capital letters, as they are stored. */
function checkRoundings(check: Check, roundings: RuleInput['rounding']): Record<string, RoundingInput> {
  const clean = new Map<string, RoundingInput>()
  for (const [given, rounding] of Object.entries(roundings)) {
    if (check.isFull) break
    const name = `rounding.${given.slice(0, 40)}`
    const currency = check.currency(name, given)
    check.that(!clean.has(currency), name, 'is duplicated')
    clean.set(currency, checkRounding(check, name, currency, rounding))
  }
  return Object.fromEntries(clean)
}

function checkRounding(check: Check, name: string, currency: string, rounding: RoundingInput): RoundingInput {
  // a step or an ending with more digits than the currency has would give prices that nobody can pay
  const bounds = { whole: 12, fraction: minorDigits(currency), min: '0' }
  const [step, ending] = [readDecimal(rounding.step, bounds), readDecimal(rounding.ending, bounds)]
  if ('value' in step) {
    check.that(step.value !== '0', `${name}.step`, 'must be above 0')
    if ('value' in ending)
      check.that(compareDecimals(ending.value, step.value) < 0, `${name}.ending`, 'must be below the step')
  }
  const { direction } = rounding
  check.that(['up', 'down', 'nearest'].includes(direction), `${name}.direction`, 'must be up, down or nearest')
  return {
    step: check.take(`${name}.step`, step, rounding.step),
    ending: check.take(`${name}.ending`, ending, rounding.ending),
    direction,
  }
}

function checkDefault(check: Check, rule: Omit<RuleInput, 'ruleId'>): void {
  for (const { field, name } of [...PRICING_CONDITIONS, { field: 'currency', name: 'currency' } as const]) {
    check.that(
      rule[field] === null,
      name,
      'the default rule has no conditions: it is what is left when no other rule matches',
    )
  }
  check.that(rule.isActive, 'is_active', 'the default rule is always active')
}
