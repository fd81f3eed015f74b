import type { Tx } from '../../db/sql.ts'
import { trimmed } from '../../model/blank.ts'
import { ShelfwireError, type Fault } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { foldCategory } from '../../resolve/conditions.ts'
import { Check } from '../../input/check.ts'
import { inputsVersionRaise, sweepAppend } from '../stale/sweeps.sql.ts'
import { settingsWritten, type Written } from '../stale/written.ts'
import { settingsLock } from '../../accounts/settings-lock.sql.ts'
import { categoriesList, categoryDelete, categoryInsert, type CategoryRow, categoryUpdate } from './categories.sql.ts'

// The account's own categories. A product is in one by an override, or because the first supplier's path, or a path
// above it, is mapped to the category. Rules, assortments and the SKU pattern use the own path.

export interface NewCategory {
  /** Levels joined by `/`. */
  path: string
  /** Suppliers' paths that are mapped to it, including all below each. */
  supplierPaths?: readonly string[]
}

/** Creates a category. @throws ShelfwireError conflict when another category has its path or a mapped one. */
export async function createCategory(tx: Tx, accountId: number, input: NewCategory): Promise<Written<number>> {
  await settingsLock(tx, accountId)
  const wanted = checkCategory(input.path, input.supplierPaths ?? [])
  const others = await categoriesList(tx, accountId)
  if (others.length >= LIMITS.categoriesPerAccountMax) {
    throw new ShelfwireError('conflict', `an account has at most ${LIMITS.categoriesPerAccountMax} categories`)
  }
  requireFree(wanted, others)
  const categoryId = await categoryInsert(tx, accountId, wanted)
  await moved(tx, accountId, 'category created', wanted.supplierPaths.length > 0)
  return settingsWritten(categoryId)
}

/**
 * Edits a category; a list of suppliers' paths replaces the old one. Rules and overrides that name the old path keep
 * it: they may be meant for products that another supplier's path put there.
 */
export async function editCategory(
  tx: Tx,
  accountId: number,
  categoryId: number,
  changes: Partial<NewCategory>,
): Promise<Written> {
  await settingsLock(tx, accountId)
  const all = await categoriesList(tx, accountId)
  const old = found(all, categoryId)
  const wanted = checkCategory(changes.path ?? old.path, changes.supplierPaths ?? old.supplierPaths)
  requireFree(
    wanted,
    all.filter((row) => row !== old),
  )
  const isSamePaths = JSON.stringify(wanted.supplierPaths) === JSON.stringify(old.supplierPaths)
  if (wanted.path === old.path && isSamePaths) return settingsWritten()
  await categoryUpdate(tx, accountId, { categoryId, ...wanted })
  await moved(tx, accountId, 'category edited', wanted.supplierPaths.length > 0 || old.supplierPaths.length > 0)
  return settingsWritten()
}

/** Deletes a category: its products show suppliers' paths again. Rules and overrides that name it stay. */
export async function deleteCategory(tx: Tx, accountId: number, categoryId: number): Promise<Written> {
  await settingsLock(tx, accountId)
  const old = found(await categoriesList(tx, accountId), categoryId)
  await categoryDelete(tx, accountId, categoryId)
  await moved(tx, accountId, 'category deleted', old.supplierPaths.length > 0)
  return settingsWritten()
}

/** Any payload may depend on a product's category; but none on a category without mapped paths. */
async function moved(tx: Tx, accountId: number, reason: string, isMapped: boolean): Promise<void> {
  if (isMapped) await sweepAppend(tx, accountId, reason)
  else await inputsVersionRaise(tx, accountId)
}

function found(all: readonly CategoryRow[], categoryId: number): CategoryRow {
  const row = all.find((entry) => entry.categoryId === categoryId)
  if (row === undefined) throw new ShelfwireError('unknown-reference', `the account has no category ${categoryId}`)
  return row
}

type Wanted = Omit<CategoryRow, 'categoryId'>

/** Validates a category. @returns the path with its levels trimmed, and the suppliers' paths trimmed. */
function checkCategory(given: string, supplierPaths: readonly string[]): Wanted {
  const check = new Check()
  const levels = given.split('/').map(trimmed)
  const path = levels.join('/')
  check.text('path', path, LIMITS.categoryLengthMax)
  // the longest value that fits into an index
  check.that(
    Buffer.byteLength(path) <= LIMITS.categoryPathBytesMax,
    'path',
    `must have at most ${LIMITS.categoryPathBytesMax} bytes in UTF-8`,
  )
  check.that(!levels.includes(''), 'path', 'must have levels joined by /, none of them empty')
  check.that(
    supplierPaths.length <= LIMITS.supplierPathsPerCategoryMax,
    'supplier_paths',
    `must be at most ${LIMITS.supplierPathsPerCategoryMax}`,
  )
  const seen = new Set<string>()
  const clean = supplierPaths.map((value, i) => {
    const name = `supplier_paths.${i}`
    const folded = foldCategory(value)
    const text = check.text(name, value, LIMITS.categoryLengthMax)
    check.that(folded !== '', name, 'must name something')
    check.that(!seen.has(folded), name, 'is duplicated')
    seen.add(folded)
    return text
  })
  check.done('category')
  return { path, supplierPaths: clean }
}

/** Refuses paths that another category has already, ignoring letter case. */
function requireFree(wanted: Wanted, others: readonly CategoryRow[]): void {
  const path = foldCategory(wanted.path)
  const faults: Fault[] = []
  const holders = new Map<string, string>()
  let mapped = wanted.supplierPaths.length
  for (const other of others) {
    mapped += other.supplierPaths.length
    if (foldCategory(other.path) === path)
      faults.push({ name: 'path', reason: `a category "${other.path}" exists already` })
    for (const value of other.supplierPaths) holders.set(foldCategory(value), other.path)
  }
  for (const [i, value] of wanted.supplierPaths.entries()) {
    const holder = holders.get(foldCategory(value))
    if (holder !== undefined)
      faults.push({ name: `supplier_paths.${i}`, reason: `"${value}" is mapped to the category "${holder}" already` })
  }
  const [first] = faults
  if (first !== undefined) throw new ShelfwireError('conflict', first.reason, { faults })
  if (mapped > LIMITS.supplierPathsPerAccountMax) {
    throw new ShelfwireError(
      'conflict',
      `an account maps at most ${LIMITS.supplierPathsPerAccountMax} suppliers’ paths`,
    )
  }
}
