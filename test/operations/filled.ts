import { createFilledAccount, fillProducts, type FilledAccount } from '../../bench/fill.ts'
import { sweepAppend } from '../../src/catalog/stale/sweeps.sql.ts'
import { productIdsAfter } from '../../src/catalog/products/products.sql.ts'
import { inTransaction } from '../../src/db/sql.ts'
import type { Bench } from '../harness/account.ts'

export interface Filled extends FilledAccount {
  /** Ascending. */
  ids: number[]
}

/** An account with one store and shelved products, whose keys are N-000000001 and so on. */
export async function filled(bench: Bench, name: string, products: number): Promise<Filled> {
  const { db, shelf } = bench
  const account = await createFilledAccount(db, name, 1)
  await fillProducts(db, account, products)
  await inTransaction(db, (tx) => sweepAppend(tx, account.accountId, 'filled'))
  await shelf.drain(account.accountId)
  return { ...account, ids: await productIdsAfter(db, account.accountId, 0, products) }
}

export const skuOf = (n: number) => `N-${String(n).padStart(9, '0')}`
