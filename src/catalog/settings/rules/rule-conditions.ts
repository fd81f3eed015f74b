import { camel } from '../../../../contract/field-names.ts'
import {
  EVERY_CONDITION,
  PRICING_CONDITIONS,
  type AnyConditions,
  type Condition,
  type ConditionValue,
  type Form,
  type LongConditionsOf,
  type ReferenceFact,
} from '../../../../contract/rule-conditions.ts'
import { requireRoom } from '../../../accounts/limits/limits.ts'
import type { Reader } from '../../../db/sql.ts'
import { isBlank } from '../../../model/blank.ts'
import { ShelfwireError, type Fault } from '../../../platform/errors.ts'
import { LIMITS } from '../../../platform/limits.ts'
import type { Check } from '../../../input/check.ts'
import { BOUNDS, compareDecimals, readDecimal } from '../../../input/decimal.ts'
import { readDay } from '../../../input/day.ts'
import { referencesMissing } from './references.sql.ts'
import { ruleValueBytes } from './rule-rows.sql.ts'

/** The names of conditions in messages, where these are not the conditions' own names. */
type Names = Readonly<Partial<Record<Condition['name'], string>>>

interface Given {
  check: Check
  condition: Condition
  name: string
  value: ConditionValue
  /** The lower bound that belongs to an upper one, in its stored form. */
  least: string | null
}

/** Checks a value of each form. @returns it in its stored form. */
const CHECKS: Readonly<Record<Form, (given: Given) => ConditionValue>> = {
  ids: ({ check, name, value }) => {
    const ids = value as readonly number[]
    checkCount(check, name, ids)
    check.that(
      ids.every((id) => Number.isSafeInteger(id) && id > 0),
      name,
      'must be ids',
    )
    check.that(new Set(ids).size === ids.length, name, 'must name each once')
    return ids
  },
  names: (given) => checkTexts(given, LIMITS.nameLengthMax),
  paths: (given) => checkTexts(given, LIMITS.categoryLengthMax),
  number: ({ check, condition: { digits, bound, lower }, name, value, least }) => {
    const verdict = readDecimal(value, { ...BOUNDS.amount, ...digits })
    if (bound === 'below' && 'value' in verdict)
      check.that(
        compareDecimals(verdict.value, least ?? '0') > 0,
        name,
        lower === undefined ? 'must be above 0' : `must be above ${lower}, and above 0`,
      )
    // a faulty lower bound counts as 0 in comparisons
    return check.take(name, verdict, '0')
  },
  day: ({ check, condition: { lower }, name, value, least }) => {
    const day = check.take(name, readDay(value), String(value))
    if (lower !== undefined && least !== null) check.that(least <= day, name, `must not lie before ${lower}`)
    return day
  },
}

/** An empty list would match nothing, and is more often a mistake than intended. */
function checkCount(check: Check, name: string, values: readonly unknown[]): void {
  check.that(
    values.length > 0 && values.length <= LIMITS.conditionValuesMax,
    name,
    `must name 1 to ${LIMITS.conditionValuesMax}, or be left out to take any`,
  )
}

function checkTexts({ check, name, value }: Given, lengthMax: number): readonly string[] {
  const texts = value as readonly string[]
  checkCount(check, name, texts)
  return texts.map((text, i) => {
    const stored = check.text(`${name}.${i}`, text, lengthMax)
    check.that(!isBlank(text.replaceAll('/', '')), `${name}.${i}`, 'must name something')
    return stored
  })
}

/** Validates the values that a rule has for conditions, and puts them in their stored form. */
export function checkConditions(check: Check, rule: AnyConditions, names: Names = {}): void {
  // the table of conditions says which field has which kind of value
  const values = rule as Record<string, ConditionValue | null | undefined>
  for (const condition of EVERY_CONDITION) {
    const { name, field, lower } = condition
    const value = values[field] ?? null
    if (value === null) continue
    const least = lower === undefined ? null : ((values[camel(lower)] ?? null) as string | null)
    values[field] = CHECKS[condition.form]({ check, condition, name: names[name] ?? name, value, least })
  }
}

/** Refuses ids that the account does not have: a rule that matches nothing is a mistake. */
export async function requireNamed(
  reader: Reader,
  accountId: number,
  rule: AnyConditions,
  names: Names = {},
): Promise<void> {
  const given = EVERY_CONDITION.flatMap(({ name, field, fact, form }) =>
    form === 'ids' ? [{ name: names[name] ?? name, fact, ids: (rule[field] ?? []) as readonly number[] }] : [],
  )
  const missing = await referencesMissing(reader, accountId, given)
  const faults: Fault[] = missing
    .slice(0, FAULTS_MAX)
    .flatMap(({ fact, id }) =>
      given
        .filter((condition) => condition.fact === fact && condition.ids.includes(id))
        .map(({ name }) => ({ name, reason: `the account has no ${NOUNS[fact]} ${id}` })),
    )
  const [first] = faults
  if (first !== undefined) throw new ShelfwireError('unknown-reference', first.reason, { faults })
}

/** The most faults of one kind that an answer names. */
const FAULTS_MAX = 20
const NOUNS: Readonly<Record<ReferenceFact, string>> = {
  store: 'store',
  group: 'customer group',
  product: 'product',
  supplier: 'supplier',
}

/** The lists of values in a rule of any kind. */
type ValueLists = Partial<LongConditionsOf<'pricing'>> & { names?: readonly string[] | null }
const LISTS = [...PRICING_CONDITIONS.filter(({ isLong }) => isLong).map(({ field }) => field), 'names'] as const

/**
 * Refuses lists of values for which the account's budget has no room; an edit that takes no more room than before is
 * always accepted.
 * @param old the rule before the edit; undefined: it is new.
 * @throws ShelfwireError quota-exceeded
 */
export async function requireValueRoom(
  reader: Reader,
  accountId: number,
  rule: ValueLists,
  old: ValueLists | undefined,
): Promise<void> {
  const more = valueBytes(rule) - (old === undefined ? 0 : valueBytes(old))
  if (more <= 0) return
  const taken = await ruleValueBytes(reader, accountId)
  await requireRoom(reader, accountId, 'rule_bytes', taken, more)
}

function valueBytes(rule: ValueLists): number {
  const values = LISTS.flatMap((field) => (rule as Record<string, readonly (string | number)[] | null>)[field] ?? [])
  return values.reduce<number>(
    (sum, value) => sum + LIMITS.ruleValueBytes + (typeof value === 'string' ? Buffer.byteLength(value) : 0),
    0,
  )
}
