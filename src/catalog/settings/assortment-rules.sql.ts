import type { Reader, Tx } from '../../db/sql.ts'
import type { AssortmentRuleInput } from '../../resolve/inputs.ts'

const columns = (reader: Reader) => reader`
  rule_id as "ruleId", store_id as "storeId", name, priority, is_active as "isActive", is_listed as "isListed",
  supplier_ids as "supplierIds", manufacturers, categories`

/** All assortment rules of the account by id. */
export function assortmentRulesList(reader: Reader, accountId: number) {
  return reader<AssortmentRuleInput[]>`
    select ${columns(reader)} from assortment_rule where account_id = ${accountId} order by rule_id`
}

/** One rule, locked. */
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
  const [row] = await tx<{ rule_id: number }[]>`
    insert into assortment_rule (account_id, store_id, name, priority, is_active, is_listed, supplier_ids, manufacturers,
      categories)
    values (${accountId}, ${rule.storeId}, ${rule.name}, ${rule.priority}, ${rule.isActive}, ${rule.isListed},
      ${rule.supplierIds}::bigint[], ${rule.manufacturers}::text[], ${rule.categories}::text[])
    returning rule_id`
  return row?.rule_id ?? 0
}

/** Writes all fields of a locked rule; its store never changes. */
export function assortmentRuleUpdate(tx: Tx, accountId: number, rule: AssortmentRuleInput) {
  return tx`
    update assortment_rule set name = ${rule.name}, priority = ${rule.priority}, is_active = ${rule.isActive},
      is_listed = ${rule.isListed}, supplier_ids = ${rule.supplierIds}::bigint[],
      manufacturers = ${rule.manufacturers}::text[], categories = ${rule.categories}::text[]
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

/** Removes a deleted supplier from all assortment rules; a rule for it alone is deleted, or it would be for every supplier. */
export async function assortmentRulesForgetSupplier(tx: Tx, accountId: number, supplierId: number): Promise<void> {
  await tx`delete from assortment_rule where account_id = ${accountId} and supplier_ids <@ array[${supplierId}]::bigint[]`
  await tx`update assortment_rule set supplier_ids = array_remove(supplier_ids, ${supplierId}::bigint)
    where account_id = ${accountId} and ${supplierId}::bigint = any(supplier_ids)`
}
