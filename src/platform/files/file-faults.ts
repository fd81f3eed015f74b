/** What is wrong with a place rather than with us: it has no room, or is not to be written or read by this user. */
const FAULTS = new Set(['EACCES', 'EDQUOT', 'EISDIR', 'ENOSPC', 'ENOTDIR', 'EPERM', 'EROFS'])

/** Whether a file or directory refused what was asked of it, for a reason that whoever runs the command can mend. */
export function isFileFault(error: unknown): error is NodeJS.ErrnoException {
  // what a socket or a process refuses has no path and another call; a stream's write to a full disk has no path either
  return (
    error instanceof Error &&
    'code' in error &&
    'syscall' in error &&
    FAULTS.has(String(error.code)) &&
    !('address' in error)
  )
}
