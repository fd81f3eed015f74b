import type { ChangedMembers } from '../../../../contract/account-resource.ts'
import { STORES } from '../../../../contract/account-resources.ts'
import { storesList, type StoreRow } from '../../../catalog/settings/stores/stores.sql.ts'
import { createStore, editStore, makeDefaultStore } from '../../../catalog/settings/stores/stores.ts'
import type { Tx } from '../../../db/sql.ts'
import { ShelfwireError } from '../../../platform/errors.ts'
import { removeStore } from '../../../operations/removal.ts'
import { settingsWritten, type Written } from '../../../catalog/stale/written.ts'
import { collection } from '../collection.ts'
import { toFields } from '../member-names.ts'

/** /v1/account/stores */
export const stores = collection({
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
    tax_country: row.taxCountry,
    prices_include_tax: row.pricesIncludeTax,
  }),
  defaults: { is_active: true, lists_by_default: true, tax_country: null, prices_include_tax: false },
  async create(tx, accountId, { is_active: isActive, is_default: isDefault, ...members }) {
    const made = await createStore(tx, accountId, toFields(members))
    const row = (await storesList(tx, accountId)).find((store) => store.storeId === made.value)
    if (row !== undefined)
      await edit(tx, accountId, row, {
        ...(isActive === undefined ? {} : { is_active: isActive }),
        ...(isDefault === undefined ? {} : { is_default: isDefault }),
      })
    return { ...made, value: members.slug }
  },
  edit,
  async remove(tx, accountId, row) {
    return removeStore(tx, accountId, row.storeId)
  },
})

type Changes = ChangedMembers<typeof STORES, 'is_active' | 'lists_by_default' | 'tax_country' | 'prices_include_tax'>

async function edit(tx: Tx, accountId: number, row: StoreRow, members: Changes): Promise<Written> {
  const { is_default: isDefault, ...changes } = members
  if (isDefault === false && row.isDefault) {
    throw new ShelfwireError('conflict', 'one store is always the default; make another store the default instead', {
      faults: [{ name: 'is_default', reason: 'cannot be removed' }],
    })
  }
  const isMoved = isDefault === true && !row.isDefault
  const fields = toFields(changes)
  // activated first: the default store must be active
  if (Object.entries(fields).some(([name, value]) => value !== undefined && value !== row[name as keyof StoreRow]))
    await editStore(tx, accountId, row.storeId, fields)
  if (isMoved) await makeDefaultStore(tx, accountId, row.storeId)
  return settingsWritten()
}
