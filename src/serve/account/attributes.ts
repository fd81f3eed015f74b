import { ATTRIBUTES } from '../../../contract/sources.ts'
import {
  type AttributeDefinitionRow,
  attributeDefinitionsList,
} from '../../catalog/settings/attribute-definitions.sql.ts'
import {
  deleteAttributeDefinition,
  editAttributeDefinition,
  type NewAttributeDefinition,
  setAttributeDefinitions,
} from '../../catalog/settings/attribute-definitions.ts'
import { collectionRoutes, type Members } from './collection.ts'
import { toFields } from './members.ts'

/** /v1/account/attributes */
export const attributeSources = collectionRoutes<AttributeDefinitionRow>({
  resource: ATTRIBUTES,
  list: attributeDefinitionsList,
  keyOf: (row) => row.key,
  represent: (row) => ({
    key: row.key,
    unit: row.unit,
    units: row.units,
    position: row.position,
    labels: row.labels,
    options: row.options,
  }),
  defaults: { unit: null, units: {}, position: 0, labels: {}, options: {} },
  // a patch of a map takes single entries away by null, and all of them by null in its place
  isMerged: ['units', 'labels', 'options'],
  async create(tx, accountId, members) {
    return { ...(await setAttributeDefinitions(tx, accountId, [whole(members)])), value: members['key'] as string }
  },
  edit: (tx, accountId, row, members) => editAttributeDefinition(tx, accountId, row.key, toFields(members)),
  replace: (tx, accountId, row, members) =>
    setAttributeDefinitions(tx, accountId, [{ ...whole(members), key: row.key }]),
  remove: (tx, accountId, row) => deleteAttributeDefinition(tx, accountId, row.key),
})

/** A definition from a body that is all of it: an entry of null is one that is not there. */
function whole(members: Members): NewAttributeDefinition {
  const { labels, units, options, ...fields } = toFields<NewAttributeDefinition>(members)
  return {
    ...fields,
    labels: stated(labels),
    units: stated(units ?? {}),
    options: Object.fromEntries(Object.entries(stated(options ?? {})).map(([value, texts]) => [value, stated(texts)])),
  }
}

function stated<T>(map: Readonly<Record<string, T | null>>): Record<string, T> {
  return Object.fromEntries(Object.entries(map).flatMap(([name, value]) => (value === null ? [] : [[name, value]])))
}
