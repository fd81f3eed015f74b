import { CATEGORIES } from '../../../contract/sources.ts'
import { categoriesList, type CategoryRow } from '../../catalog/settings/categories.sql.ts'
import { createCategory, deleteCategory, editCategory, type NewCategory } from '../../catalog/settings/categories.ts'
import { collectionRoutes } from './collection.ts'
import { toFields } from './members.ts'

/** /v1/account/categories */
export const categorySources = collectionRoutes<CategoryRow>({
  resource: CATEGORIES,
  list: categoriesList,
  keyOf: (row) => row.categoryId,
  represent: (row) => ({ id: row.categoryId, path: row.path, supplier_paths: row.supplierPaths }),
  defaults: { supplier_paths: [] },
  create: (tx, accountId, members) => createCategory(tx, accountId, toFields<NewCategory>(members)),
  edit: (tx, accountId, row, members) => editCategory(tx, accountId, row.categoryId, toFields(members)),
  remove: (tx, accountId, row) => deleteCategory(tx, accountId, row.categoryId),
})
