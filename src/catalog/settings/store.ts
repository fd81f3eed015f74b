import { explainViolation, type Reader, type Tx } from '../../db/sql.ts'

// What prices and labels of a whole account depend on: groups, rates, rules, attribute definitions.

export interface GroupRow {
  groupId: number
  name: string
  isDefault: boolean
}

export interface RuleRow {
  ruleId: number
  name: string
  priority: number
  storeId: number | null
  groupId: number | null
  markupPercent: string
  isDefault: boolean
}

export interface RateRow {
  currency: string
  rate: string
}

export interface AttributeDefinitionRow {
  key: string
  unit: string | null
  position: number
  labels: Record<string, string>
}

export function groupsList(reader: Reader, accountId: number) {
  return reader<GroupRow[]>`
    select group_id as "groupId", name, is_default as "isDefault"
    from customer_group where account_id = ${accountId} order by group_id`
}

export async function groupInsert(tx: Tx, accountId: number, name: string, isDefault: boolean): Promise<number> {
  const [row] = await tx<{ group_id: number }[]>`
    insert into customer_group (account_id, name, is_default) values (${accountId}, ${name}, ${isDefault})
    returning group_id`.catch((error: unknown) =>
    explainViolation(error, { customer_group_account_id_name_key: `a customer group «${name}» exists already` }),
  )
  return row?.group_id ?? 0
}

export async function groupRename(tx: Tx, accountId: number, groupId: number, name: string): Promise<boolean> {
  const result = await tx`
    update customer_group set name = ${name} where account_id = ${accountId} and group_id = ${groupId}`.catch(
    (error: unknown) =>
      explainViolation(error, { customer_group_account_id_name_key: `a customer group «${name}» exists already` }),
  )
  return result.count === 1
}

/** Deletes a group and its rules; the default group stays. */
export async function groupDelete(tx: Tx, accountId: number, groupId: number): Promise<boolean> {
  const result = await tx`
    delete from customer_group where account_id = ${accountId} and group_id = ${groupId} and not is_default`
  return result.count === 1
}

export async function ratesUpsert(tx: Tx, accountId: number, rates: readonly RateRow[]): Promise<number> {
  const result = await tx`
    insert into exchange_rate (account_id, currency, rate)
    select ${accountId}, currency, rate
    from unnest(${rates.map((row) => row.currency)}::text[], ${rates.map((row) => row.rate)}::numeric[])
      as given (currency, rate)
    on conflict (account_id, currency) do update set rate = excluded.rate
    where exchange_rate.rate <> excluded.rate`
  return result.count
}

export async function rateDelete(tx: Tx, accountId: number, currency: string): Promise<boolean> {
  const result = await tx`delete from exchange_rate where account_id = ${accountId} and currency = ${currency}`
  return result.count === 1
}

export function rulesList(reader: Reader, accountId: number) {
  return reader<RuleRow[]>`
    select rule_id as "ruleId", name, priority, store_id as "storeId", group_id as "groupId",
      trim_scale(markup_percent)::text as "markupPercent", is_default as "isDefault"
    from pricing_rule where account_id = ${accountId} order by rule_id`
}

export async function ruleInsert(tx: Tx, accountId: number, rule: Omit<RuleRow, 'ruleId'>): Promise<number> {
  const [row] = await tx<{ rule_id: number }[]>`
    insert into pricing_rule (account_id, name, priority, store_id, group_id, markup_percent, is_default)
    values (${accountId}, ${rule.name}, ${rule.priority}, ${rule.storeId}, ${rule.groupId}, ${rule.markupPercent},
      ${rule.isDefault})
    returning rule_id`.catch((error: unknown) =>
    explainViolation(error, {
      pricing_rule_account_id_store_id_fkey: `the account has no store ${rule.storeId}`,
      pricing_rule_account_id_group_id_fkey: `the account has no customer group ${rule.groupId}`,
    }),
  )
  return row?.rule_id ?? 0
}

export interface RuleChanges {
  name?: string
  priority?: number
  markupPercent?: string
}

export async function ruleUpdate(tx: Tx, accountId: number, ruleId: number, changes: RuleChanges): Promise<boolean> {
  const result = await tx`
    update pricing_rule set name = coalesce(${changes.name ?? null}, name),
      priority = coalesce(${changes.priority ?? null}, priority),
      markup_percent = coalesce(${changes.markupPercent ?? null}::numeric, markup_percent)
    where account_id = ${accountId} and rule_id = ${ruleId}`
  return result.count === 1
}

/** Deletes a rule; the default rule stays. */
export async function ruleDelete(tx: Tx, accountId: number, ruleId: number): Promise<boolean> {
  const result = await tx`
    delete from pricing_rule where account_id = ${accountId} and rule_id = ${ruleId} and not is_default`
  return result.count === 1
}

export async function attributeDefinitionsUpsert(
  tx: Tx,
  accountId: number,
  definitions: readonly AttributeDefinitionRow[],
): Promise<number> {
  const result = await tx`
    insert into attribute_definition (account_id, key, unit, position, labels)
    select ${accountId}, key, unit, position, labels::jsonb
    from unnest(${definitions.map((row) => row.key)}::text[], ${definitions.map((row) => row.unit)}::text[],
      ${definitions.map((row) => row.position)}::int[], ${definitions.map((row) => JSON.stringify(row.labels))}::text[])
      as given (key, unit, position, labels)
    on conflict (account_id, key) do update
      set unit = excluded.unit, position = excluded.position, labels = excluded.labels`
  return result.count
}

export async function attributeDefinitionDelete(tx: Tx, accountId: number, key: string): Promise<boolean> {
  const result = await tx`delete from attribute_definition where account_id = ${accountId} and key = ${key}`
  return result.count === 1
}
