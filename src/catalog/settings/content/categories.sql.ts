import { accountLocale } from '../../../accounts/accounts.sql.ts'
import type { Reader, Tx } from '../../../db/sql.ts'
import { explainViolation } from '../../../db/statements/violations.ts'
import { pageOfWeighed, withinWeight, type Weighed } from '../../../db/fragments/within-weight.sql.ts'
import { LIMITS } from '../../../platform/limits.ts'
import { must } from '../../../platform/must.ts'

/** One of the account's own categories. */
export interface CategoryRow {
  categoryId: number
  /** Levels joined by `/`. */
  path: string
  /** Suppliers' paths that are mapped to it. Each includes all paths below it. */
  supplierPaths: string[]
  /** locale -> name. */
  names: Record<string, string>
  /** The shop's own ID of the category. */
  externalId: string | null
  /** Its position among the categories with the same parent. */
  position: number
  /** The key of the tax class of its products; null: the parent's. */
  taxClass: string | null
}

const columns = (reader: Reader) => reader`
  category_id as "categoryId", path, supplier_paths as "supplierPaths", names, external_id as "externalId", position,
  tax_class as "taxClass"`

/** All categories of the account by id. Together they may be large, so only code outside of the service uses this. */
export function categoriesList(reader: Reader, accountId: number) {
  return reader<CategoryRow[]>`
    select ${columns(reader)} from category where account_id = ${accountId} order by category_id`
}

export async function categoryGet(
  reader: Reader,
  accountId: number,
  categoryId: number,
): Promise<CategoryRow | undefined> {
  const [row] = await reader<CategoryRow[]>`
    select ${columns(reader)} from category where account_id = ${accountId} and category_id = ${categoryId}`
  return row
}

/**
 * The bytes of a category that count against the budget category_bytes, in UTF-8: its path, suppliers' paths and names as they are stored, and its
 * external ID.
 */
const categoryBytes = (reader: Reader) => reader`
  (octet_length(path) + octet_length(array_to_string(supplier_paths, '')) + octet_length(names::text)
    + coalesce(octet_length(external_id), 0))::bigint`

/** The next categories that fit into one answer, at least one; the id after which more follow, if any do; and the number of all categories. */
export async function categoriesPage(reader: Reader, accountId: number, after: number, limit: number) {
  const page = reader`
    select ${columns(reader)}, ${categoryBytes(reader)} as page_weight from category
    where account_id = ${accountId} and category_id > ${after} order by category_id limit ${limit + 1}`
  const found = await reader<(CategoryRow & Weighed)[]>`
    ${withinWeight(reader, page, reader`"categoryId"`, LIMITS.categoryPageBytes)}`
  const [all] = await reader<{ count: number }[]>`
    select count(*)::int as count from category where account_id = ${accountId}`
  return { ...pageOfWeighed(found, limit, (row) => row.categoryId), total: must(all).count }
}

/** What categories use of the account's limits. */
export interface CategoriesUse {
  categories: number
  /** The number of suppliers' paths. */
  mapped: number
  /** The number of names, in all languages. */
  names: number
  /** The bytes that count against the budget category_bytes. */
  bytes: number
}

/** The use of all categories of the account. */
export async function categoriesUse(reader: Reader, accountId: number): Promise<CategoriesUse> {
  const [row] = await reader<CategoriesUse[]>`
    select ${usedColumns(reader)} from category where account_id = ${accountId}`
  return must(row)
}

/** The use of some categories. */
export async function categoriesUseOf(
  reader: Reader,
  accountId: number,
  ids: readonly number[],
): Promise<CategoriesUse> {
  const [row] = await reader<CategoriesUse[]>`
    select ${usedColumns(reader)} from category
    where account_id = ${accountId} and category_id = any(${[...ids]}::bigint[])`
  return must(row)
}

const usedColumns = (reader: Reader) => reader`
  count(*)::int as categories, coalesce(sum(cardinality(supplier_paths)), 0)::int as mapped,
  coalesce(sum((select count(*) from jsonb_object_keys(names))), 0)::int as names,
  coalesce(sum(${categoryBytes(reader)}), 0)::bigint as bytes`

/** The paths of all categories of the account, by id. */
export function categoryPaths(reader: Reader, accountId: number) {
  return reader<Pick<CategoryRow, 'categoryId' | 'path'>[]>`
    select category_id as "categoryId", path from category where account_id = ${accountId} order by category_id`
}

/** The path of another category that has this external ID; undefined: none has. */
export async function externalIdHolder(
  reader: Reader,
  accountId: number,
  externalId: string,
  besides: number,
): Promise<string | undefined> {
  const [row] = await reader<{ path: string }[]>`
    select path from category
    where account_id = ${accountId} and external_id = ${externalId} and category_id <> ${besides}`
  return row?.path
}

/** The size of the suppliers' paths of each other category, in characters; categories without any are omitted. */
export function mappedSizes(reader: Reader, accountId: number, besides: number) {
  return reader<{ id: number; characters: number }[]>`
    select category_id as id, length(array_to_string(supplier_paths, '')) as characters from category
    where account_id = ${accountId} and category_id <> ${besides} and cardinality(supplier_paths) > 0 order by category_id`
}

/** Suppliers' paths of some categories. */
export function mappedPaths(reader: Reader, accountId: number, ids: readonly number[]) {
  return reader<Pick<CategoryRow, 'path' | 'supplierPaths'>[]>`
    select path, supplier_paths as "supplierPaths" from category
    where account_id = ${accountId} and category_id = any(${[...ids]}::bigint[]) order by category_id`
}

/** The rows for reading the tree, and the account's locale. */
export async function categoryTreeRows(
  reader: Reader,
  accountId: number,
): Promise<{ locale: string; rows: Omit<CategoryRow, 'supplierPaths' | 'taxClass'>[] }> {
  const [locale, rows] = await Promise.all([
    accountLocale(reader, accountId),
    reader<Omit<CategoryRow, 'supplierPaths' | 'taxClass'>[]>`
      select category_id as "categoryId", path, names, external_id as "externalId", position
      from category where account_id = ${accountId}`,
  ])
  return { locale, rows }
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
 * Moves categories to other paths. All of them get impossible paths first: within one statement, a category could get a path that another one has not
 * left yet.
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
