import { deleteGroup } from '../catalog/settings/stores/groups.ts'
import { settingsLock } from '../accounts/settings-lock.sql.ts'
import { deleteStore } from '../catalog/settings/stores/stores.ts'
import { deleteSupplier } from '../catalog/settings/suppliers/suppliers.ts'
import { priceListsList } from '../catalog/settings/prices/price-lists.sql.ts'
import type { Written } from '../catalog/stale/written.ts'
import { channelsList } from '../channels/channels.sql.ts'
import type { Tx } from '../db/sql.ts'
import { runsOfSupplierCancel } from '../imports/runs/forget.sql.ts'
import { sourcesForgetSupplier } from '../imports/sources/sources.sql.ts'
import { ShelfwireError } from '../platform/errors.ts'
import { endpointsList } from '../webhooks/endpoints/endpoints.sql.ts'
import { trackDeletion } from './operations.sql.ts'

// Deleting stores, suppliers and groups: they disappear at once, and operations delete their rows in steps afterwards.

/**
 * Deletes a store: it can no longer be read; the loop deletes its payloads, log, manual listings and exclusions.
 * @throws ShelfwireError conflict if it is the default store, or an endpoint, a channel file or a price list belongs to it alone.
 */
export async function removeStore(tx: Tx, accountId: number, storeId: number): Promise<Written> {
  // endpoints are created and edited under this lock, so no new one can refer to this store
  await settingsLock(tx, accountId)
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
  const lists = (await priceListsList(tx, accountId)).filter(
    ({ storeIds }) => storeIds?.every((id) => id === storeId) === true,
  )
  if (lists.length > 0)
    throw new ShelfwireError(
      'conflict',
      `price list ${lists.map((row) => row.key).join(', ')} is for this store alone; delete it or give it another store first`,
    )
  const written = await deleteStore(tx, accountId, storeId)
  await trackDeletion(tx, accountId, 'delete_store', storeId)
  return written
}

/** Deletes a supplier and its sources: it is no longer used, its imports end, and the loop deletes its offers and runs. */
export async function removeSupplier(tx: Tx, accountId: number, supplierId: number): Promise<Written> {
  // locked before the supplier, in the order of a request for a run, which locks the source and then the supplier
  await settingsLock(tx, accountId)
  await sourcesForgetSupplier(tx, accountId, supplierId)
  const written = await deleteSupplier(tx, accountId, supplierId)
  await runsOfSupplierCancel(tx, accountId, supplierId)
  await trackDeletion(tx, accountId, 'delete_supplier', supplierId)
  return written
}

/**
 * Deletes a customer group.
 * @throws ShelfwireError conflict if a channel file shows its prices, or a price list belongs to it.
 */
export async function removeGroup(tx: Tx, accountId: number, groupId: number): Promise<Written> {
  // channel files are created and edited under this lock, so no new one can show this group's prices
  await settingsLock(tx, accountId)
  const channels = (await channelsList(tx, accountId)).filter((row) => row.groupId === groupId)
  if (channels.length > 0)
    throw new ShelfwireError(
      'conflict',
      `channel file ${channels.map((row) => row.channelId).join(', ')} shows this group's prices; delete it or give it another group first`,
    )
  const lists = (await priceListsList(tx, accountId)).filter((row) => row.groupId === groupId)
  if (lists.length > 0)
    throw new ShelfwireError(
      'conflict',
      `price list ${lists.map((row) => row.key).join(', ')} is for this group; delete it or give it another group first`,
    )
  return await deleteGroup(tx, accountId, groupId)
}
