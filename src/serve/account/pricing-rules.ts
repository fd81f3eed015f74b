import { PRICING_RULES } from '../../../contract/sources.ts'
import { pricingRulesList } from '../../catalog/settings/pricing-rules.sql.ts'
import {
  createRule,
  deleteRule,
  editRule,
  PLAIN_RULE,
  type NewPricingRule,
} from '../../catalog/settings/pricing-rules.ts'
import { readCurrency } from '../../input/currency.ts'
import type { RuleInput } from '../../resolve/inputs.ts'
import { ShelfwireError, type Fault } from '../../platform/errors.ts'
import { collectionRoutes, type Members } from './collection.ts'
import { decimalText, refuse, toFields, toMembers, withDecimals } from './members.ts'

const AMOUNTS = [
  'cost_min',
  'cost_below',
  'percent',
  'fixed_price',
  'addition',
  'floor_margin_percent',
  'floor_profit',
  'floor_price',
  'ceiling_price',
]

/** /v1/account/pricing-rules */
export const pricingRuleSources = collectionRoutes<RuleInput>({
  resource: PRICING_RULES,
  list: pricingRulesList,
  keyOf: (row) => row.ruleId,
  represent({ ruleId, isDefault, ...fields }) {
    return { id: ruleId, is_default: isDefault, ...toMembers(fields) }
  },
  defaults: toMembers(PLAIN_RULE),
  isMerged: ['rounding'],
  create: (tx, accountId, members) => createRule(tx, accountId, toFields<NewPricingRule>(plain(members, {}))),
  edit: (tx, accountId, row, members) => editRule(tx, accountId, row.ruleId, toFields(plain(members, row.rounding))),
  async remove(tx, accountId, row) {
    if (row.isDefault)
      throw new ShelfwireError(
        'conflict',
        'the default rule prices what no other rule does, and can not be deleted; edit it instead',
      )
    await deleteRule(tx, accountId, row.ruleId)
  },
})

/** Amounts as texts; rounding merged by currency, where null takes a currency away. */
function plain(members: Members, rounding: RuleInput['rounding']): Members {
  const clean = withDecimals(members, AMOUNTS)
  if (!('rounding' in clean)) return clean
  const patch = clean['rounding'] as Record<
    string,
    { step?: string | number; ending?: string | number; direction?: string } | null
  > | null
  const faults: Fault[] = []
  const seen = new Set<string>()
  const merged = new Map<string, Record<string, unknown>>(
    Object.entries(patch === null ? {} : rounding).map(([currency, entry]) => [currency, { ...entry }]),
  )
  for (const [given, entry] of Object.entries(patch ?? {})) {
    const code = readCurrency(given)
    const currency = 'value' in code ? code.value : given
    if (entry === null) {
      merged.delete(currency)
      continue
    }
    const at = `rounding.${given}`
    if (seen.has(currency)) faults.push({ name: at, reason: 'is duplicated' })
    seen.add(currency)
    const texts = Object.entries(entry).map(
      ([name, value]) =>
        [name, typeof value === 'number' ? decimalText(`${at}.${name}`, value, faults) : value] as const,
    )
    const whole = { ...merged.get(currency), ...Object.fromEntries(texts) }
    for (const name of ['step', 'ending', 'direction'])
      if (!(name in whole)) faults.push({ name: `${at}.${name}`, reason: 'is required' })
    merged.set(currency, whole)
  }
  refuse(faults)
  return { ...clean, rounding: Object.fromEntries(merged) }
}
