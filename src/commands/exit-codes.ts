import type { ErrorCode } from '../platform/errors.ts'

// Exit codes by which a script decides what to do; docs/import.md lists them. Anything else that failed is 1.

/** What was asked for is done, and something of it needs a look: refused rows, or a source that cannot be fetched. */
export const EXIT_INCOMPLETE = 3
/** The file cannot be read. */
export const EXIT_UNREADABLE = 4
/** A file that exceeds the limits of its supplier waits to be confirmed, or is refused. */
export const EXIT_EXCEEDED = 5
/** Another import of the supplier runs, or no process has begun this one. */
export const EXIT_WAITS = 6

/** The exit code of a command that ended with an error. */
export const exitCodeOf = (code: ErrorCode): number => OF_ERRORS[code] ?? 1

const OF_ERRORS: Partial<Record<ErrorCode, number>> = {
  'source-unreadable': EXIT_UNREADABLE,
  'import-refused': EXIT_EXCEEDED,
  'import-running': EXIT_WAITS,
}
