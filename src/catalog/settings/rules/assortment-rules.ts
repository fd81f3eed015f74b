import { noConditions } from '../../../../contract/rule-conditions.ts'
import { requireRoom } from '../../../accounts/limits/limits.ts'
import type { Reader, Tx } from '../../../db/sql.ts'
import { ShelfwireError } from '../../../platform/errors.ts'
import { LIMITS } from '../../../platform/limits.ts'
import type { AssortmentRuleInput } from '../../../resolve/inputs.ts'
import { Check } from '../../../input/check.ts'
import { sweepAppend } from '../../stale/sweeps.sql.ts'
import { settingsWritten, type Written } from '../../stale/written.ts'
import { settingsLock } from '../../../accounts/settings-lock.sql.ts'
import { checkConditions, requireNamed, requireValueRoom } from './rule-conditions.ts'
import {
  assortmentRuleDelete,
  assortmentRuleInsert,
  assortmentRuleLock,
  assortmentRulesCount,
  assortmentRuleUpdate,
} from './assortment-rules.sql.ts'

// Which products a store lists: its default (all or none, stores.ts), then rules, then manual listings (products/listings/). A store that no longer
// lists a product announces it as `removed`.

export type NewAssortmentRule = Pick<AssortmentRuleInput, 'storeId' | 'name' | 'isListed'> &
  Partial<Omit<AssortmentRuleInput, 'ruleId'>>
/** The changes of an edit; null removes a condition. */
export type AssortmentRuleChanges = Partial<Omit<AssortmentRuleInput, 'ruleId' | 'storeId'>>

/**
 * Makes a new rule of an input: validated and in its stored form. Writes and locks nothing, so previews use it, too.
 * @throws ShelfwireError invalid-input, unknown-reference; quota-exceeded.
 */
export async function newAssortmentRule(
  reader: Reader,
  accountId: number,
  input: NewAssortmentRule,
): Promise<Omit<AssortmentRuleInput, 'ruleId'>> {
  const rule = { priority: 100, isActive: true, ...noConditions('assortment'), ...input }
  await checkRule(reader, accountId, rule)
  await requireRoom(reader, accountId, 'assortment_rules', await assortmentRulesCount(reader, accountId))
  await requireValueRoom(reader, accountId, rule, undefined)
  return rule
}

/** Applies changes to a rule, like `newAssortmentRule`. @throws ShelfwireError invalid-input, unknown-reference; quota-exceeded. */
export async function editedAssortmentRule(
  reader: Reader,
  accountId: number,
  old: AssortmentRuleInput,
  changes: AssortmentRuleChanges,
): Promise<AssortmentRuleInput> {
  const rule = { ...old, ...changes }
  await checkRule(reader, accountId, rule)
  await requireValueRoom(reader, accountId, rule, old)
  return rule
}

/** Creates a rule of one store. @throws ShelfwireError invalid-input, unknown-reference; quota-exceeded. */
export async function createAssortmentRule(
  tx: Tx,
  accountId: number,
  input: NewAssortmentRule,
): Promise<Written<number>> {
  await settingsLock(tx, accountId)
  const rule = await newAssortmentRule(tx, accountId, input)
  const ruleId = await assortmentRuleInsert(tx, accountId, rule)
  await sweepAppend(tx, accountId, 'assortment rule created', { storeId: rule.storeId })
  return settingsWritten(ruleId)
}

/** Edits a rule; absent members stay unchanged. @throws ShelfwireError invalid-input, unknown-reference. */
export async function editAssortmentRule(
  tx: Tx,
  accountId: number,
  ruleId: number,
  changes: AssortmentRuleChanges,
): Promise<Written> {
  await settingsLock(tx, accountId)
  const old = await assortmentRuleLock(tx, accountId, ruleId)
  if (old === undefined) throw new ShelfwireError('unknown-reference', `the account has no assortment rule ${ruleId}`)
  await assortmentRuleUpdate(tx, accountId, await editedAssortmentRule(tx, accountId, old, changes))
  await sweepAppend(tx, accountId, 'assortment rule edited', { storeId: old.storeId })
  return settingsWritten()
}

/** Deletes a rule. @throws ShelfwireError unknown-reference. */
export async function deleteAssortmentRule(tx: Tx, accountId: number, ruleId: number): Promise<Written> {
  await settingsLock(tx, accountId)
  const storeId = await assortmentRuleDelete(tx, accountId, ruleId)
  if (storeId === null) throw new ShelfwireError('unknown-reference', `the account has no assortment rule ${ruleId}`)
  await sweepAppend(tx, accountId, 'assortment rule deleted', { storeId })
  return settingsWritten()
}

async function checkRule(reader: Reader, accountId: number, rule: Omit<AssortmentRuleInput, 'ruleId'>): Promise<void> {
  const check = new Check()
  rule.name = check.text('name', rule.name, LIMITS.nameLengthMax)
  check.priority(rule.priority)
  checkConditions(check, rule)
  check.done('assortment rule')
  await requireNamed(
    reader,
    accountId,
    { storeIds: [rule.storeId], supplierIds: rule.supplierIds },
    { store_ids: 'store_id' },
  )
}
