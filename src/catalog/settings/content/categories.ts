import { isDeepStrictEqual } from 'node:util'
import { requireRoom } from '../../../accounts/limits/limits.ts'
import { settingsLock } from '../../../accounts/settings-lock.sql.ts'
import type { Tx } from '../../../db/sql.ts'
import { Check } from '../../../input/check.ts'
import { trimmed } from '../../../model/blank.ts'
import { ShelfwireError } from '../../../platform/errors.ts'
import { LIMITS } from '../../../platform/limits.ts'
import { mapYielding } from '../../../platform/turns/yielding.ts'
import { foldCategory } from '../../../resolve/rules/conditions.ts'
import { sweepAppend } from '../../stale/sweeps.sql.ts'
import { settingsWritten, type Written } from '../../stale/written.ts'
import {
  categoriesUse,
  type CategoriesUse,
  categoriesUseOf,
  categoryDelete,
  categoryGet,
  categoryInsert,
  categoryPaths,
  categoryPathsUpdate,
  type CategoryRow,
  categoryUpdate,
} from './categories.sql.ts'
import { type CategoryPath, requireFree, requirePathsFree } from './free-paths.ts'
import { taxClassesList } from '../prices/tax-classes.sql.ts'
import { mergedTexts, type TextChanges, textsByLocale } from './texts-by-locale.ts'

// The account's own categories. A product is in a category if an override has its path, or if the first supplier's path, or a path above it, is
// mapped to it. Rules, assortments and the SKU pattern use the own path. The tree follows from the paths (src/resolve/content/category-tree.ts).

export interface NewCategory {
  /** Levels joined by `/`. */
  path: string
  /** Suppliers' paths that are mapped to it. Each includes all paths below it. */
  supplierPaths?: readonly string[]
  /** locale -> name. */
  names?: Readonly<Record<string, string>>
  externalId?: string | null
  position?: number
  /** The key of the tax class of its products. */
  taxClass?: string | null
}

/** Changes to a category: names are merged by locale; null removes one name or, in place of the map, all of them. */
export interface CategoryChanges extends Partial<Omit<NewCategory, 'names'>> {
  names?: TextChanges | null
}

/** Creates a category. @throws ShelfwireError conflict when another category has its path, its external ID or a mapped path. */
export async function createCategory(tx: Tx, accountId: number, input: NewCategory): Promise<Written<number>> {
  await settingsLock(tx, accountId)
  const check = new Check()
  const wanted: Wanted = {
    path: checkPath(check, input.path),
    supplierPaths: checkSupplierPaths(check, input.supplierPaths ?? []),
    ...checkShown(check, { names: {}, externalId: null, position: 0, ...input }, NO_LOCALES),
    taxClass: await checkTaxClass(check, tx, accountId, input.taxClass ?? null),
  }
  check.done('category')
  await requireFree(tx, accountId, wanted, { paths: await categoryPaths(tx, accountId), added: wanted.supplierPaths })
  const categoryId = await categoryInsert(tx, accountId, wanted)
  await requireRoomFor(tx, accountId, [categoryId], NONE)
  await sweepAppend(tx, accountId, 'category created')
  return settingsWritten(categoryId)
}

/**
 * Edits a category; a list of suppliers' paths replaces the old one. With a new path all categories below it move, too. Rules and
 * overrides that name an old path keep it: they may be meant for products that another supplier's path put there.
 */
export async function editCategory(
  tx: Tx,
  accountId: number,
  categoryId: number,
  changes: CategoryChanges,
): Promise<Written> {
  await settingsLock(tx, accountId)
  const old = (await categoryGet(tx, accountId, categoryId)) ?? unknown(categoryId)
  const check = new Check()
  const shown = {
    names: mergedTexts(check, 'names', old.names, changes.names),
    externalId: changes.externalId === undefined ? old.externalId : changes.externalId,
    position: changes.position ?? old.position,
  }
  const wanted: Wanted = {
    // a stored path stays valid: earlier releases had no limit of levels
    path: changes.path === undefined || changes.path === old.path ? old.path : checkPath(check, changes.path),
    supplierPaths: checkSupplierPaths(check, changes.supplierPaths ?? old.supplierPaths),
    ...checkShown(check, shown, new Set(Object.keys(old.names))),
    taxClass:
      changes.taxClass === undefined ? old.taxClass : await checkTaxClass(check, tx, accountId, changes.taxClass),
  }
  check.done('category')
  if (isDeepStrictEqual({ categoryId, ...wanted }, { ...old })) return settingsWritten()
  const isMoved = wanted.path !== old.path
  const others = isMoved ? (await categoryPaths(tx, accountId)).filter((row) => row.categoryId !== categoryId) : []
  const below = isMoved ? await movedPaths(old, wanted.path, others) : []
  const moving = new Set(below.map((row) => row.categoryId))
  const staying = others.filter((row) => !moving.has(row.categoryId))
  // paths that are mapped to this category already cannot belong to another one
  const own = new Set(old.supplierPaths)
  const added = wanted.supplierPaths.filter((path) => !own.has(path))
  await requireFree(tx, accountId, wanted, { paths: staying, added, categoryId })
  await requirePathsFree(below, staying)
  const ids = [categoryId, ...moving]
  const used = await categoriesUseOf(tx, accountId, ids)
  if (below.length > 0) await categoryPathsUpdate(tx, accountId, [{ categoryId, path: wanted.path }, ...below])
  await categoryUpdate(tx, accountId, { categoryId, ...wanted })
  await requireRoomFor(tx, accountId, ids, used)
  // a change of the position needs no sweep: it is read from the settings alone
  const { position: _position, ...before } = { ...old }
  const { position: _wanted, ...after } = { categoryId, ...wanted }
  if (!isDeepStrictEqual(after, before)) await sweepAppend(tx, accountId, 'category edited')
  return settingsWritten()
}

/**
 * Deletes a category: its products show suppliers' paths again. Categories below it keep their paths and get its parent as theirs. Rules and
 * overrides that name it stay.
 */
export async function deleteCategory(tx: Tx, accountId: number, categoryId: number): Promise<Written> {
  await settingsLock(tx, accountId)
  if ((await categoryGet(tx, accountId, categoryId)) === undefined) unknown(categoryId)
  await categoryDelete(tx, accountId, categoryId)
  await sweepAppend(tx, accountId, 'category deleted')
  return settingsWritten()
}

function unknown(categoryId: number): never {
  throw new ShelfwireError('unknown-reference', `the account has no category ${categoryId}`)
}

const NONE: CategoriesUse = { categories: 0, mapped: 0, names: 0, bytes: 0 }

/**
 * Checks the account's limits against what is stored now. A write that takes no more than before is always accepted, without counting the rest,
 * because limits may have been lowered below what an account has.
 * @param ids the written categories @param before their use before the write
 */
async function requireRoomFor(tx: Tx, accountId: number, ids: readonly number[], before: CategoriesUse): Promise<void> {
  const after = await categoriesUseOf(tx, accountId, ids)
  const more = (of: keyof CategoriesUse) => after[of] - before[of]
  if (more('categories') <= 0 && more('mapped') <= 0 && more('names') <= 0 && more('bytes') <= 0) return
  const { categories, mapped, names, bytes } = await categoriesUse(tx, accountId)
  if (categories > LIMITS.categoriesPerAccountMax && more('categories') > 0)
    throw new ShelfwireError('conflict', `an account has at most ${LIMITS.categoriesPerAccountMax} categories`)
  if (mapped > LIMITS.supplierPathsPerAccountMax && more('mapped') > 0) {
    const reason = `an account maps at most ${LIMITS.supplierPathsPerAccountMax} suppliers’ paths`
    throw new ShelfwireError('conflict', reason)
  }
  if (names > LIMITS.categoryNamesPerAccountMax && more('names') > 0) {
    throw new ShelfwireError(
      'conflict',
      `the categories of an account have at most ${LIMITS.categoryNamesPerAccountMax} names, of all languages together`,
    )
  }
  const moreBytes = more('bytes')
  if (moreBytes > 0) await requireRoom(tx, accountId, 'category_bytes', bytes - moreBytes, moreBytes)
}

type Wanted = Omit<CategoryRow, 'categoryId'>
const NO_LOCALES: ReadonlySet<string> = new Set()

/** The paths that all categories below one get when it is moved. @throws ShelfwireError if a path is not allowed. */
async function movedPaths(old: CategoryRow, path: string, others: readonly CategoryPath[]): Promise<CategoryPath[]> {
  const from = `${foldCategory(old.path)}/`
  if (foldCategory(path).startsWith(from)) {
    const reason = `must not be below "${old.path}", which is the category itself`
    throw new ShelfwireError('invalid-input', `category: path ${reason}`, { faults: [{ name: 'path', reason }] })
  }
  const depth = old.path.split('/').length
  const folded = await mapYielding(others, (row) => foldCategory(row.path))
  const below = others
    .filter((_row, i) => folded[i]?.startsWith(from) === true)
    .map(({ categoryId, path: was }) => ({ categoryId, was, path: [path, ...was.split('/').slice(depth)].join('/') }))
  const check = new Check()
  for (const { was, path: next } of below) {
    const reason = unfitPath(next)
    if (reason !== null) check.that(false, 'path', `moves "${was}" to a path that ${reason}`)
    if (check.isFull) break
  }
  check.done('category')
  return below
}

/** Why a path is too long; null: it is not. */
function unfitPath(path: string): string | null {
  if (path.length > LIMITS.categoryLengthMax) return `must have at most ${LIMITS.categoryLengthMax} characters`
  // a longer value does not fit into an index
  if (Buffer.byteLength(path) > LIMITS.categoryPathBytesMax)
    return `must have at most ${LIMITS.categoryPathBytesMax} bytes in UTF-8`
  if (path.split('/').length > LIMITS.categoryLevelsMax) return `must have at most ${LIMITS.categoryLevelsMax} levels`
  return null
}

/** @returns the path with its levels trimmed. */
function checkPath(check: Check, given: string): string {
  const levels = given.split('/').map(trimmed)
  const path = levels.join('/')
  check.text('path', path, LIMITS.categoryLengthMax)
  const unfit = path.length > LIMITS.categoryLengthMax ? null : unfitPath(path)
  if (unfit !== null) check.that(false, 'path', unfit)
  check.that(!levels.includes(''), 'path', 'must have levels joined by /, none of them empty')
  return path
}

/** @returns the paths trimmed. */
function checkSupplierPaths(check: Check, supplierPaths: readonly string[]): string[] {
  check.that(
    supplierPaths.length <= LIMITS.supplierPathsPerCategoryMax,
    'supplier_paths',
    `must be at most ${LIMITS.supplierPathsPerCategoryMax}`,
  )
  const seen = new Set<string>()
  return supplierPaths.map((value, i) => {
    const name = `supplier_paths.${i}`
    const folded = foldCategory(value)
    const text = check.text(name, value, LIMITS.categoryLengthMax)
    check.that(folded !== '', name, 'must name something')
    check.that(!seen.has(folded), name, 'is duplicated')
    seen.add(folded)
    return text
  })
}

/** Validates the members of a category that shops show. @param stored locales of names that are accepted as they are */
function checkShown(
  check: Check,
  {
    names,
    externalId,
    position,
  }: { names: Readonly<Record<string, string>>; externalId: string | null; position: number },
  stored: ReadonlySet<string>,
): Pick<CategoryRow, 'names' | 'externalId' | 'position'> {
  check.integer('position', position, -LIMITS.priorityMax, LIMITS.priorityMax)
  return {
    names: textsByLocale(check, 'names', names, LIMITS.nameLengthMax, stored),
    externalId: externalId === null ? null : check.text('external_id', externalId, LIMITS.nameLengthMax),
    position,
  }
}

/** @returns the key of a class of the account. */
async function checkTaxClass(check: Check, tx: Tx, accountId: number, key: string | null): Promise<string | null> {
  if (key === null) return null
  const isKnown = (await taxClassesList(tx, accountId)).some((row) => row.key === key)
  check.that(isKnown, 'tax_class', `must be the key of a tax class; there is none "${key.slice(0, 63)}"`)
  return key
}
