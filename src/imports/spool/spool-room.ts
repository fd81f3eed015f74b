import { LIMITS } from '../../platform/limits.ts'
import { unreadable } from '../../supplier-files/rows.ts'
import type { Spool } from './spool.ts'

/**
 * Limits the size of the spool relative to the file. @throws ShelfwireError `source-unreadable` if it is far larger than what was read of the file,
 * because the mapping repeats values
 */
export function requireRoom(spool: Pick<Spool, 'bytes'>, read: number | undefined, line: number | undefined): void {
  if (read === undefined) return
  const { importSpoolTimes: times, importSpoolFreeBytes: free } = LIMITS
  if (spool.bytes <= free + times * read) return
  const megabytes = (bytes: number) => Math.ceil(bytes / 1_048_576)
  throw unreadable(
    `line ${line}: the offers up to here take ${megabytes(spool.bytes)} MB, more than ${times} times the ${megabytes(read)} MB of the file that they are made of and ${megabytes(free)} MB: the mapping writes the same values into too many fields, attributes or articles. Name each column once, and split a file in which long records list very many articles`,
  )
}
