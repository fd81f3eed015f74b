import type { Reader, Tx } from '../../db/sql.ts'
import type { ExclusionRuleInput } from '../../resolve/inputs.ts'

const columns = (reader: Reader) => reader`
  rule_id as "ruleId", name, reason, priority, is_active as "isActive", store_ids as "storeIds", kind, names,
  supplier_ids as "supplierIds", trim_scale(amount)::text as amount, currency`

/** All exclusion rules of the account by id. */
export function exclusionRulesList(reader: Reader, accountId: number) {
  return reader<ExclusionRuleInput[]>`
    select ${columns(reader)} from exclusion_rule where account_id = ${accountId} order by rule_id`
}

/** One rule, locked so that edits of it take turns. */
export async function exclusionRuleLock(tx: Tx, accountId: number, ruleId: number): Promise<ExclusionRuleInput | undefined> {
  const [row] = await tx<ExclusionRuleInput[]>`
    select ${columns(tx)} from exclusion_rule where account_id = ${accountId} and rule_id = ${ruleId} for update`
  return row
}

export async function exclusionRuleInsert(tx: Tx, accountId: number, rule: Omit<ExclusionRuleInput, 'ruleId'>): Promise<number> {
  const [row] = await tx<{ rule_id: number }[]>`
    insert into exclusion_rule (account_id, name, reason, priority, is_active, store_ids, kind, names, supplier_ids, amount,
      currency)
    values (${accountId}, ${rule.name}, ${rule.reason}, ${rule.priority}, ${rule.isActive}, ${rule.storeIds}::bigint[],
      ${rule.kind}, ${rule.names}::text[], ${rule.supplierIds}::bigint[], ${rule.amount}::numeric, ${rule.currency})
    returning rule_id`
  return row?.rule_id ?? 0
}

/** Writes a locked rule as it is to be from now on. */
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

/** Excludes products by hand; store 0 is every store. @returns the products for which that is news. */
export async function productExclusionsUpsert(
  tx: Tx,
  accountId: number,
  storeId: number,
  productIds: readonly number[],
  reason: string,
): Promise<number[]> {
  const rows = await tx<{ product_id: number }[]>`
    insert into product_exclusion (account_id, product_id, store_id, reason)
    select distinct ${accountId}::bigint, id, ${storeId}::bigint, ${reason} from unnest(${[...productIds]}::bigint[]) as given (id)
    order by 2
    on conflict (account_id, product_id, store_id) do update set reason = excluded.reason
    where product_exclusion.reason <> excluded.reason
    returning product_id`
  return rows.map((row) => row.product_id)
}

export async function productExclusionsDelete(tx: Tx, accountId: number, storeId: number, productIds: readonly number[]): Promise<number[]> {
  const rows = await tx<{ product_id: number }[]>`
    delete from product_exclusion
    where account_id = ${accountId} and product_id = any(${[...productIds]}::bigint[]) and store_id = ${storeId}
    returning product_id`
  return rows.map((row) => row.product_id)
}
