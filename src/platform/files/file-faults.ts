/**
 * Codes of faults of a place in the file system and not of this program: it is full, or this user may not read or write
 * it.
 */
const FAULTS = new Set(['EACCES', 'EDQUOT', 'EISDIR', 'ENOSPC', 'ENOTDIR', 'EPERM', 'EROFS'])

/** Whether a file or directory refused an operation for a reason that the user of the command can remove. */
export function isFileFault(error: unknown): error is NodeJS.ErrnoException {
  // errors of sockets and processes have no path and other system calls; nor has a stream's write to a full disk a path
  return (
    error instanceof Error &&
    'code' in error &&
    'syscall' in error &&
    FAULTS.has(String(error.code)) &&
    !('address' in error)
  )
}
