import { PRICING_CONDITIONS } from '../../../../contract/rule-conditions.ts'
import type { Reader, Tx } from '../../../db/sql.ts'
import type { RuleInput } from '../../../resolve/inputs.ts'
import {
  conditionColumns,
  conditionsInserted,
  conditionsUpdated,
  pageIds,
  RULE_TABLES,
  type Ordered,
} from './rule-rows.sql.ts'
import { must } from '../../../platform/must.ts'

const conditions = conditionColumns(PRICING_CONDITIONS)
const columns = (reader: Reader) => reader`
  rule_id as "ruleId", name, priority, is_default as "isDefault", is_active as "isActive",
  ${conditions(reader)},
  action, trim_scale(percent)::text as percent, trim_scale(fixed_price)::text as "fixedPrice",
  trim_scale(addition)::text as addition, trim_scale(floor_margin_percent)::text as "floorMarginPercent",
  trim_scale(floor_profit)::text as "floorProfit", trim_scale(floor_price)::text as "floorPrice",
  trim_scale(ceiling_price)::text as "ceilingPrice", currency, rounding, tiers, tiers_above_price as "tiersAbovePrice",
  tiers_from_supplier as "tiersFromSupplier", trim_scale(list_price_percent)::text as "listPricePercent",
  over_price_lists as "overPriceLists"`

/** All pricing rules of the account by id. */
export function pricingRulesList(reader: Reader, accountId: number) {
  return reader<RuleInput[]>`
    select ${columns(reader)} from pricing_rule where account_id = ${accountId} order by rule_id`
}

/** The next rules after an id whose values fit into one answer; the id after which more follow, if any do; and the number of all rules. */
export async function pricingRulesPage(reader: Reader, accountId: number, after: number, limit: number) {
  const { ids, next } = await pageIds(reader, accountId, RULE_TABLES.pricing, after, limit)
  const rows = await reader<RuleInput[]>`
    select ${columns(reader)} from pricing_rule where account_id = ${accountId} and rule_id = any(${ids}::bigint[])
    order by rule_id`
  return { rows, next, total: await pricingRulesCount(reader, accountId) }
}

export async function pricingRuleGet(
  reader: Reader,
  accountId: number,
  ruleId: number,
): Promise<RuleInput | undefined> {
  const [row] = await reader<RuleInput[]>`
    select ${columns(reader)} from pricing_rule where account_id = ${accountId} and rule_id = ${ruleId}`
  return row
}

/** The priorities of all rules, by id. */
export function pricingRulesOrder(reader: Reader, accountId: number) {
  return reader<(Ordered & { isDefault: boolean })[]>`
    select rule_id as "ruleId", priority, is_default as "isDefault" from pricing_rule where account_id = ${accountId} order by rule_id`
}

/** Writes only the priority of a rule. */
export function pricingRulePrioritize(tx: Tx, accountId: number, { ruleId, priority }: Ordered) {
  return tx`
    update pricing_rule set priority = ${priority} where account_id = ${accountId} and rule_id = ${ruleId}`
}

export async function pricingRuleLock(tx: Tx, accountId: number, ruleId: number): Promise<RuleInput | undefined> {
  const [row] = await tx<RuleInput[]>`
    select ${columns(tx)} from pricing_rule where account_id = ${accountId} and rule_id = ${ruleId} for update`
  return row
}

export async function pricingRulesCount(reader: Reader, accountId: number): Promise<number> {
  const [row] = await reader<{ count: number }[]>`
    select count(*)::int as count from pricing_rule where account_id = ${accountId}`
  return must(row).count
}

const stored = (tiers: RuleInput['tiers']) => (tiers === null ? null : JSON.stringify(tiers))

export async function pricingRuleInsert(tx: Tx, accountId: number, rule: Omit<RuleInput, 'ruleId'>): Promise<number> {
  const { columns: names, values } = conditionsInserted(tx, PRICING_CONDITIONS, rule)
  const [row] = await tx<{ rule_id: number }[]>`
    insert into pricing_rule (account_id, name, priority, is_default, is_active, ${names},
      action, percent, fixed_price, addition, floor_margin_percent, floor_profit, floor_price, ceiling_price, currency, rounding,
      tiers, tiers_above_price, tiers_from_supplier, list_price_percent, over_price_lists)
    values (${accountId}, ${rule.name}, ${rule.priority}, ${rule.isDefault}, ${rule.isActive}, ${values},
      ${rule.action}, ${rule.percent}::numeric, ${rule.fixedPrice}::numeric, ${rule.addition}::numeric, ${rule.floorMarginPercent}::numeric,
      ${rule.floorProfit}::numeric, ${rule.floorPrice}::numeric, ${rule.ceilingPrice}::numeric, ${rule.currency},
      ${JSON.stringify(rule.rounding)}::text::jsonb, ${stored(rule.tiers)}::text::jsonb, ${rule.tiersAbovePrice},
      ${rule.tiersFromSupplier}, ${rule.listPricePercent}::numeric, ${rule.overPriceLists})
    returning rule_id`
  return must(row).rule_id
}

/** Writes all fields of a locked rule. */
export function pricingRuleUpdate(tx: Tx, accountId: number, rule: RuleInput) {
  return tx`
    update pricing_rule set name = ${rule.name}, priority = ${rule.priority}, is_active = ${rule.isActive},
      ${conditionsUpdated(tx, PRICING_CONDITIONS, rule)}, action = ${rule.action},
      percent = ${rule.percent}::numeric, fixed_price = ${rule.fixedPrice}::numeric, addition = ${rule.addition}::numeric,
      floor_margin_percent = ${rule.floorMarginPercent}::numeric, floor_profit = ${rule.floorProfit}::numeric,
      floor_price = ${rule.floorPrice}::numeric, ceiling_price = ${rule.ceilingPrice}::numeric, currency = ${rule.currency},
      rounding = ${JSON.stringify(rule.rounding)}::text::jsonb, tiers = ${stored(rule.tiers)}::text::jsonb,
      tiers_above_price = ${rule.tiersAbovePrice}, tiers_from_supplier = ${rule.tiersFromSupplier},
      list_price_percent = ${rule.listPricePercent}::numeric, over_price_lists = ${rule.overPriceLists}
    where account_id = ${accountId} and rule_id = ${rule.ruleId}`
}

/** Deletes a rule; the default rule stays. */
export async function pricingRuleDelete(tx: Tx, accountId: number, ruleId: number): Promise<boolean> {
  const result = await tx`
    delete from pricing_rule where account_id = ${accountId} and rule_id = ${ruleId} and not is_default`
  return result.count === 1
}

/** Removes a customer group from all rules; a rule that names only it is deleted, because it would apply to every group otherwise. */
export async function pricingRulesForgetGroup(tx: Tx, accountId: number, groupId: number): Promise<void> {
  await tx`delete from pricing_rule where account_id = ${accountId} and group_ids <@ array[${groupId}]::bigint[]`
  await tx`update pricing_rule set group_ids = array_remove(group_ids, ${groupId}::bigint)
    where account_id = ${accountId} and ${groupId}::bigint = any(group_ids)`
}

/** Whether a rule of the account starts or stops applying between two days. */
export async function pricingRulesTurn(
  reader: Reader,
  accountId: number,
  fromDay: string,
  toDay: string,
): Promise<boolean> {
  const [row] = await reader<{ turns: boolean }[]>`
    select exists (
      select from pricing_rule where account_id = ${accountId} and is_active
        and (valid_from > ${fromDay}::text::date and valid_from <= ${toDay}::text::date
          or valid_to >= ${fromDay}::text::date and valid_to < ${toDay}::text::date)) as turns`
  return row?.turns ?? false
}

/** Removes a deleted store from all pricing rules; a rule that names only it is deleted, because it would apply to every store otherwise. */
export async function pricingRulesForgetStore(tx: Tx, accountId: number, storeId: number): Promise<void> {
  await tx`delete from pricing_rule where account_id = ${accountId} and store_ids <@ array[${storeId}]::bigint[]`
  await tx`update pricing_rule set store_ids = array_remove(store_ids, ${storeId}::bigint)
    where account_id = ${accountId} and ${storeId}::bigint = any(store_ids)`
}

/** Removes a deleted supplier from all pricing rules; a rule that names only it is deleted, because it would apply to every supplier otherwise. */
export async function pricingRulesForgetSupplier(tx: Tx, accountId: number, supplierId: number): Promise<void> {
  await tx`delete from pricing_rule where account_id = ${accountId} and supplier_ids <@ array[${supplierId}]::bigint[]`
  await tx`update pricing_rule set supplier_ids = array_remove(supplier_ids, ${supplierId}::bigint)
    where account_id = ${accountId} and ${supplierId}::bigint = any(supplier_ids)`
}
