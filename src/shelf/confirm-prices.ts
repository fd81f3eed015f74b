import { Check } from '../input/check.ts'
import { BOUNDS } from '../input/decimal.ts'
import { marksAppend } from '../catalog/stale/marks.sql.ts'
import { sweepAppend } from '../catalog/stale/sweeps.sql.ts'
import { productsWritten, settingsWritten, type Written } from '../catalog/stale/written.ts'
import { settingsLock } from '../accounts/settings-lock.sql.ts'
import { productsLockExclusive } from '../catalog/products/products.sql.ts'
import type { Tx } from '../db/sql.ts'
import { holdsConfirm, holdsConfirmAll } from './payloads/price-holds.sql.ts'

/**
 * Confirms held prices of these products: the wanted prices are shown, unless they have changed again by more than the
 * jump factor.
 * @param wanted limits the confirmation to the price of one store and group, provided that it is still the wanted
 * price.
 */
export async function confirmPrices(
  tx: Tx,
  accountId: number,
  productIds: readonly number[],
  wanted: { storeId: number; groupId: number; price: string } | null = null,
): Promise<Written> {
  const check = new Check()
  if (wanted !== null) check.decimal('price', wanted.price, BOUNDS.heldPrice)
  check.done('confirmation')
  await productsLockExclusive(tx, accountId, productIds)
  const confirmed = await holdsConfirm(tx, accountId, productIds, wanted)
  await marksAppend(tx, accountId, confirmed)
  return productsWritten(confirmed)
}

/** Confirms every held price of the account and appends a price sweep. @returns the number of prices confirmed. */
export async function confirmAllPrices(tx: Tx, accountId: number): Promise<Written<number>> {
  await settingsLock(tx, accountId)
  const confirmed = await holdsConfirmAll(tx, accountId)
  if (confirmed > 0) await sweepAppend(tx, accountId, 'held prices confirmed', { half: 'price' })
  return settingsWritten(confirmed)
}
