import type { Sweep } from './sweeps.sql.ts'

type Range = Pick<Sweep, 'nextProductId' | 'endProductId'>

/**
 * Merges sweeps so that no product is left in two of them. Products that an older sweep has still to shelve are left to
 * it, and removed from the newer ones: each range keeps the id of the oldest sweep that waits for it. A caller that
 * waits for a sweep therefore waits until nothing up to its id is left. If the older sweep is narrower (one store, one
 * half), the shared range becomes as wide as both together. docs/decisions/003-marks-and-sweeps-are-append-only.md says
 * why.
 * @param sweeps all of them committed and locked: a sweep that a worker is shelving at the moment, from inputs older
 * than another sweep, must not replace that other one.
 */
export function mergeSweeps(sweeps: readonly Sweep[]): Sweep[] {
  const merged: Sweep[] = []
  for (const sweep of sweeps.toSorted((a, b) => a.sweepId - b.sweepId)) add(merged, sweep)
  return merged
}

function add(merged: Sweep[], sweep: Sweep): void {
  const at = merged.findIndex((older) => overlap(older, sweep))
  const older = merged[at]
  if (older === undefined) {
    merged.push(sweep)
    return
  }
  const shared = {
    nextProductId: Math.max(older.nextProductId, sweep.nextProductId),
    endProductId: Math.min(older.endProductId, sweep.endProductId),
  }
  const storeId = older.storeId === sweep.storeId ? older.storeId : null
  const half = older.half === sweep.half ? older.half : null
  if (storeId !== older.storeId || half !== older.half)
    merged.splice(at, 1, ...outside(older, shared), { ...older, ...shared, storeId, half })
  for (const part of outside(sweep, shared)) add(merged, part)
}

const overlap = (a: Range, b: Range) => a.nextProductId < b.endProductId && b.nextProductId < a.endProductId

/** The parts of a sweep before and after a range within it. */
function outside(sweep: Sweep, { nextProductId, endProductId }: Range): Sweep[] {
  const before = { ...sweep, endProductId: nextProductId }
  const after = { ...sweep, nextProductId: endProductId }
  return [before, after].filter((part) => part.nextProductId < part.endProductId)
}
