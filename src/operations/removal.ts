import { accountLock } from '../accounts/accounts.sql.ts'
import { deleteGroup } from '../catalog/settings/groups.ts'
import { deleteStore } from '../catalog/settings/stores.ts'
import { deleteSupplier } from '../catalog/settings/suppliers.ts'
import { channelsList } from '../channels/channels.sql.ts'
import type { Tx } from '../db/sql.ts'
import { ShelfwireError } from '../platform/errors.ts'
import { endpointsList } from '../webhooks/endpoints/endpoints.sql.ts'
import { trackDeletion } from './operations.sql.ts'

// Removals: a resource is gone at once, by a timestamp, and its rows are deleted step by step afterwards.

/**
 * Deletes a store: from now on nobody reads it; its payloads, log and by-hand rows are deleted by the loop.
 * @throws ShelfwireError conflict while it is the default, or an endpoint or a channel file is for it alone.
 */
export async function removeStore(tx: Tx, accountId: number, storeId: number): Promise<void> {
  // endpoints are made and edited under this lock: none comes to be for this store meanwhile
  await accountLock(tx, accountId)
  const endpoints = (await endpointsList(tx, accountId)).filter((row) => row.storeId === storeId)
  if (endpoints.length > 0) {
    throw new ShelfwireError(
      'conflict',
      `webhook endpoint ${endpoints.map((row) => row.endpointId).join(', ')} is for this store alone; delete it or have it listen to all stores first`,
    )
  }
  const channels = (await channelsList(tx, accountId)).filter((row) => row.storeId === storeId)
  if (channels.length > 0)
    throw new ShelfwireError(
      'conflict',
      `channel file ${channels.map((row) => row.channelId).join(', ')} is of this store; delete it first`,
    )
  await deleteStore(tx, accountId, storeId)
  await trackDeletion(tx, accountId, 'delete_store', storeId)
}

/** Deletes a supplier: it counts nowhere from now on; its offers are deleted by the loop. */
export async function removeSupplier(tx: Tx, accountId: number, supplierId: number): Promise<void> {
  await deleteSupplier(tx, accountId, supplierId)
  await trackDeletion(tx, accountId, 'delete_supplier', supplierId)
}

/**
 * Deletes a customer group.
 * @throws ShelfwireError conflict while a channel file shows its prices.
 */
export async function removeGroup(tx: Tx, accountId: number, groupId: number): Promise<void> {
  const channels = (await channelsList(tx, accountId)).filter((row) => row.groupId === groupId)
  if (channels.length > 0)
    throw new ShelfwireError(
      'conflict',
      `channel file ${channels.map((row) => row.channelId).join(', ')} shows this group's prices; delete it or give it another group first`,
    )
  await deleteGroup(tx, accountId, groupId)
}
