import { GROUPS } from '../../../../contract/account-resources.ts'
import { groupsList } from '../../../catalog/settings/stores/groups.sql.ts'
import { createGroup, editGroup } from '../../../catalog/settings/stores/groups.ts'
import { ShelfwireError } from '../../../platform/errors.ts'
import { removeGroup } from '../../../operations/removal.ts'
import { collection } from '../collection.ts'
import { toFields } from '../member-names.ts'

/** /v1/account/groups */
export const groups = collection({
  resource: GROUPS,
  list: groupsList,
  keyOf: (row) => row.groupId,
  represent: (row) => ({
    id: row.groupId,
    is_default: row.isDefault,
    name: row.name,
    tax_country: row.taxCountry,
    prices_include_tax: row.pricesIncludeTax,
  }),
  defaults: { tax_country: null, prices_include_tax: null },
  create: (tx, accountId, { name, ...tax }) => createGroup(tx, accountId, name, false, toFields(tax)),
  edit: (tx, accountId, row, members) => editGroup(tx, accountId, row.groupId, toFields(members)),
  async remove(tx, accountId, row) {
    if (row.isDefault)
      throw new ShelfwireError('conflict', 'the default group can not be deleted: exclusion rules judge its prices')
    return removeGroup(tx, accountId, row.groupId)
  },
})
