import type { ErrorCode } from '../../platform/errors.ts'

// Exit codes by which scripts decide what to do; docs/import.md lists them. Any other failure is 1.

/** Done, but something needs a look: refused rows, or a source that cannot be fetched. */
export const EXIT_INCOMPLETE = 3
/** The file cannot be read. */
export const EXIT_UNREADABLE = 4
/** A file exceeds the limits of its supplier: it waits to be confirmed, or is refused. */
export const EXIT_EXCEEDED = 5
/** Another import of the supplier is running, or no process has begun this one. */
export const EXIT_WAITS = 6

/** The exit code of a command that ended with an error. */
export const exitCodeOf = (code: ErrorCode): number => OF_ERRORS[code] ?? 1

const OF_ERRORS: Partial<Record<ErrorCode, number>> = {
  'source-unreadable': EXIT_UNREADABLE,
  'import-refused': EXIT_EXCEEDED,
  'import-running': EXIT_WAITS,
}
