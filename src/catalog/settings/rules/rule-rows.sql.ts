import {
  ASSORTMENT_CONDITIONS,
  PRICING_CONDITIONS,
  type AnyConditions,
  type Condition,
  type ConditionValue,
  type Form,
} from '../../../../contract/rule-conditions.ts'
import { byCommas } from '../../../db/fragments/by-commas.ts'
import { Identifier } from '../../../db/statements/statement.ts'
import type { Query, Reader, Tx } from '../../../db/sql.ts'
import { LIMITS } from '../../../platform/limits.ts'
import { must } from '../../../platform/must.ts'

// SQL for all tables of rules. Rules have lists of up to ten thousand values, so they are read one by one, or as many as fit into an answer.

/** The place of a rule among those of its kind. */
export interface Ordered {
  ruleId: number
  priority: number
}

/** A table of rules and its lists of values. */
interface RuleTable {
  table: 'pricing_rule' | 'exclusion_rule' | 'assortment_rule'
  lists: readonly { name: string; isText: boolean }[]
}

const longOf = (conditions: readonly Condition[]) =>
  conditions.filter(({ isLong }) => isLong).map(({ name, form }) => ({ name, isText: form !== 'ids' }))

/** The tables whose lists count against the budget rule_bytes. */
export const RULE_TABLES = {
  pricing: { table: 'pricing_rule', lists: longOf(PRICING_CONDITIONS) },
  exclusion: { table: 'exclusion_rule', lists: [{ name: 'names', isText: true }] },
  assortment: { table: 'assortment_rule', lists: longOf(ASSORTMENT_CONDITIONS) },
} as const satisfies Record<string, RuleTable>

/** How a condition's column is read, by the form of its value. */
const READ: Readonly<Record<Form, (column: string) => string>> = {
  ids: (column) => column,
  names: (column) => column,
  paths: (column) => column,
  number: (column) => `trim_scale(${column})::text`,
  day: (column) => `${column}::text`,
}

/** The columns of conditions with their names in the code, for a select list; always the same text. */
export function conditionColumns(conditions: readonly Condition[]): (reader: Reader) => Query<unknown> {
  const text = conditions.map(({ name, field, form }) => `${READ[form](`"${name}"`)} as "${field}"`).join(', ')
  return (reader) => reader.unsafe(text)
}

/** How a condition's value is written, by its form. */
const WRITTEN: Readonly<Record<Form, (tx: Tx, value: ConditionValue | null) => Query<unknown>>> = {
  ids: (tx, value) => tx`${value}::bigint[]`,
  names: (tx, value) => tx`${value}::text[]`,
  paths: (tx, value) => tx`${value}::text[]`,
  number: (tx, value) => tx`${value}::numeric`,
  day: (tx, value) => tx`${value}::text::date`,
}

/** The conditions of a rule for an INSERT: its columns, and their values. */
export function conditionsInserted(tx: Tx, conditions: readonly Condition[], rule: AnyConditions) {
  return {
    columns: new Identifier(...conditions.map(({ name }) => name)),
    values: byCommas(
      tx,
      conditions.map(({ field, form }) => WRITTEN[form](tx, rule[field] ?? null)),
    ),
  }
}

/** The conditions of a rule for an UPDATE. */
export function conditionsUpdated(tx: Tx, conditions: readonly Condition[], rule: AnyConditions): Query<unknown> {
  return byCommas(
    tx,
    conditions.map(({ name, field, form }) => tx`${tx(name)} = ${WRITTEN[form](tx, rule[field] ?? null)}`),
  )
}

/** The bytes of a row's values: LIMITS.ruleValueBytes for each, and for texts their length in UTF-8. */
function bytesOf(reader: Reader, lists: RuleTable['lists']) {
  const counted = lists.map(({ name, isText }) =>
    isText
      ? reader`${LIMITS.ruleValueBytes}::bigint * coalesce(cardinality(${reader(name)}), 0)
          + coalesce(octet_length(array_to_string(${reader(name)}, '')), 0)`
      : reader`${LIMITS.ruleValueBytes}::bigint * coalesce(cardinality(${reader(name)}), 0)`,
  )
  return counted.reduce((sum, one) => reader`${sum} + ${one}`, reader`0::bigint`)
}

/** The ids of the next rules whose values fit into one answer, at least one, and the id after which more follow, if any do. */
export async function pageIds(
  reader: Reader,
  accountId: number,
  { table, lists }: RuleTable,
  after: number,
  limit: number,
): Promise<{ ids: number[]; next: number | null }> {
  const rows = await reader<{ id: number; before: number }[]>`
    select rule_id as id, (sum(bytes) over (order by rule_id) - bytes)::bigint as before
    from (
      select rule_id, ${bytesOf(reader, lists)} as bytes from ${reader(table)}
      where account_id = ${accountId} and rule_id > ${after} order by rule_id limit ${limit + 1}
    ) as next
    order by rule_id`
  const ids = rows
    .filter(({ before }, i) => i < limit && (i === 0 || before < LIMITS.rulePageBytes))
    .map(({ id }) => id)
  return { ids, next: ids.length < rows.length ? (ids.at(-1) ?? null) : null }
}

/** Bytes of the values of all rules of an account. */
export async function ruleValueBytes(reader: Reader, accountId: number): Promise<number> {
  const sums = await Promise.all(
    Object.values<RuleTable>(RULE_TABLES).map(
      ({ table, lists }) => reader<{ bytes: number }[]>`
        select coalesce(sum(${bytesOf(reader, lists)}), 0)::bigint as bytes from ${reader(table)} where account_id = ${accountId}`,
    ),
  )
  return sums.reduce((sum, [row]) => sum + must(row).bytes, 0)
}
