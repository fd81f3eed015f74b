import type { Reader, Tx } from '../../../db/sql.ts'
import { explainViolation } from '../../../db/violations.ts'
import { must } from '../../../platform/must.ts'

/** One of the account's own categories. */
export interface CategoryRow {
  categoryId: number
  /** Levels joined by `/`. */
  path: string
  /** Suppliers' paths that are mapped to it, including all below each. */
  supplierPaths: string[]
  /** locale -> name. */
  names: Record<string, string>
  /** The shop's own ID of it. */
  externalId: string | null
  /** Among those with the same category above. */
  position: number
  /** The key of the tax class of its products; null: that of the category above. */
  taxClass: string | null
}

/** All categories of the account by id. */
export function categoriesList(reader: Reader, accountId: number) {
  return reader<CategoryRow[]>`
    select category_id as "categoryId", path, supplier_paths as "supplierPaths", names, external_id as "externalId", position,
      tax_class as "taxClass"
    from category where account_id = ${accountId} order by category_id`
}

/** The same for reading the tree, and the account's locale with them. */
export async function categoryTreeRows(
  reader: Reader,
  accountId: number,
): Promise<{ locale: string; rows: Omit<CategoryRow, 'supplierPaths' | 'taxClass'>[] }> {
  const [[account], rows] = await Promise.all([
    reader<{ locale: string }[]>`select locale from account where account_id = ${accountId}`,
    reader<Omit<CategoryRow, 'supplierPaths' | 'taxClass'>[]>`
      select category_id as "categoryId", path, names, external_id as "externalId", position
      from category where account_id = ${accountId}`,
  ])
  return { locale: must(account).locale, rows }
}

export async function categoryInsert(
  tx: Tx,
  accountId: number,
  category: Omit<CategoryRow, 'categoryId'>,
): Promise<number> {
  const { path, supplierPaths, names, externalId, position, taxClass } = category
  const [row] = await tx<{ category_id: number }[]>`
    insert into category (account_id, path, supplier_paths, names, external_id, position, tax_class)
    values (${accountId}, ${path}, ${supplierPaths}::text[], ${JSON.stringify(names)}::text::jsonb, ${externalId}, ${position},
      ${taxClass}::text)
    returning category_id`.catch((error: unknown) => explainTaken(error, category))
  return must(row).category_id
}

export async function categoryUpdate(tx: Tx, accountId: number, category: CategoryRow): Promise<void> {
  const { categoryId, path, supplierPaths, names, externalId, position, taxClass } = category
  await tx`
    update category set path = ${path}, supplier_paths = ${supplierPaths}::text[],
      names = ${JSON.stringify(names)}::text::jsonb, external_id = ${externalId}, position = ${position},
      tax_class = ${taxClass}::text
    where account_id = ${accountId} and category_id = ${categoryId}`.catch((error: unknown) =>
    explainTaken(error, category),
  )
}

/**
 * Gives categories other paths. First all of them paths that no category can have: within one statement one of them could get the path
 * that another one has not left yet.
 */
export async function categoryPathsUpdate(
  tx: Tx,
  accountId: number,
  moved: readonly Pick<CategoryRow, 'categoryId' | 'path'>[],
): Promise<void> {
  const ids = moved.map(({ categoryId }) => categoryId)
  await tx`
    update category set path = '/' || category_id where account_id = ${accountId} and category_id = any(${ids}::bigint[])`
  await tx`
    update category set path = given.path
    from unnest(${ids}::bigint[], ${moved.map(({ path }) => path)}::text[]) as given (category_id, path)
    where category.account_id = ${accountId} and category.category_id = given.category_id`.catch((error: unknown) =>
    explainViolation(error, { category_path: 'a category exists already at a path below the new one' }),
  )
}

export async function categoryDelete(tx: Tx, accountId: number, categoryId: number): Promise<void> {
  await tx`delete from category where account_id = ${accountId} and category_id = ${categoryId}`
}

function explainTaken(error: unknown, { path, externalId }: Pick<CategoryRow, 'path' | 'externalId'>): never {
  return explainViolation(error, {
    category_path: `a category "${path}" exists already`,
    category_external_id: `a category with the external_id "${externalId}" exists already`,
  })
}
