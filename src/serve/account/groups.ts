import { GROUPS } from '../../../contract/account-resources.ts'
import { groupsList } from '../../catalog/settings/groups.sql.ts'
import { createGroup, renameGroup } from '../../catalog/settings/groups.ts'
import { settingsWritten } from '../../catalog/stale/written.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { removeGroup } from '../../operations/removal.ts'
import { collection } from './collection.ts'

/** /v1/account/groups */
export const groups = collection({
  resource: GROUPS,
  list: groupsList,
  keyOf: (row) => row.groupId,
  represent: (row) => ({ id: row.groupId, is_default: row.isDefault, name: row.name }),
  defaults: {},
  create: (tx, accountId, members) => createGroup(tx, accountId, members.name),
  async edit(tx, accountId, row, { name }) {
    if (typeof name !== 'string' || name === row.name) return settingsWritten()
    return renameGroup(tx, accountId, row.groupId, name)
  },
  async remove(tx, accountId, row) {
    if (row.isDefault)
      throw new ShelfwireError('conflict', 'the default group can not be deleted: exclusion rules judge its prices')
    return removeGroup(tx, accountId, row.groupId)
  },
})
