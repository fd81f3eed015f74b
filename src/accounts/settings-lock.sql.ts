import type { Tx } from '../db/sql.ts'
import { ShelfwireError } from '../platform/errors.ts'

// Level 3 of the lock order. docs/lock-order.md lists all levels with the functions that take them; every transaction takes its locks in that
// order and never in reverse. test/catalog/locks.full.pg.test.ts runs conflicting writers and expects no deadlock.
// docs/decisions/059-one-order-of-locks.md says why.

/**
 * Locks the account's settings (stores, suppliers, groups, rates, rules, categories, attribute definitions, source orders,
 * endpoints, members, tokens) until the end of the transaction. Every function that writes one takes this lock first: so writers of
 * settings run one at a time, limits and preconditions are checked against the present rows, and writers never deadlock.
 *
 * The locked row is the account's in account_inputs and not in account: on Citus account is a reference table, where a row lock
 * keeps out all writers of all accounts.
 * @throws ShelfwireError unknown-account.
 */
export async function settingsLock(tx: Tx, accountId: number): Promise<void> {
  const rows = await tx`select from account_inputs where account_id = ${accountId} for no key update`
  if (rows.length === 0) throw new ShelfwireError('unknown-account', `there is no account ${accountId}`)
}
