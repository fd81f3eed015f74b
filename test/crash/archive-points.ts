import type { FaultPoint } from '../../src/platform/process/fault-point.ts'

/** Where an import of an archive is killed: test/accounts/archive-import-kill. */
export const ARCHIVE_POINTS = ['archive:before-commit', 'archive:after-commit'] as const satisfies FaultPoint[]
