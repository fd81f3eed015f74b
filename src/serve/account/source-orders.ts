import type { SourceField } from '../../../contract/product-fields.ts'
import { SOURCE_ORDERS } from '../../../contract/sources.ts'
import { sourceOrdersList } from '../../catalog/settings/source-orders.sql.ts'
import { setSourceOrder } from '../../catalog/settings/source-orders.ts'
import { settingsWritten } from '../../catalog/stale/written.ts'
import type { SourceOrderInput } from '../../resolve/inputs.ts'
import { collectionRoutes } from './collection.ts'

/** /v1/account/source-orders */
export const sourceOrderSources = collectionRoutes<SourceOrderInput>({
  resource: SOURCE_ORDERS,
  list: sourceOrdersList,
  keyOf: (row) => row.field,
  represent: (row) => ({ field: row.field, supplier_ids: row.supplierIds }),
  defaults: {},
  async create(tx, accountId, members) {
    const field = members['field'] as SourceField
    return { ...(await setSourceOrder(tx, accountId, field, members['supplier_ids'] as number[])), value: field }
  },
  async edit(tx, accountId, row, { supplier_ids: supplierIds }) {
    if (supplierIds === undefined) return settingsWritten()
    return setSourceOrder(tx, accountId, row.field, supplierIds as number[])
  },
  remove: (tx, accountId, row) => setSourceOrder(tx, accountId, row.field, []),
})
