import type { Reader, Tx } from '../../db/sql.ts'
import { explainViolation } from '../../db/violations.ts'
import { must } from '../../platform/must.ts'

/** One of the account's own categories. */
export interface CategoryRow {
  categoryId: number
  /** Levels joined by `/`. */
  path: string
  /** Suppliers' paths that are mapped to it, including all below each. */
  supplierPaths: string[]
}

/** All categories of the account by id. */
export function categoriesList(reader: Reader, accountId: number) {
  return reader<CategoryRow[]>`
    select category_id as "categoryId", path, supplier_paths as "supplierPaths"
    from category where account_id = ${accountId} order by category_id`
}

export async function categoryInsert(
  tx: Tx,
  accountId: number,
  category: Omit<CategoryRow, 'categoryId'>,
): Promise<number> {
  const [row] = await tx<{ category_id: number }[]>`
    insert into category (account_id, path, supplier_paths)
    values (${accountId}, ${category.path}, ${category.supplierPaths}::text[])
    returning category_id`.catch((error: unknown) => explainTaken(error, category.path))
  return must(row).category_id
}

export async function categoryUpdate(tx: Tx, accountId: number, category: CategoryRow): Promise<void> {
  await tx`
    update category set path = ${category.path}, supplier_paths = ${category.supplierPaths}::text[]
    where account_id = ${accountId} and category_id = ${category.categoryId}`.catch((error: unknown) =>
    explainTaken(error, category.path),
  )
}

export async function categoryDelete(tx: Tx, accountId: number, categoryId: number): Promise<void> {
  await tx`delete from category where account_id = ${accountId} and category_id = ${categoryId}`
}

function explainTaken(error: unknown, path: string): never {
  return explainViolation(error, { category_path: `a category "${path}" exists already` })
}
