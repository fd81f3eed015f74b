import { CATEGORIES } from '../../../../contract/account-resources.ts'
import { categoriesList, categoriesPage, categoryGet } from '../../../catalog/settings/content/categories.sql.ts'
import { createCategory, deleteCategory, editCategory } from '../../../catalog/settings/content/categories.ts'
import { collection } from '../collection.ts'
import { toFields } from '../member-names.ts'
import { withoutNulls } from '../members.ts'

/** /v1/account/categories */
export const categories = collection({
  resource: CATEGORIES,
  list: categoriesList,
  apart: {
    get: (reader, accountId, key) => categoryGet(reader, accountId, Number(key)),
    page: (reader, accountId, after, limit) => categoriesPage(reader, accountId, Number(after), limit),
  },
  keyOf: (row) => row.categoryId,
  represent: (row) => ({
    id: row.categoryId,
    path: row.path,
    supplier_paths: row.supplierPaths,
    names: row.names,
    external_id: row.externalId,
    position: row.position,
    tax_class: row.taxClass,
  }),
  defaults: { supplier_paths: [], names: {}, external_id: null, position: 0, tax_class: null },
  // in a patch, null for an entry removes that name; null for the map removes all
  merged: ['names'],
  create: (tx, accountId, { names, ...members }) =>
    createCategory(tx, accountId, { ...toFields(members), names: withoutNulls(names) }),
  edit: (tx, accountId, row, members) => editCategory(tx, accountId, row.categoryId, toFields(members)),
  remove: (tx, accountId, row) => deleteCategory(tx, accountId, row.categoryId),
})
