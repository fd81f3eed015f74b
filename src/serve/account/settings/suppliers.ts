import { SUPPLIERS } from '../../../../contract/supplier-resource.ts'
import { suppliersList } from '../../../catalog/settings/suppliers/suppliers.sql.ts'
import { createSupplier, DEFAULT_LIMITS, editSupplier } from '../../../catalog/settings/suppliers/suppliers.ts'
import { removeSupplier } from '../../../operations/removal.ts'
import { collection } from '../collection.ts'
import { toDecimals } from '../decimals.ts'
import { toFields, toMembers } from '../member-names.ts'

const DECIMALS = [
  'zeroed_share_max',
  'refused_share_max',
  'prices_lost_share_max',
  'prices_zero_share_max',
  'prices_jump_share_max',
  'prices_jump_factor',
  'emptied_share_max',
  'swapped_share_max',
] as const

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
    cost_tax_country: row.costTaxCountry,
    list_price_tax: row.listPriceTax,
    zeroed_share_max: row.zeroedShareMax,
    refused_share_max: row.refusedShareMax,
    prices_lost_share_max: row.pricesLostShareMax,
    prices_zero_share_max: row.pricesZeroShareMax,
    prices_jump_share_max: row.pricesJumpShareMax,
    prices_jump_factor: row.pricesJumpFactor,
    emptied_share_max: row.emptiedShareMax,
    swapped_share_max: row.swappedShareMax,
    silent_days_max: row.silentDaysMax,
  }),
  defaults: {
    priority: 100,
    safety_buffer: 0,
    is_active: true,
    cost_tax_country: null,
    list_price_tax: null,
    ...toMembers(DEFAULT_LIMITS),
  },
  async create(tx, accountId, { is_active: isActive, ...rest }) {
    const made = await createSupplier(tx, accountId, toFields(toDecimals(rest, DECIMALS)))
    if (!isActive) await editSupplier(tx, accountId, made.value, { isActive: false })
    return { ...made, value: rest.code }
  },
  edit: (tx, accountId, row, members) =>
    editSupplier(tx, accountId, row.supplierId, toFields(toDecimals(members, DECIMALS))),
  async remove(tx, accountId, row) {
    return removeSupplier(tx, accountId, row.supplierId)
  },
})
