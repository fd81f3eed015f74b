import { isDeepStrictEqual } from 'node:util'
import { settingsLock } from '../../../accounts/settings-lock.sql.ts'
import type { Tx } from '../../../db/sql.ts'
import { Check } from '../../../input/check.ts'
import { trimmed } from '../../../model/blank.ts'
import { ShelfwireError, type Fault } from '../../../platform/errors.ts'
import { LIMITS } from '../../../platform/limits.ts'
import { foldCategory } from '../../../resolve/rules/conditions.ts'
import { sweepAppend } from '../../stale/sweeps.sql.ts'
import { settingsWritten, type Written } from '../../stale/written.ts'
import {
  categoriesList,
  categoryDelete,
  categoryInsert,
  categoryPathsUpdate,
  type CategoryRow,
  categoryUpdate,
} from './categories.sql.ts'
import { taxClassesList } from '../prices/tax-classes.sql.ts'
import { mergedTexts, type TextChanges, textsByLocale } from './texts-by-locale.ts'

// The account's own categories. A product is in one because an override is its path, or because the first supplier's path, or a path above
// it, is mapped to it. Rules, assortments and the SKU pattern use the own path. The tree follows from the paths (src/resolve/content/category-tree.ts).

export interface NewCategory {
  /** Levels joined by `/`. */
  path: string
  /** Suppliers' paths that are mapped to it, including all below each. */
  supplierPaths?: readonly string[]
  /** locale -> name. */
  names?: Readonly<Record<string, string>>
  externalId?: string | null
  position?: number
  /** The key of the tax class of its products. */
  taxClass?: string | null
}

/** Changes to a category: names are merged by locale, null removes one or, in place of the map, all of them. */
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
  const others = await categoriesList(tx, accountId)
  if (others.length >= LIMITS.categoriesPerAccountMax) {
    throw new ShelfwireError('conflict', `an account has at most ${LIMITS.categoriesPerAccountMax} categories`)
  }
  requireFree(wanted, others)
  const categoryId = await categoryInsert(tx, accountId, wanted)
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
  const all = await categoriesList(tx, accountId)
  const old = found(all, categoryId)
  const check = new Check()
  const shown = {
    names: mergedTexts(check, 'names', old.names, changes.names),
    externalId: changes.externalId === undefined ? old.externalId : changes.externalId,
    position: changes.position ?? old.position,
  }
  const wanted: Wanted = {
    // what is stored stays: releases before had no limit of levels
    path: changes.path === undefined || changes.path === old.path ? old.path : checkPath(check, changes.path),
    supplierPaths: checkSupplierPaths(check, changes.supplierPaths ?? old.supplierPaths),
    ...checkShown(check, shown, new Set(Object.keys(old.names))),
    taxClass:
      changes.taxClass === undefined ? old.taxClass : await checkTaxClass(check, tx, accountId, changes.taxClass),
  }
  check.done('category')
  if (isDeepStrictEqual({ categoryId, ...wanted }, { ...old })) return settingsWritten()
  const below = wanted.path === old.path ? [] : movedWith(old, wanted.path, all)
  const moving = new Set([categoryId, ...below.map((row) => row.categoryId)])
  const others = all.filter((row) => row.categoryId !== categoryId)
  requireFree(wanted, others, moving)
  requirePathsFree(
    below,
    all.filter((row) => !moving.has(row.categoryId)),
  )
  if (below.length > 0) await categoryPathsUpdate(tx, accountId, [{ categoryId, path: wanted.path }, ...below])
  await categoryUpdate(tx, accountId, { categoryId, ...wanted })
  // the order is read from the settings alone
  const { position: _position, ...before } = { ...old }
  const { position: _wanted, ...after } = { categoryId, ...wanted }
  if (!isDeepStrictEqual(after, before)) await sweepAppend(tx, accountId, 'category edited')
  return settingsWritten()
}

/**
 * Deletes a category: its products show suppliers' paths again. Categories below it stay where they are, and are then below the one above
 * it. Rules and overrides that name it stay.
 */
export async function deleteCategory(tx: Tx, accountId: number, categoryId: number): Promise<Written> {
  await settingsLock(tx, accountId)
  found(await categoriesList(tx, accountId), categoryId)
  await categoryDelete(tx, accountId, categoryId)
  await sweepAppend(tx, accountId, 'category deleted')
  return settingsWritten()
}

function found(all: readonly CategoryRow[], categoryId: number): CategoryRow {
  const row = all.find((entry) => entry.categoryId === categoryId)
  if (row === undefined) throw new ShelfwireError('unknown-reference', `the account has no category ${categoryId}`)
  return row
}

type Wanted = Omit<CategoryRow, 'categoryId'>
type Placed = Pick<CategoryRow, 'categoryId' | 'path'>
const NO_LOCALES: ReadonlySet<string> = new Set()

/** Where all categories below one come to when it gets another path. @throws ShelfwireError where they cannot. */
function movedWith(old: CategoryRow, path: string, all: readonly CategoryRow[]): Placed[] {
  const from = `${foldCategory(old.path)}/`
  if (foldCategory(path).startsWith(from)) {
    const reason = `must not be below "${old.path}", which is the category itself`
    throw new ShelfwireError('invalid-input', `category: path ${reason}`, { faults: [{ name: 'path', reason }] })
  }
  const depth = old.path.split('/').length
  const below = all
    .filter((row) => foldCategory(row.path).startsWith(from))
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
  // the longest value that fits into an index
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

/** Checks what shops show of a category. @param stored locales of names that stay as they are. */
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

/**
 * Refuses what another category has already: paths, ignoring letter case, and the external ID.
 * @param moving categories that leave their paths.
 */
function requireFree(wanted: Wanted, others: readonly CategoryRow[], moving: ReadonlySet<number> = new Set()): void {
  const path = foldCategory(wanted.path)
  const faults: Fault[] = []
  const holders = new Map<string, string>()
  let mapped = wanted.supplierPaths.length
  let names = Object.keys(wanted.names).length
  for (const other of others) {
    mapped += other.supplierPaths.length
    names += Object.keys(other.names).length
    if (!moving.has(other.categoryId) && foldCategory(other.path) === path)
      faults.push({ name: 'path', reason: `a category "${other.path}" exists already` })
    if (wanted.externalId !== null && other.externalId === wanted.externalId)
      faults.push({ name: 'external_id', reason: `the category "${other.path}" has "${wanted.externalId}" already` })
    for (const value of other.supplierPaths) holders.set(foldCategory(value), other.path)
  }
  for (const [i, value] of wanted.supplierPaths.entries()) {
    const holder = holders.get(foldCategory(value))
    if (holder !== undefined)
      faults.push({ name: `supplier_paths.${i}`, reason: `"${value}" is mapped to the category "${holder}" already` })
  }
  refuse(faults)
  if (mapped > LIMITS.supplierPathsPerAccountMax) {
    throw new ShelfwireError(
      'conflict',
      `an account maps at most ${LIMITS.supplierPathsPerAccountMax} suppliers’ paths`,
    )
  }
  if (names > LIMITS.categoryNamesPerAccountMax) {
    throw new ShelfwireError(
      'conflict',
      `the categories of an account have at most ${LIMITS.categoryNamesPerAccountMax} names, of all languages together`,
    )
  }
}

/** Refuses to move categories to paths that others have. */
function requirePathsFree(moved: readonly Placed[], others: readonly CategoryRow[]): void {
  if (moved.length === 0) return
  const taken = new Map(others.map(({ path }) => [foldCategory(path), path]))
  const faults = moved.flatMap(({ path }): Fault[] => {
    const other = taken.get(foldCategory(path))
    return other === undefined
      ? []
      : [{ name: 'path', reason: `a category "${other}" exists already below the new path` }]
  })
  refuse(faults.slice(0, LIMITS.faultsMax))
}

function refuse(faults: readonly Fault[]): void {
  const [first] = faults
  if (first !== undefined) throw new ShelfwireError('conflict', first.reason, { faults })
}
