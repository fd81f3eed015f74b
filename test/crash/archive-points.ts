import type { FaultPoint } from '../../src/platform/process/fault-point.ts'

/** The fault points at which test/accounts/archive-import-kill kills an import of an archive. */
export const ARCHIVE_POINTS = ['archive:before-commit', 'archive:after-commit'] as const satisfies FaultPoint[]
