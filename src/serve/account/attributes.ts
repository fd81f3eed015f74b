import { ATTRIBUTES } from '../../../contract/sources.ts'
import { attributeDefinitionsList, type AttributeDefinitionRow } from '../../catalog/settings/store.ts'
import { deleteAttributeDefinition, editAttributeDefinition, setAttributeDefinitions, type NewAttributeDefinition } from '../../catalog/settings/write.ts'
import { collectionRoutes } from './collection.ts'
import { toFields } from './members.ts'

/** /v1/account/attributes */
export const attributeSources = collectionRoutes<AttributeDefinitionRow>({
  resource: ATTRIBUTES,
  list: attributeDefinitionsList,
  keyOf: (row) => row.key,
  represent: (row) => ({ key: row.key, unit: row.unit, units: row.units, position: row.position, labels: row.labels, options: row.options }),
  defaults: { unit: null, units: {}, position: 0, labels: {}, options: {} },
  // a patch of a map takes single entries away by null, and all of them by null in its place
  isMerged: ['units', 'labels', 'options'],
  async create(tx, accountId, members) {
    await setAttributeDefinitions(tx, accountId, [toFields<NewAttributeDefinition>(members)])
    return members['key'] as string
  },
  edit: (tx, accountId, row, members) => editAttributeDefinition(tx, accountId, row.key, toFields(members)),
  replace: (tx, accountId, row, members) => setAttributeDefinitions(tx, accountId, [{ ...toFields<NewAttributeDefinition>(members), key: row.key }]),
  remove: (tx, accountId, row) => deleteAttributeDefinition(tx, accountId, row.key),
})
