import type { FaultPoint } from '../../src/platform/process/fault-point.ts'

/** The fault points of sealing with a new key: test/database/rekey.full.pg.test.ts kills at both repeatedly. */
export const REKEY_POINTS = ['rekey:before-commit', 'rekey:after-commit'] as const satisfies FaultPoint[]
