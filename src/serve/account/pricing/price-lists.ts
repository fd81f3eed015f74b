import { PRICE_LISTS } from '../../../../contract/price-list-resource.ts'
import { priceListsList } from '../../../catalog/settings/prices/price-lists.sql.ts'
import { createPriceList, deletePriceList, editPriceList } from '../../../catalog/settings/prices/price-lists.ts'
import { collection } from '../collection.ts'
import { toFields } from '../member-names.ts'

/** /v1/account/price-lists; their entries are in price-list-entries.ts. */
export const priceLists = collection({
  resource: PRICE_LISTS,
  list: priceListsList,
  keyOf: (row) => row.key,
  represent: (row) => ({
    key: row.key,
    name: row.name,
    currency: row.currency,
    store_ids: row.storeIds === null ? null : [...row.storeIds],
    group_id: row.groupId,
    valid_from: row.validFrom,
    valid_to: row.validTo,
    priority: row.priority,
    is_active: row.isActive,
  }),
  defaults: { store_ids: null, group_id: null, valid_from: null, valid_to: null, priority: 100, is_active: true },
  create: async (tx, accountId, members) => ({
    ...(await createPriceList(tx, accountId, toFields(members))),
    value: members.key,
  }),
  edit: (tx, accountId, row, members) => editPriceList(tx, accountId, row.key, toFields(members)),
  remove: (tx, accountId, row) => deletePriceList(tx, accountId, row.key),
})
