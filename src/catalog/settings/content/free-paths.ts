import type { Tx } from '../../../db/sql.ts'
import { ShelfwireError, type Fault } from '../../../platform/errors.ts'
import { LIMITS } from '../../../platform/limits.ts'
import { mapYielding, openYielding } from '../../../platform/turns/yielding.ts'
import { foldCategory } from '../../../resolve/rules/conditions.ts'
import { type CategoryRow, externalIdHolder, mappedPaths, mappedSizes } from './categories.sql.ts'

// Whether a category may have its path, its external ID and suppliers' paths. Paths are compared as products' are, which the database cannot
// do: they are read only where they are compared, in slices, with turns for others between them.
// docs/decisions/265-categories-are-read-in-part.md says why.

/** A category at its path. */
export type Placed = Pick<CategoryRow, 'categoryId' | 'path'>

/**
 * Refuses what another category has already: paths, ignoring letter case, and the external ID.
 * @param among the paths of others, without those that leave them; the suppliers' paths that are new; the category itself, where there is one.
 * @throws ShelfwireError conflict
 */
export async function requireFree(
  tx: Tx,
  accountId: number,
  wanted: Omit<CategoryRow, 'categoryId'>,
  among: { paths: readonly Placed[]; added: readonly string[]; categoryId?: number },
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

/** The paths of other categories that suppliers' paths are mapped to, by these in their folded form. */
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

/** Refuses to move categories to paths that others have. */
export async function requirePathsFree(moved: readonly Placed[], others: readonly Placed[]): Promise<void> {
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
