import { requireRoom } from '../../accounts/limits/limits.ts'
import type { Tx } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import { Check } from '../../input/check.ts'
import { sweepAppend } from '../stale/sweeps.sql.ts'
import { settingsWritten, type Written } from '../stale/written.ts'
import { settingsLock } from '../../accounts/settings-lock.sql.ts'
import { groupDelete, groupInsert, groupRename, groupsList } from './groups.sql.ts'
import { pricingRulesForgetGroup } from './pricing-rules.sql.ts'
import { requireFound } from './require-found.ts'

// Each of these writes can change all payloads of an account, so each appends a sweep in its transaction.

/** Creates a customer group: every payload gets a price for it. @throws ShelfwireError invalid-input, quota-exceeded. */
export async function createGroup(
  tx: Tx,
  accountId: number,
  name: string,
  isDefault = false,
): Promise<Written<number>> {
  await settingsLock(tx, accountId)
  const check = new Check()
  const text = check.text('name', name, LIMITS.nameLengthMax)
  check.done('customer group')
  await requireRoom(tx, accountId, 'groups', (await groupsList(tx, accountId)).length)
  const groupId = await groupInsert(tx, accountId, text, isDefault)
  await sweepAppend(tx, accountId, 'customer group created', { half: 'price' })
  return settingsWritten(groupId)
}

/** Renames a group; payloads show its name. @throws ShelfwireError invalid-input, unknown-reference; conflict for an existing name. */
export async function renameGroup(tx: Tx, accountId: number, groupId: number, name: string): Promise<Written> {
  await settingsLock(tx, accountId)
  const check = new Check()
  const text = check.text('name', name, LIMITS.nameLengthMax)
  check.done('customer group')
  requireFound(await groupRename(tx, accountId, groupId, text), `customer group ${groupId}`)
  await sweepAppend(tx, accountId, 'customer group renamed', { half: 'price' })
  return settingsWritten()
}

/**
 * Deletes a group and removes it from all rules; rules for it alone are deleted. The default group cannot be deleted. Callers
 * use removeGroup (src/operations/removal.ts), which also checks channel files.
 */
export async function deleteGroup(tx: Tx, accountId: number, groupId: number): Promise<Written> {
  await settingsLock(tx, accountId)
  requireFound(await groupDelete(tx, accountId, groupId), `customer group ${groupId} that can be deleted`)
  await pricingRulesForgetGroup(tx, accountId, groupId)
  await sweepAppend(tx, accountId, 'customer group deleted', { half: 'price' })
  return settingsWritten()
}
