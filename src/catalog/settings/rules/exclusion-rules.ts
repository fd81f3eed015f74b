import type { AnyConditions } from '../../../../contract/rule-conditions.ts'
import { requireRoom } from '../../../accounts/limits/limits.ts'
import { EXCLUSION_KINDS, needOf } from '../../../../contract/exclusion-kinds.ts'
import type { Reader, Tx } from '../../../db/sql.ts'
import { ShelfwireError } from '../../../platform/errors.ts'
import { LIMITS } from '../../../platform/limits.ts'
import { Check } from '../../../input/check.ts'
import type { ExclusionRuleInput } from '../../../resolve/inputs.ts'
import { sweepAppend } from '../../stale/sweeps.sql.ts'
import { settingsWritten, type Written } from '../../stale/written.ts'
import { settingsLock } from '../../../accounts/settings-lock.sql.ts'
import {
  exclusionRuleDelete,
  exclusionRuleInsert,
  exclusionRuleLock,
  exclusionRulesCount,
  exclusionRuleUpdate,
} from './exclusion-rules.sql.ts'
import { checkConditions, requireNamed, requireValueRoom } from './rule-conditions.ts'

/** Input of a new rule; the reason defaults to the kind. */
export type NewExclusionRule = Pick<ExclusionRuleInput, 'name' | 'kind'> & Partial<Omit<ExclusionRuleInput, 'ruleId'>>
/** The changes of an edit; null removes a condition. */
export type ExclusionRuleChanges = Partial<Omit<ExclusionRuleInput, 'ruleId'>>

/**
 * Makes a new rule of an input: validated and in its stored form. Writes and locks nothing, so previews use it, too.
 * @throws ShelfwireError invalid-input, unknown-reference; quota-exceeded.
 */
export async function newExclusionRule(
  reader: Reader,
  accountId: number,
  input: NewExclusionRule,
): Promise<Omit<ExclusionRuleInput, 'ruleId'>> {
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
  await checkRule(reader, accountId, rule)
  await requireRoom(reader, accountId, 'exclusion_rules', await exclusionRulesCount(reader, accountId))
  await requireValueRoom(reader, accountId, rule, undefined)
  return rule
}

/** Applies changes to a rule, like `newExclusionRule`. @throws ShelfwireError invalid-input, unknown-reference; quota-exceeded. */
export async function editedExclusionRule(
  reader: Reader,
  accountId: number,
  old: ExclusionRuleInput,
  changes: ExclusionRuleChanges,
): Promise<ExclusionRuleInput> {
  const rule = { ...old, ...changes }
  await checkRule(reader, accountId, rule)
  await requireValueRoom(reader, accountId, rule, old)
  return rule
}

/** Creates a rule that excludes products from the export of some or all stores. */
export async function createExclusionRule(
  tx: Tx,
  accountId: number,
  input: NewExclusionRule,
): Promise<Written<number>> {
  await settingsLock(tx, accountId)
  const ruleId = await exclusionRuleInsert(tx, accountId, await newExclusionRule(tx, accountId, input))
  await sweepAppend(tx, accountId, 'exclusion rule created')
  return settingsWritten(ruleId)
}

/** Edits a rule; absent members stay unchanged. @throws ShelfwireError invalid-input, unknown-reference. */
export async function editExclusionRule(
  tx: Tx,
  accountId: number,
  ruleId: number,
  changes: ExclusionRuleChanges,
): Promise<Written> {
  await settingsLock(tx, accountId)
  const old = await exclusionRuleLock(tx, accountId, ruleId)
  if (old === undefined) throw new ShelfwireError('unknown-reference', `the account has no exclusion rule ${ruleId}`)
  await exclusionRuleUpdate(tx, accountId, await editedExclusionRule(tx, accountId, old, changes))
  await sweepAppend(tx, accountId, 'exclusion rule edited')
  return settingsWritten()
}

/** Deletes a rule. @throws ShelfwireError unknown-reference. */
export async function deleteExclusionRule(tx: Tx, accountId: number, ruleId: number): Promise<Written> {
  await settingsLock(tx, accountId)
  if (!(await exclusionRuleDelete(tx, accountId, ruleId))) {
    throw new ShelfwireError('unknown-reference', `the account has no exclusion rule ${ruleId}`)
  }
  await sweepAppend(tx, accountId, 'exclusion rule deleted')
  return settingsWritten()
}

/** Validates a rule and puts it into its stored form, in place. */
async function checkRule(reader: Reader, accountId: number, rule: Omit<ExclusionRuleInput, 'ruleId'>): Promise<void> {
  const check = new Check()
  rule.name = check.text('name', rule.name, LIMITS.nameLengthMax)
  rule.reason = check.text('reason', rule.reason, LIMITS.nameLengthMax)
  check.priority(rule.priority)
  check.that(EXCLUSION_KINDS.includes(rule.kind), 'kind', `must be one of ${EXCLUSION_KINDS.join(', ')}`)
  const need = needOf(rule.kind)
  for (const [member, value] of [
    ['names', rule.names],
    ['supplier_ids', rule.supplierIds],
    ['amount', rule.amount],
  ] as const) {
    if (member === need.member) check.that(value !== null, member, `is required with the kind ${rule.kind}`)
    else check.that(value === null, member, `has no meaning with the kind ${rule.kind}`)
  }
  const conditions: AnyConditions = { storeIds: rule.storeIds, supplierIds: rule.supplierIds }
  if (need.names !== undefined) conditions[need.names] = rule.names
  checkConditions(check, conditions, { manufacturers: 'names', categories: 'names' })
  if (need.names !== undefined) rule.names = conditions[need.names] ?? null
  if (rule.amount !== null && need.amount !== undefined) rule.amount = check.decimal('amount', rule.amount, need.amount)
  if (rule.currency !== null) {
    rule.currency = check.currency('currency', rule.currency)
    check.that(need.amount?.hasCurrency === true, 'currency', `has no meaning with the kind ${rule.kind}`)
  }
  check.done('exclusion rule')
  await requireNamed(reader, accountId, rule)
}
