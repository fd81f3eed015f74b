import { STORES } from '../../../contract/sources.ts'
import { storesList, type StoreRow } from '../../catalog/settings/stores.sql.ts'
import { createStore, editStore, makeDefaultStore, type NewStore } from '../../catalog/settings/stores.ts'
import { settingsWritten, type Written } from '../../catalog/stale/written.ts'
import type { Tx } from '../../db/sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { removeStore } from '../../operations/removal.ts'
import { collectionRoutes, type Members } from './collection.ts'
import { toFields } from './members.ts'

/** /v1/account/stores */
export const storeSources = collectionRoutes<StoreRow>({
  resource: STORES,
  list: storesList,
  keyOf: (row) => row.slug,
  represent: (row) => ({
    id: row.storeId,
    slug: row.slug,
    name: row.name,
    locale: row.locale,
    currency: row.currency,
    is_active: row.isActive,
    is_default: row.isDefault,
    lists_by_default: row.listsByDefault,
  }),
  defaults: { is_active: true, lists_by_default: true },
  async create(tx, accountId, members) {
    const made = await createStore(tx, accountId, toFields<NewStore>(members))
    const row = (await storesList(tx, accountId)).find((store) => store.storeId === made.value)
    if (row !== undefined)
      await edit(tx, accountId, row, { is_active: members['is_active'], is_default: members['is_default'] })
    return { ...made, value: members['slug'] as string }
  },
  edit,
  async remove(tx, accountId, row) {
    return removeStore(tx, accountId, row.storeId)
  },
})

async function edit(tx: Tx, accountId: number, row: StoreRow, members: Members): Promise<Written> {
  const { is_default: isDefault, ...changes } = members
  if (isDefault === false && row.isDefault) {
    throw new ShelfwireError('conflict', 'one store is always the default; make another store the default instead', {
      faults: [{ name: 'is_default', reason: 'cannot be taken away' }],
    })
  }
  const isMoved = isDefault === true && !row.isDefault
  const fields = toFields<Parameters<typeof editStore>[3]>(changes)
  // active before it becomes the default
  if (Object.entries(fields).some(([name, value]) => value !== undefined && value !== row[name as keyof StoreRow]))
    await editStore(tx, accountId, row.storeId, fields)
  if (isMoved) await makeDefaultStore(tx, accountId, row.storeId)
  return settingsWritten()
}
