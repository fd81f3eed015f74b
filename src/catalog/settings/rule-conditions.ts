import type { Reader } from '../../db/sql.ts'
import { isBlank } from '../../model/blank.ts'
import { ShelfwireError, type Fault } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { Check } from '../../input/check.ts'
import { referencesMissing } from './references.sql.ts'

/** Conditions that all kinds of rules share; null matches anything. */
export interface Conditions {
  storeIds?: readonly number[] | null
  groupIds?: readonly number[] | null
  productIds?: readonly number[] | null
  supplierIds?: readonly number[] | null
  manufacturers?: readonly string[] | null
  categories?: readonly string[] | null
}

/** Field -> its name in messages. */
export const CONDITION_NAMES = {
  storeIds: 'store_ids',
  groupIds: 'group_ids',
  productIds: 'product_ids',
  supplierIds: 'supplier_ids',
  manufacturers: 'manufacturers',
  categories: 'categories',
} as const

/**
 * Validates conditions: an empty list would match nothing, and is more often a mistake than intended. Puts names in
 * their stored form.
 */
export function checkConditions(
  check: Check,
  conditions: Conditions,
  names: Readonly<Record<keyof Conditions, string>> = CONDITION_NAMES,
): void {
  for (const field of ['storeIds', 'groupIds', 'productIds', 'supplierIds'] as const) {
    const ids = conditions[field] ?? null
    if (ids === null) continue
    const name = names[field]
    check.that(
      ids.length > 0 && ids.length <= LIMITS.conditionValuesMax,
      name,
      `must name 1 to ${LIMITS.conditionValuesMax}, or be left out to take any`,
    )
    check.that(
      ids.every((id) => Number.isSafeInteger(id) && id > 0),
      name,
      'must be ids',
    )
    check.that(new Set(ids).size === ids.length, name, 'must name each once')
  }
  for (const field of ['manufacturers', 'categories'] as const) {
    const values = conditions[field] ?? null
    if (values === null) continue
    const name = names[field]
    check.that(
      values.length > 0 && values.length <= LIMITS.conditionValuesMax,
      name,
      `must name 1 to ${LIMITS.conditionValuesMax}, or be left out to take any`,
    )
    const max = field === 'categories' ? LIMITS.categoryLengthMax : LIMITS.nameLengthMax
    conditions[field] = values.map((value, i) => {
      const text = check.text(`${name}.${i}`, value, max)
      check.that(!isBlank(value.replaceAll('/', '')), `${name}.${i}`, 'must name something')
      return text
    })
  }
}

/** Refuses ids that the account does not have: a rule that matches nothing is a mistake. */
export async function requireNamed(
  reader: Reader,
  accountId: number,
  conditions: Conditions,
  names: Readonly<Record<keyof Conditions, string>> = CONDITION_NAMES,
): Promise<void> {
  const missing = await referencesMissing(reader, accountId, {
    storeIds: conditions.storeIds ?? [],
    groupIds: conditions.groupIds ?? [],
    productIds: conditions.productIds ?? [],
    supplierIds: conditions.supplierIds ?? [],
  })
  const faults: Fault[] = missing.map(({ kind, id }) => ({
    name: names[kind],
    reason: `the account has no ${NOUNS[kind]} ${id}`,
  }))
  const [first] = faults
  if (first !== undefined) throw new ShelfwireError('unknown-reference', first.reason, { faults: faults.slice(0, 20) })
}

const NOUNS = { storeIds: 'store', groupIds: 'customer group', productIds: 'product', supplierIds: 'supplier' } as const
