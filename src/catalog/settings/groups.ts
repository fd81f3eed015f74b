import type { Tx } from '../../db/sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { Check } from '../../input/check.ts'
import { sweepAppend } from '../stale/sweeps.sql.ts'
import { groupDelete, groupInsert, groupRename, groupsList } from './groups.sql.ts'
import { pricingRulesForgetGroup } from './pricing-rules.sql.ts'
import { found } from './require-found.ts'

// Each of these moves payloads of a whole account, so each appends a sweep in the transaction that writes it.

/** Opens a customer group: every store shows one price per group. */
export async function createGroup(tx: Tx, accountId: number, name: string, isDefault = false): Promise<number> {
  const check = new Check()
  check.text('name', name, LIMITS.nameLengthMax)
  check.done('customer group')
  if ((await groupsList(tx, accountId)).length >= LIMITS.groupsPerAccountMax) {
    throw new ShelfwireError('conflict', `an account has at most ${LIMITS.groupsPerAccountMax} customer groups`)
  }
  const groupId = await groupInsert(tx, accountId, name, isDefault)
  await sweepAppend(tx, accountId, 'customer group created', { half: 'price' })
  return groupId
}

export async function renameGroup(tx: Tx, accountId: number, groupId: number, name: string): Promise<void> {
  const check = new Check()
  check.text('name', name, LIMITS.nameLengthMax)
  check.done('customer group')
  found(await groupRename(tx, accountId, groupId, name), `customer group ${groupId}`)
  await sweepAppend(tx, accountId, 'customer group renamed', { half: 'price' })
}

/** Deletes a group and takes it out of all rules; rules for it alone go with it. The default group cannot be deleted. */
export async function deleteGroup(tx: Tx, accountId: number, groupId: number): Promise<void> {
  found(await groupDelete(tx, accountId, groupId), `customer group ${groupId} that can be deleted`)
  await pricingRulesForgetGroup(tx, accountId, groupId)
  await sweepAppend(tx, accountId, 'customer group deleted', { half: 'price' })
}
