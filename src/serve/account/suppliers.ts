import { SUPPLIERS } from '../../../contract/account-resources.ts'
import { suppliersList } from '../../catalog/settings/suppliers.sql.ts'
import { createSupplier, editSupplier } from '../../catalog/settings/suppliers.ts'
import { removeSupplier } from '../../operations/removal.ts'
import { collection } from './collection.ts'
import { toFields } from './member-names.ts'

/** /v1/account/suppliers */
export const suppliers = collection({
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
  async create(tx, accountId, { is_active: isActive, ...rest }) {
    const made = await createSupplier(tx, accountId, toFields(rest))
    if (!isActive) await editSupplier(tx, accountId, made.value, { isActive: false })
    return { ...made, value: rest.code }
  },
  edit: (tx, accountId, row, members) => editSupplier(tx, accountId, row.supplierId, toFields(members)),
  async remove(tx, accountId, row) {
    return removeSupplier(tx, accountId, row.supplierId)
  },
})
