import type { NewMembers } from '../../../contract/account-resource.ts'
import { ATTRIBUTES } from '../../../contract/account-resources.ts'
import { attributeDefinitionsList } from '../../catalog/settings/attribute-definitions.sql.ts'
import {
  deleteAttributeDefinition,
  editAttributeDefinition,
  type NewAttributeDefinition,
  setAttributeDefinitions,
} from '../../catalog/settings/attribute-definitions.ts'
import { collection } from './collection.ts'
import { toFields } from './member-names.ts'

/** /v1/account/attributes */
export const attributes = collection({
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
  // in a patch null removes one entry of a map, or, in place of the map, all of them
  merged: ['units', 'labels', 'options'],
  async create(tx, accountId, members) {
    return { ...(await setAttributeDefinitions(tx, accountId, [whole(members)])), value: members.key }
  },
  edit: (tx, accountId, row, members) => editAttributeDefinition(tx, accountId, row.key, toFields(members)),
  replace: (tx, accountId, row, members) =>
    setAttributeDefinitions(tx, accountId, [whole({ ...members, key: row.key })]),
  remove: (tx, accountId, row) => deleteAttributeDefinition(tx, accountId, row.key),
})

/** A definition from a complete body: an entry of null is left out. */
function whole({ key, unit, units, position, labels, options }: NewMembers<typeof ATTRIBUTES>): NewAttributeDefinition {
  return {
    key,
    unit: unit ?? null,
    position: position ?? 0,
    labels: given(labels),
    units: given(units),
    options: Object.fromEntries(Object.entries(given(options)).map(([value, texts]) => [value, given(texts)])),
  }
}

function given<T>(map: Readonly<Record<string, T | null>> | null | undefined): Record<string, T> {
  return Object.fromEntries(
    Object.entries(map ?? {}).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  )
}
