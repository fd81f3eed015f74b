import type { Tx } from '../db/sql.ts'
import { ShelfwireError } from '../platform/errors.ts'

// THE LOCK ORDER. Every transaction takes the locks it needs in this order and never in reverse. docs/lock-order.md
// says who takes which and why; test/catalog/locks.full.pg.test.ts enforces it.
// docs/decisions/059-one-order-of-locks.md says why.
//
//  1. idempotency key        keyTake
//  2. operation              workLockNext
//  3. settings of the account settingsLock (row of account_inputs), then rows of settings in any order
//  4. endpoint                endpointLock
//  5. suppliers by id        supplierLockShared, suppliersLockShared
//  6. offers by supplier and key   offersLock, offerPricesLock
//  7. creators of products   productCreatorsLock
//  8. products by id         productsLockShared, productsLockExclusive, productsLockForUpdate, productsLock
//  9. rows of products by key own stock, overrides, listings, exclusions, EANs, payloads
// 10. pictures by url_hash   imagesLockShared; imagesLock and imagesLockForRemoval by the mirror
// 11. change counter         changesWrite, held to the commit

/**
 * Locks the account's settings (stores, suppliers, groups, rates, rules, categories, attribute definitions, source orders,
 * endpoints, members, tokens) to the end of the transaction. Every function that writes one locks first: writers of settings run
 * one at a time, limits and preconditions are checked against the present rows, and no two of them can deadlock.
 *
 * The lock is the account's row in account_inputs and not in account: on Citus the latter is in a reference table, where a row lock
 * keeps out all writers of all accounts.
 * @throws ShelfwireError unknown-account.
 */
export async function settingsLock(tx: Tx, accountId: number): Promise<void> {
  const rows = await tx`select from account_inputs where account_id = ${accountId} for no key update`
  if (rows.length === 0) throw new ShelfwireError('unknown-account', `there is no account ${accountId}`)
}
