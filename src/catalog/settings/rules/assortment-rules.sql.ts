import { ASSORTMENT_CONDITIONS } from '../../../../contract/rule-conditions.ts'
import type { Reader, Tx } from '../../../db/sql.ts'
import type { AssortmentRuleInput } from '../../../resolve/inputs.ts'
import {
  conditionColumns,
  conditionsInserted,
  conditionsUpdated,
  pageIds,
  RULE_TABLES,
  type Ordered,
} from './rule-rows.sql.ts'
import { must } from '../../../platform/must.ts'

const conditions = conditionColumns(ASSORTMENT_CONDITIONS)
const columns = (reader: Reader) => reader`
  rule_id as "ruleId", store_id as "storeId", name, priority, is_active as "isActive", is_listed as "isListed",
  ${conditions(reader)}`

/** All assortment rules of the account by id. */
export function assortmentRulesList(reader: Reader, accountId: number) {
  return reader<AssortmentRuleInput[]>`
    select ${columns(reader)} from assortment_rule where account_id = ${accountId} order by rule_id`
}

/** The next rules after an id whose values fit into one answer; the id after which more follow, if any do; and the number of all rules. */
export async function assortmentRulesPage(reader: Reader, accountId: number, after: number, limit: number) {
  const { ids, next } = await pageIds(reader, accountId, RULE_TABLES.assortment, after, limit)
  const rows = await reader<AssortmentRuleInput[]>`
    select ${columns(reader)} from assortment_rule where account_id = ${accountId} and rule_id = any(${ids}::bigint[])
    order by rule_id`
  return { rows, next, total: await assortmentRulesCount(reader, accountId) }
}

export async function assortmentRuleGet(
  reader: Reader,
  accountId: number,
  ruleId: number,
): Promise<AssortmentRuleInput | undefined> {
  const [row] = await reader<AssortmentRuleInput[]>`
    select ${columns(reader)} from assortment_rule where account_id = ${accountId} and rule_id = ${ruleId}`
  return row
}

/** The priorities of all rules, by id. */
export function assortmentRulesOrder(reader: Reader, accountId: number) {
  return reader<Ordered[]>`
    select rule_id as "ruleId", priority from assortment_rule where account_id = ${accountId} order by rule_id`
}

/** Writes only the priority of a rule. */
export function assortmentRulePrioritize(tx: Tx, accountId: number, { ruleId, priority }: Ordered) {
  return tx`
    update assortment_rule set priority = ${priority} where account_id = ${accountId} and rule_id = ${ruleId}`
}

export async function assortmentRulesCount(reader: Reader, accountId: number): Promise<number> {
  const [row] = await reader<{ count: number }[]>`
    select count(*)::int as count from assortment_rule where account_id = ${accountId}`
  return must(row).count
}

export async function assortmentRuleLock(
  tx: Tx,
  accountId: number,
  ruleId: number,
): Promise<AssortmentRuleInput | undefined> {
  const [row] = await tx<AssortmentRuleInput[]>`
    select ${columns(tx)} from assortment_rule where account_id = ${accountId} and rule_id = ${ruleId} for update`
  return row
}

export async function assortmentRuleInsert(
  tx: Tx,
  accountId: number,
  rule: Omit<AssortmentRuleInput, 'ruleId'>,
): Promise<number> {
  const { columns: names, values } = conditionsInserted(tx, ASSORTMENT_CONDITIONS, rule)
  const [row] = await tx<{ rule_id: number }[]>`
    insert into assortment_rule (account_id, store_id, name, priority, is_active, is_listed, ${names})
    values (${accountId}, ${rule.storeId}, ${rule.name}, ${rule.priority}, ${rule.isActive}, ${rule.isListed},
      ${values})
    returning rule_id`
  return must(row).rule_id
}

/** Writes all fields of a locked rule; its store never changes. */
export function assortmentRuleUpdate(tx: Tx, accountId: number, rule: AssortmentRuleInput) {
  return tx`
    update assortment_rule set name = ${rule.name}, priority = ${rule.priority}, is_active = ${rule.isActive},
      is_listed = ${rule.isListed}, ${conditionsUpdated(tx, ASSORTMENT_CONDITIONS, rule)}
    where account_id = ${accountId} and rule_id = ${rule.ruleId}`
}

export async function assortmentRuleDelete(tx: Tx, accountId: number, ruleId: number): Promise<number | null> {
  const [row] = await tx<{ store_id: number }[]>`
    delete from assortment_rule where account_id = ${accountId} and rule_id = ${ruleId} returning store_id`
  return row?.store_id ?? null
}

/** Deletes the rules of a deleted store. */
export async function assortmentRulesForgetStore(tx: Tx, accountId: number, storeId: number): Promise<void> {
  await tx`delete from assortment_rule where account_id = ${accountId} and store_id = ${storeId}`
}

/** Removes a deleted supplier from all assortment rules; a rule that names only it is deleted, because it would apply to every supplier otherwise. */
export async function assortmentRulesForgetSupplier(tx: Tx, accountId: number, supplierId: number): Promise<void> {
  await tx`delete from assortment_rule where account_id = ${accountId} and supplier_ids <@ array[${supplierId}]::bigint[]`
  await tx`update assortment_rule set supplier_ids = array_remove(supplier_ids, ${supplierId}::bigint)
    where account_id = ${accountId} and ${supplierId}::bigint = any(supplier_ids)`
}
