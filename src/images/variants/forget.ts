import type { Db } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { Log } from '../../platform/log.ts'
import { startLoop, type Loop } from '../../platform/process/loop.ts'
import { hashesUsed, hashesUsedLately } from '../unused/unused.sql.ts'
import { hashesOfVariants, variantsRemove } from './variant-files.ts'

const HOUR_MS = 3_600_000

/**
 * Removes variants of pictures that no account uses any more. The limit of the cache alone may never remove them, and nothing may
 * remain of an erased account. Each call handles one of 256 directories.
 * @returns the number of pictures whose variants were removed
 */
export async function forgetVariants(db: Db, root: string, place: number): Promise<number> {
  const hashes = await hashesOfVariants(root, place)
  let removed = 0
  for (let i = 0; i < hashes.length; i += LIMITS.imageListPage) {
    const part = hashes.slice(i, i + LIMITS.imageListPage)
    const used = await hashesUsed(db, part)
    const lately = await hashesUsedLately(db, part, LIMITS.imageUnusedDays)
    const unused = new Set(part.filter((hash) => !used.has(hash) && !lately.has(hash)))
    if (unused.size > 0) await variantsRemove(root, place, unused)
    removed += unused.size
  }
  return removed
}

/** Starts removing unused variants once a day, for the first time an hour after the start, in a process that makes variants. */
export function startForgettingVariants(db: Db, root: string, log: Log): Loop {
  let nextAt = performance.now() + HOUR_MS
  let place = 0
  let removed = 0
  return startLoop({
    name: 'unused sizes of pictures',
    log,
    idleMs: 60_000,
    async step() {
      if (performance.now() < nextAt) return 'idle'
      removed += await forgetVariants(db, root, place)
      place = (place + 1) % 256
      if (place > 0) return 'more'
      nextAt = performance.now() + LIMITS.imageRemovalHours * HOUR_MS
      if (removed > 0) log.info({ removed }, 'other sizes of pictures that nobody used were removed')
      removed = 0
      return 'idle'
    },
  })
}
