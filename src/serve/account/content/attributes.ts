import type { NewMembers } from '../../../../contract/account-resource.ts'
import { ATTRIBUTES } from '../../../../contract/account-resources.ts'
import {
  attributeDefinitionGet,
  attributeDefinitionsList,
  attributeDefinitionsPage,
} from '../../../catalog/settings/content/attribute-definitions.sql.ts'
import {
  deleteAttributeDefinition,
  editAttributeDefinition,
  type NewAttributeDefinition,
  setAttributeDefinitions,
} from '../../../catalog/settings/content/attribute-definitions.ts'
import { collection } from '../collection.ts'
import { toFields } from '../member-names.ts'
import { withoutNulls } from '../members.ts'

/** /v1/account/attributes */
export const attributes = collection({
  resource: ATTRIBUTES,
  list: attributeDefinitionsList,
  apart: { get: attributeDefinitionGet, page: attributeDefinitionsPage },
  keyOf: (row) => row.key,
  represent: (row) => ({
    key: row.key,
    unit: row.unit,
    units: row.units,
    position: row.position,
    labels: row.labels,
    options: row.options,
    type: row.type,
    separator: row.separator,
    decimal: row.decimal,
  }),
  defaults: {
    unit: null,
    units: {},
    position: 0,
    labels: {},
    options: {},
    type: null,
    separator: null,
    decimal: null,
  },
  // in a patch, null for an entry removes that entry; null for the map removes all
  merged: ['units', 'labels', 'options'],
  async create(tx, accountId, members) {
    return { ...(await setAttributeDefinitions(tx, accountId, [whole(members)])), value: members.key }
  },
  edit: (tx, accountId, row, members) => editAttributeDefinition(tx, accountId, row.key, toFields(members)),
  replace: (tx, accountId, row, members) =>
    setAttributeDefinitions(tx, accountId, [whole({ ...members, key: row.key })]),
  remove: (tx, accountId, row) => deleteAttributeDefinition(tx, accountId, row.key),
})

/** A definition from a complete body; entries with null are left out. */
function whole({
  key,
  unit,
  units,
  position,
  labels,
  options,
  type,
  separator,
  decimal,
}: NewMembers<typeof ATTRIBUTES>): NewAttributeDefinition {
  return {
    key,
    unit: unit ?? null,
    position: position ?? 0,
    labels: withoutNulls(labels),
    units: withoutNulls(units),
    options: Object.fromEntries(
      Object.entries(withoutNulls(options)).map(([value, texts]) => [value, withoutNulls(texts)]),
    ),
    type: type ?? null,
    separator: separator ?? null,
    decimal: decimal ?? null,
  }
}
