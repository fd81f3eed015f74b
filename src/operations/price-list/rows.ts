import { BOUNDS, readDecimal } from '../../input/decimal.ts'
import { readId } from '../../input/whole.ts'
import type { Fault } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { minorDigits } from '../../model/money.ts'
import { openYielding } from '../../platform/turns/yielding.ts'
import { PRODUCT_KEY_MEMBERS, readProductKey, type ProductKey } from '../bulk/product-key.ts'
import { Row } from '../bulk/row.ts'
import type { Verdict } from '../../input/verdict.ts'

/** A row of a price list, as sent. */
export interface EntryRow {
  /** How faults name it, such as `entries.3` or `line 4`. */
  at: string
  key: ProductKey
  /** 0: the group of the list, or every group if it has none. */
  groupId: number
  /** Decimal text; null removes the entry. */
  amount: string | null
  /** The amount that must be present, null for none; undefined: any. */
  expected?: string | null | undefined
}

const MEMBERS = new Set([...PRODUCT_KEY_MEMBERS, 'group_id', 'price', 'expected'])

/**
 * Reads a price of a list.
 * @param currency of the list; it limits the number of decimals.
 * @param shown the text for error messages, if the price was written in another notation
 */
export function readPrice(given: unknown, currency: string, shown: unknown = given): Verdict<string> {
  const verdict = readDecimal(given, { whole: BOUNDS.amount.whole, fraction: minorDigits(currency), min: '0' }, shown)
  return 'value' in verdict && verdict.value === '0'
    ? { reason: 'must be above 0: a rule with fixed_price 0 gives products away' }
    : verdict
}

/** Reads rows {product_id or sku or ean, group_id, price, expected} of a body. @returns the valid rows, and the faults of the others. */
export async function readEntryRows(
  sent: readonly unknown[],
  currency: string,
): Promise<{ rows: EntryRow[]; faults: Fault[] }> {
  const rows: EntryRow[] = []
  const faults: Fault[] = []
  const turn = openYielding()
  for (const [i, given] of sent.entries()) {
    const at = `entries.${i}`
    const members = new Row(given, MEMBERS)
    const key = readProductKey(members)
    members.need('price')
    const groupId = members.readOrNull('group_id', readId) ?? 0
    const amount = members.readOrNull('price', (price) => readPrice(price, currency)) ?? null
    const expected = members.amount('expected')
    if (members.isGood && key !== undefined) rows.push({ at, key, groupId, amount, expected })
    for (const { name, reason } of members.faults)
      if (faults.length < LIMITS.faultsMax) faults.push({ name: `${at}.${name}`, reason })
    const others = turn()
    if (others !== null) await others
  }
  return { rows, faults }
}
