import { SUPPLIERS } from '../../../contract/sources.ts'
import { suppliersList, type SupplierRow } from '../../catalog/settings/suppliers.sql.ts'
import { createSupplier, editSupplier, type NewSupplier } from '../../catalog/settings/suppliers.ts'
import { removeSupplier } from '../../operations/removal.ts'
import { collectionRoutes } from './collection.ts'
import { toFields } from './members.ts'

/** /v1/account/suppliers */
export const supplierSources = collectionRoutes<SupplierRow>({
  resource: SUPPLIERS,
  list: suppliersList,
  keyOf: (row) => row.code,
  represent: (row) => ({
    id: row.supplierId,
    code: row.code,
    name: row.name,
    currency: row.currency,
    priority: row.priority,
    safety_buffer: row.safetyBuffer,
    is_active: row.isActive,
  }),
  defaults: { priority: 100, safety_buffer: 0, is_active: true },
  async create(tx, accountId, members) {
    const made = await createSupplier(tx, accountId, toFields<NewSupplier>(members))
    if (members['is_active'] === false) await editSupplier(tx, accountId, made.value, { isActive: false })
    return { ...made, value: members['code'] as string }
  },
  edit: (tx, accountId, row, members) => editSupplier(tx, accountId, row.supplierId, toFields(members)),
  async remove(tx, accountId, row) {
    return removeSupplier(tx, accountId, row.supplierId)
  },
})
