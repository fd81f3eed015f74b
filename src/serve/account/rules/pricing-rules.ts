import type { ChangedMembers, NewMembers } from '../../../../contract/account-resource.ts'
import { PRICING_RULES } from '../../../../contract/account-resources.ts'
import { TIER_BYS } from '../../../../contract/tiers.ts'
import { namesWith } from '../../../../contract/rule-conditions.ts'
import {
  pricingRuleGet,
  pricingRulesList,
  pricingRulesOrder,
  pricingRulesPage,
} from '../../../catalog/settings/rules/pricing-rules.sql.ts'
import {
  createRule,
  deleteRule,
  editedRule,
  editRule,
  newRule,
  PLAIN_RULE,
  type NewPricingRule,
  type PricingRuleChanges,
} from '../../../catalog/settings/rules/pricing-rules.ts'
import type { RoundingInput, RuleInput, TierInput } from '../../../resolve/inputs.ts'
import { ShelfwireError, type Fault } from '../../../platform/errors.ts'
import { readCurrency } from '../../../input/currency.ts'
import { collection, type Collection } from '../collection.ts'
import { planner } from './planner.ts'
import { toDecimals } from '../decimals.ts'
import { toFields, toMembers } from '../member-names.ts'
import { LIMITS } from '../../../platform/limits.ts'
import { decimalText, refuse } from '../members.ts'

const AMOUNTS = [
  ...namesWith('pricing', 'number'),
  'percent',
  'fixed_price',
  'addition',
  'floor_margin_percent',
  'floor_profit',
  'floor_price',
  'ceiling_price',
  'list_price_percent',
] as const

const DEFAULTS = toMembers(PLAIN_RULE)
type Defaulted = keyof typeof DEFAULTS

const PRICING = {
  resource: PRICING_RULES,
  list: pricingRulesList,
  apart: { get: pricingRuleGet, page: pricingRulesPage },
  keyOf: (row: RuleInput) => row.ruleId,
  represent: ({ ruleId, isDefault, tiers, ...fields }: RuleInput) => ({
    id: ruleId,
    is_default: isDefault,
    ...toMembers(fields),
    tiers: tiers?.map(({ quantity, by, amount }) => ({ quantity, [by]: amount })) ?? null,
  }),
  defaults: DEFAULTS,
  merged: ['rounding'],
  create: (tx, accountId, members) => createRule(tx, accountId, inputOf(members)),
  edit: (tx, accountId, row, members) => editRule(tx, accountId, row.ruleId, changesOf(row, members)),
  async remove(tx, accountId, row) {
    requireDeletable(row)
    return deleteRule(tx, accountId, row.ruleId)
  },
} satisfies Collection<typeof PRICING_RULES, RuleInput, Defaulted>

/** /v1/account/pricing-rules */
export const pricingRules = collection(PRICING)

/** Planned changes of pricing rules, for previews. */
export const pricingRulePlans = planner(PRICING, {
  order: pricingRulesOrder,
  create: (reader, accountId, members) => newRule(reader, accountId, inputOf(members)),
  edit: (reader, accountId, row, members) => editedRule(reader, accountId, row, changesOf(row, members)),
  remove: requireDeletable,
})

type New = NewMembers<typeof PRICING_RULES, Defaulted>
type Changed = ChangedMembers<typeof PRICING_RULES, Defaulted>

function inputOf({ rounding, tiers, ...members }: New): NewPricingRule {
  return {
    ...toFields(toDecimals(members, AMOUNTS)),
    rounding: mergedRounding(rounding, {}),
    tiers: tiersOf(tiers ?? null),
  }
}

function changesOf(row: RuleInput, { rounding, tiers, ...members }: Changed): PricingRuleChanges {
  return {
    ...toFields(toDecimals(members, AMOUNTS)),
    ...(tiers === undefined ? {} : { tiers: tiersOf(tiers) }),
    ...(rounding === undefined ? {} : { rounding: mergedRounding(rounding, row.rounding) }),
  }
}

function requireDeletable({ isDefault }: RuleInput): void {
  if (isDefault)
    throw new ShelfwireError(
      'conflict',
      'the default rule prices what no other rule does, and can not be deleted; edit it instead',
    )
}

/** Each tier has a quantity and exactly one other member. @throws ShelfwireError invalid-input where it has none or several. */
function tiersOf(tiers: NewMembers<typeof PRICING_RULES>['tiers'] | null): RuleInput['tiers'] {
  if (tiers === null || tiers === undefined) return null
  const faults: Fault[] = []
  const read = tiers.flatMap((tier, i): TierInput[] => {
    const given = TIER_BYS.flatMap((by) => {
      const value = tier[by]
      if (value === undefined) return []
      return [{ by, amount: typeof value === 'number' ? decimalText(`tiers[${i}].${by}`, value, faults) : value }]
    })
    const [first, second] = given
    if (first === undefined || second !== undefined) {
      faults.push({ name: `tiers[${i}]`, reason: `must have one of ${TIER_BYS.join(', ')}` })
      return []
    }
    return [{ quantity: tier.quantity, ...first }]
  })
  refuse(faults)
  return read
}

type RoundingPatch = NonNullable<NewMembers<typeof PRICING_RULES>['rounding']>

/** Merges rounding by currency: null for an entry removes that currency; null for the map removes all. */
function mergedRounding(patch: RoundingPatch | null, current: RuleInput['rounding']): RuleInput['rounding'] {
  if (patch === null) return {}
  const faults: Fault[] = []
  const merged = new Map<string, Partial<RoundingInput>>(Object.entries(current))
  const seen = new Set<string>()
  for (const [sent, entry] of Object.entries(patch)) {
    if (faults.length >= LIMITS.faultsMax) break
    const code = readCurrency(sent)
    const currency = 'value' in code ? code.value : sent
    const at = `rounding.${sent}`
    if (seen.has(currency)) faults.push({ name: at, reason: 'is duplicated' })
    seen.add(currency)
    if (entry === null) {
      merged.delete(currency)
      continue
    }
    const text = (name: 'step' | 'ending') => {
      const value = entry[name]
      if (value === undefined) return {}
      return { [name]: typeof value === 'number' ? decimalText(`${at}.${name}`, value, faults) : value }
    }
    const { direction } = entry
    const whole: Partial<RoundingInput> = {
      ...merged.get(currency),
      ...text('step'),
      ...text('ending'),
      ...(direction === undefined ? {} : { direction }),
    }
    for (const name of ['step', 'ending', 'direction'])
      if (!(name in whole)) faults.push({ name: `${at}.${name}`, reason: 'is required' })
    merged.set(currency, whole)
  }
  refuse(faults)
  // every entry has all three members: the check above refused those that lack one
  return Object.fromEntries(merged) as RuleInput['rounding']
}
