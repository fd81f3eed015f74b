import type { Tx } from '../../../db/sql.ts'
import { LIMITS } from '../../../platform/limits.ts'
import { Check } from '../../../input/check.ts'
import { requireNamed } from '../../settings/rules/rule-conditions.ts'
import { marksAppend } from '../../stale/marks.sql.ts'
import { productsWritten, type Written } from '../../stale/written.ts'
import { EVERY_STORE, productExclusionsWrite } from './exclusions.sql.ts'
import { productsLockExclusive } from '../products.sql.ts'
import { requireProducts } from '../require-products.ts'

/** Excludes products manually, in one store or (null) in all, with a reason that clients can read. */
export async function excludeProducts(
  tx: Tx,
  accountId: number,
  storeId: number | null,
  productIds: readonly number[],
  reason = 'manual',
): Promise<Written> {
  const check = new Check()
  const text = check.text('reason', reason, LIMITS.nameLengthMax)
  check.done('exclusion')
  await requireProducts(tx, accountId, productIds)
  if (storeId !== null) await requireNamed(tx, accountId, { storeIds: [storeId] })
  const rows = [...new Set(productIds)].map((productId) => ({
    productId,
    storeId: storeId ?? EVERY_STORE,
    reason: text,
  }))
  const changed = await productExclusionsWrite(tx, accountId, rows)
  await marksAppend(tx, accountId, changed)
  return productsWritten(changed)
}

/** Removes manual exclusions for one store, or those for all stores. */
export async function includeProducts(
  tx: Tx,
  accountId: number,
  storeId: number | null,
  productIds: readonly number[],
): Promise<Written> {
  const locked = await productsLockExclusive(tx, accountId, productIds)
  const changed = await productExclusionsWrite(
    tx,
    accountId,
    locked.map((productId) => ({ productId, storeId: storeId ?? EVERY_STORE, reason: null })),
  )
  await marksAppend(tx, accountId, changed)
  return productsWritten(changed)
}
