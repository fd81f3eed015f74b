import type { Tx } from '../../db/sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { Check } from '../../input/check.ts'
import { BOUNDS } from '../../input/decimal.ts'
import type { ExclusionKind, ExclusionRuleInput } from '../../resolve/inputs.ts'
import { sweepAppend } from '../stale/sweeps.sql.ts'
import {
  exclusionRuleDelete,
  exclusionRuleInsert,
  exclusionRuleLock,
  exclusionRulesList,
  exclusionRuleUpdate,
} from './exclusion-rules.sql.ts'
import { checkConditions, CONDITION_NAMES, requireNamed } from './rule-conditions.ts'

/** What a rule is made from; the reason is the kind unless stated. */
export type NewExclusionRule = Pick<ExclusionRuleInput, 'name' | 'kind'> & Partial<Omit<ExclusionRuleInput, 'ruleId'>>
/** What an edit changes; null takes a condition away. */
export type ExclusionRuleChanges = Partial<Omit<ExclusionRuleInput, 'ruleId'>>

const KINDS: Readonly<Record<ExclusionKind, 'names' | 'supplierIds' | 'price' | 'margin' | 'nothing'>> = {
  manufacturer: 'names',
  category: 'names',
  supplier: 'supplierIds',
  no_ean: 'nothing',
  no_title: 'nothing',
  no_image: 'nothing',
  no_price: 'nothing',
  no_stock: 'nothing',
  price_below: 'price',
  price_above: 'price',
  margin_below: 'margin',
}

/** Makes a rule that excludes products from the export of some or all stores. */
export async function createExclusionRule(tx: Tx, accountId: number, input: NewExclusionRule): Promise<number> {
  const rule = {
    priority: 100,
    isActive: true,
    storeIds: null,
    names: null,
    supplierIds: null,
    amount: null,
    currency: null,
    reason: input.kind,
    ...input,
  }
  await checkRule(tx, accountId, rule)
  if ((await exclusionRulesList(tx, accountId)).length >= LIMITS.exclusionRulesPerAccountMax) {
    throw new ShelfwireError('conflict', `an account has at most ${LIMITS.exclusionRulesPerAccountMax} exclusion rules`)
  }
  const ruleId = await exclusionRuleInsert(tx, accountId, rule)
  await sweepAppend(tx, accountId, 'exclusion rule created')
  return ruleId
}

export async function editExclusionRule(
  tx: Tx,
  accountId: number,
  ruleId: number,
  changes: ExclusionRuleChanges,
): Promise<void> {
  const old = await exclusionRuleLock(tx, accountId, ruleId)
  if (old === undefined) throw new ShelfwireError('unknown-reference', `the account has no exclusion rule ${ruleId}`)
  const rule = { ...old, ...changes }
  await checkRule(tx, accountId, rule)
  await exclusionRuleUpdate(tx, accountId, rule)
  await sweepAppend(tx, accountId, 'exclusion rule edited')
}

export async function deleteExclusionRule(tx: Tx, accountId: number, ruleId: number): Promise<void> {
  if (!(await exclusionRuleDelete(tx, accountId, ruleId))) {
    throw new ShelfwireError('unknown-reference', `the account has no exclusion rule ${ruleId}`)
  }
  await sweepAppend(tx, accountId, 'exclusion rule deleted')
}

/** Checks a rule and puts its values in the form in which they are stored. */
async function checkRule(tx: Tx, accountId: number, rule: Omit<ExclusionRuleInput, 'ruleId'>): Promise<void> {
  const check = new Check()
  check.text('name', rule.name, LIMITS.nameLengthMax)
  check.text('reason', rule.reason, LIMITS.nameLengthMax)
  check.priority(rule.priority)
  check.that(Object.hasOwn(KINDS, rule.kind), 'kind', `must be one of ${Object.keys(KINDS).join(', ')}`)
  const needs = Object.hasOwn(KINDS, rule.kind) ? KINDS[rule.kind] : 'nothing'
  const wants = (name: string, isWanted: boolean, value: unknown) => {
    check.that(
      (value !== null) === isWanted,
      name,
      isWanted ? `is required with the kind ${rule.kind}` : `has no meaning with the kind ${rule.kind}`,
    )
  }
  wants('names', needs === 'names', rule.names)
  wants('supplier_ids', needs === 'supplierIds', rule.supplierIds)
  wants('amount', needs === 'price' || needs === 'margin', rule.amount)
  checkConditions(
    check,
    {
      storeIds: rule.storeIds,
      supplierIds: rule.supplierIds,
      ...(rule.kind === 'category' ? { categories: rule.names } : { manufacturers: rule.names }),
    },
    { ...CONDITION_NAMES, manufacturers: 'names', categories: 'names' },
  )
  if (rule.amount !== null) {
    rule.amount = check.decimal('amount', rule.amount, needs === 'margin' ? BOUNDS.percent : BOUNDS.amount)
  }
  if (rule.currency !== null) {
    rule.currency = check.currency('currency', rule.currency)
    check.that(needs === 'price', 'currency', `has no meaning with the kind ${rule.kind}`)
  }
  check.done('exclusion rule')
  await requireNamed(tx, accountId, rule)
}
