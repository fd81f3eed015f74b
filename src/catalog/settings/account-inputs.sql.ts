import type { Tx } from '../../db/sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'

/**
 * Holds what the account's products share to the end of the transaction, so that writes of it take turns. Whoever takes
 * other locks too takes this one first.
 * @throws ShelfwireError unknown-account.
 */
export async function accountInputsLock(tx: Tx, accountId: number): Promise<void> {
  const rows = await tx`select from account_inputs where account_id = ${accountId} for no key update`
  if (rows.length === 0) throw new ShelfwireError('unknown-account', `there is no account ${accountId}`)
}
