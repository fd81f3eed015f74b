import { Check } from '../../catalog/check.ts'
import { marksAppend } from '../../catalog/marks/store.ts'
import type { Tx } from '../../db/sql.ts'
import { holdsConfirm } from './store.ts'

/**
 * Lets held prices of these products (null: of all) through. What is then resolved is shown whatever it was before, unless
 * it has moved by more than the factor again since it was held.
 * @param wanted one price of one store and group, as it was seen; anything else that is held stays.
 * @returns the products whose prices that alters.
 */
export async function confirmPrices(
  tx: Tx,
  accountId: number,
  productIds: readonly number[] | null,
  wanted: { storeId: number; groupId: number; price: string } | null = null,
): Promise<number[]> {
  const check = new Check()
  if (wanted !== null) check.decimal('price', wanted.price, { min: 0, integerDigits: 18, fractionDigits: 6 })
  check.done('confirmation')
  const confirmed = await holdsConfirm(tx, accountId, productIds, wanted)
  await marksAppend(tx, accountId, confirmed)
  return confirmed
}
