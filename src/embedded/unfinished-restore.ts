import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ShelfwireError } from '../platform/errors.ts'

/** A file in DATA_DIR while a backup is being restored into it (backup/restore.ts). */
export const UNFINISHED_RESTORE = 'restore-unfinished.json'

/** @throws ShelfwireError `database-unusable` if a restore has begun and not ended: the data may be incomplete, or not fenced. */
export function refuseUnfinishedRestore(dataDir: string): void {
  const marker = join(dataDir, UNFINISHED_RESTORE)
  if (!existsSync(marker)) return
  throw new ShelfwireError(
    'database-unusable',
    `a backup is being restored into ${dataDir}, or its restore was interrupted: run shelfwire restore again, or remove the directory`,
  )
}
