import type { Tx } from '../../../db/sql.ts'
import { ShelfwireError, type Fault } from '../../../platform/errors.ts'
import { LIMITS } from '../../../platform/limits.ts'
import { mapYielding, openYielding } from '../../../platform/turns/yielding.ts'
import { foldCategory } from '../../../resolve/rules/conditions.ts'
import { type CategoryRow, externalIdHolder, mappedPaths, mappedSizes } from './categories.sql.ts'

// Checks that a category's path, external ID and suppliers' paths are free. Paths are compared in the folded form that products use, which the
// database cannot compute: they are read only where they must be compared, in slices, with turns for requests between them.
// docs/decisions/265-categories-are-read-in-part.md says why.

/** The id and the path of a category. */
export type CategoryPath = Pick<CategoryRow, 'categoryId' | 'path'>

/**
 * Refuses a category whose path (ignoring letter case), external ID or suppliers' paths another category has.
 * @param among `paths`: other categories that keep their paths; `added`: the suppliers' paths that are new; `categoryId`: the category itself, unless
 * it is new.
 * @throws ShelfwireError conflict
 */
export async function requireFree(
  tx: Tx,
  accountId: number,
  wanted: Omit<CategoryRow, 'categoryId'>,
  among: { paths: readonly CategoryPath[]; added: readonly string[]; categoryId?: number },
): Promise<void> {
  const { paths, added, categoryId = 0 } = among
  const faults: Fault[] = []
  const path = foldCategory(wanted.path)
  const folded = await mapYielding(paths, (other) => foldCategory(other.path))
  for (const [i, other] of paths.entries())
    if (folded[i] === path) faults.push({ name: 'path', reason: `a category "${other.path}" exists already` })
  const { externalId } = wanted
  const holder = externalId === null ? undefined : await externalIdHolder(tx, accountId, externalId, categoryId)
  if (holder !== undefined)
    faults.push({ name: 'external_id', reason: `the category "${holder}" has "${externalId}" already` })
  const holders = added.length === 0 ? null : await mappedHolders(tx, accountId, added, categoryId)
  for (const [i, value] of wanted.supplierPaths.entries()) {
    const other = holders?.get(foldCategory(value))
    if (other !== undefined)
      faults.push({ name: `supplier_paths.${i}`, reason: `"${value}" is mapped to the category "${other}" already` })
  }
  refuse(faults.slice(0, LIMITS.faultsMax))
}

/** For each of these suppliers' paths (folded) that another category has: the path of that category. */
async function mappedHolders(
  tx: Tx,
  accountId: number,
  supplierPaths: readonly string[],
  besides: number,
): Promise<ReadonlyMap<string, string>> {
  const wanted = new Set(supplierPaths.map(foldCategory))
  const holders = new Map<string, string>()
  const yielding = openYielding()
  const readSlice = async (ids: readonly number[]) => {
    for (const { path, supplierPaths: mapped } of await mappedPaths(tx, accountId, ids))
      for (const value of mapped) {
        const folded = foldCategory(value)
        if (wanted.has(folded)) holders.set(folded, path)
        const pause = yielding()
        if (pause !== null) await pause
      }
  }
  let slice: number[] = []
  let characters = 0
  for (const one of await mappedSizes(tx, accountId, besides)) {
    slice.push(one.id)
    characters += one.characters
    if (characters < LIMITS.categoryMappedCharactersRead) continue
    await readSlice(slice)
    slice = []
    characters = 0
  }
  if (slice.length > 0) await readSlice(slice)
  return holders
}

/** Refuses to move categories to paths that other categories have. @throws ShelfwireError conflict */
export async function requirePathsFree(moved: readonly CategoryPath[], others: readonly CategoryPath[]): Promise<void> {
  if (moved.length === 0) return
  const taken = new Map(await mapYielding(others, ({ path }) => [foldCategory(path), path] as const))
  const faults = await mapYielding(moved, ({ path }): Fault[] => {
    const other = taken.get(foldCategory(path))
    return other === undefined
      ? []
      : [{ name: 'path', reason: `a category "${other}" exists already below the new path` }]
  })
  refuse(faults.flat().slice(0, LIMITS.faultsMax))
}

function refuse(faults: readonly Fault[]): void {
  const [first] = faults
  if (first !== undefined) throw new ShelfwireError('conflict', first.reason, { faults })
}
