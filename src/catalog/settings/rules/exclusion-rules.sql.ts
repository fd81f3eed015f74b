import type { Reader, Tx } from '../../../db/sql.ts'
import type { ExclusionRuleInput } from '../../../resolve/inputs.ts'
import { pageIds, RULE_TABLES, type Ordered } from './rule-rows.sql.ts'
import { must } from '../../../platform/must.ts'

const columns = (reader: Reader) => reader`
  rule_id as "ruleId", name, reason, priority, is_active as "isActive", store_ids as "storeIds", kind, names,
  supplier_ids as "supplierIds", trim_scale(amount)::text as amount, currency`

/** All exclusion rules of the account by id. */
export function exclusionRulesList(reader: Reader, accountId: number) {
  return reader<ExclusionRuleInput[]>`
    select ${columns(reader)} from exclusion_rule where account_id = ${accountId} order by rule_id`
}

/** The next rules after an id whose values fit into one answer; the id after which more follow, if any do; and the number of all rules. */
export async function exclusionRulesPage(reader: Reader, accountId: number, after: number, limit: number) {
  const { ids, next } = await pageIds(reader, accountId, RULE_TABLES.exclusion, after, limit)
  const rows = await reader<ExclusionRuleInput[]>`
    select ${columns(reader)} from exclusion_rule where account_id = ${accountId} and rule_id = any(${ids}::bigint[])
    order by rule_id`
  return { rows, next, total: await exclusionRulesCount(reader, accountId) }
}

export async function exclusionRuleGet(
  reader: Reader,
  accountId: number,
  ruleId: number,
): Promise<ExclusionRuleInput | undefined> {
  const [row] = await reader<ExclusionRuleInput[]>`
    select ${columns(reader)} from exclusion_rule where account_id = ${accountId} and rule_id = ${ruleId}`
  return row
}

/** The priorities of all rules, by id. */
export function exclusionRulesOrder(reader: Reader, accountId: number) {
  return reader<Ordered[]>`
    select rule_id as "ruleId", priority from exclusion_rule where account_id = ${accountId} order by rule_id`
}

/** Writes only the priority of a rule. */
export function exclusionRulePrioritize(tx: Tx, accountId: number, { ruleId, priority }: Ordered) {
  return tx`
    update exclusion_rule set priority = ${priority} where account_id = ${accountId} and rule_id = ${ruleId}`
}

export async function exclusionRulesCount(reader: Reader, accountId: number): Promise<number> {
  const [row] = await reader<{ count: number }[]>`
    select count(*)::int as count from exclusion_rule where account_id = ${accountId}`
  return must(row).count
}

export async function exclusionRuleLock(
  tx: Tx,
  accountId: number,
  ruleId: number,
): Promise<ExclusionRuleInput | undefined> {
  const [row] = await tx<ExclusionRuleInput[]>`
    select ${columns(tx)} from exclusion_rule where account_id = ${accountId} and rule_id = ${ruleId} for update`
  return row
}

export async function exclusionRuleInsert(
  tx: Tx,
  accountId: number,
  rule: Omit<ExclusionRuleInput, 'ruleId'>,
): Promise<number> {
  const [row] = await tx<{ rule_id: number }[]>`
    insert into exclusion_rule (account_id, name, reason, priority, is_active, store_ids, kind, names, supplier_ids, amount,
      currency)
    values (${accountId}, ${rule.name}, ${rule.reason}, ${rule.priority}, ${rule.isActive}, ${rule.storeIds}::bigint[],
      ${rule.kind}, ${rule.names}::text[], ${rule.supplierIds}::bigint[], ${rule.amount}::numeric, ${rule.currency})
    returning rule_id`
  return must(row).rule_id
}

/** Writes all fields of a locked rule. */
export function exclusionRuleUpdate(tx: Tx, accountId: number, rule: ExclusionRuleInput) {
  return tx`
    update exclusion_rule set name = ${rule.name}, reason = ${rule.reason}, priority = ${rule.priority},
      is_active = ${rule.isActive}, store_ids = ${rule.storeIds}::bigint[], kind = ${rule.kind},
      names = ${rule.names}::text[], supplier_ids = ${rule.supplierIds}::bigint[], amount = ${rule.amount}::numeric,
      currency = ${rule.currency}
    where account_id = ${accountId} and rule_id = ${rule.ruleId}`
}

export async function exclusionRuleDelete(tx: Tx, accountId: number, ruleId: number): Promise<boolean> {
  const result = await tx`delete from exclusion_rule where account_id = ${accountId} and rule_id = ${ruleId}`
  return result.count === 1
}

/** Removes a deleted store from all exclusion rules; a rule that names only it is deleted, because it would apply to every store otherwise. */
export async function exclusionRulesForgetStore(tx: Tx, accountId: number, storeId: number): Promise<void> {
  await tx`delete from exclusion_rule where account_id = ${accountId} and store_ids <@ array[${storeId}]::bigint[]`
  await tx`update exclusion_rule set store_ids = array_remove(store_ids, ${storeId}::bigint)
    where account_id = ${accountId} and ${storeId}::bigint = any(store_ids)`
}

/** Removes a deleted supplier from all exclusion rules; a rule that names only it is deleted, because it would apply to every supplier otherwise. */
export async function exclusionRulesForgetSupplier(tx: Tx, accountId: number, supplierId: number): Promise<void> {
  await tx`delete from exclusion_rule where account_id = ${accountId} and supplier_ids <@ array[${supplierId}]::bigint[]`
  await tx`update exclusion_rule set supplier_ids = array_remove(supplier_ids, ${supplierId}::bigint)
    where account_id = ${accountId} and ${supplierId}::bigint = any(supplier_ids)`
}
