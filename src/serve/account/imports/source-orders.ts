import { SOURCE_ORDERS } from '../../../../contract/account-resources.ts'
import { sourceOrdersList } from '../../../catalog/settings/suppliers/source-orders.sql.ts'
import { setSourceOrder } from '../../../catalog/settings/suppliers/source-orders.ts'
import type { SourceField } from '../../../../contract/product-fields.ts'
import { settingsWritten } from '../../../catalog/stale/written.ts'
import { collection } from '../collection.ts'

/** /v1/account/source-orders */
export const sourceOrders = collection({
  resource: SOURCE_ORDERS,
  list: sourceOrdersList,
  keyOf: (row) => row.field,
  represent: (row) => ({ field: row.field, supplier_ids: row.supplierIds }),
  defaults: {},
  async create(tx, accountId, { field, supplier_ids: supplierIds }) {
    // the path accepts any text, so that an unknown field is a 404; setSourceOrder checks it
    return { ...(await setSourceOrder(tx, accountId, field as SourceField, supplierIds)), value: field }
  },
  async edit(tx, accountId, row, { supplier_ids: supplierIds }) {
    return supplierIds === undefined ? settingsWritten() : setSourceOrder(tx, accountId, row.field, supplierIds)
  },
  remove: (tx, accountId, row) => setSourceOrder(tx, accountId, row.field, []),
})
