import { CATEGORIES } from '../../../contract/account-resources.ts'
import { categoriesList } from '../../catalog/settings/categories.sql.ts'
import { createCategory, deleteCategory, editCategory } from '../../catalog/settings/categories.ts'
import { collection } from './collection.ts'
import { toFields } from './member-names.ts'

/** /v1/account/categories */
export const categories = collection({
  resource: CATEGORIES,
  list: categoriesList,
  keyOf: (row) => row.categoryId,
  represent: (row) => ({ id: row.categoryId, path: row.path, supplier_paths: row.supplierPaths }),
  defaults: { supplier_paths: [] },
  create: (tx, accountId, members) => createCategory(tx, accountId, toFields(members)),
  edit: (tx, accountId, row, members) => editCategory(tx, accountId, row.categoryId, toFields(members)),
  remove: (tx, accountId, row) => deleteCategory(tx, accountId, row.categoryId),
})
