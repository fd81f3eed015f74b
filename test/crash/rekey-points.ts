import type { FaultPoint } from '../../src/platform/process/fault-point.ts'

/** The fault points of sealing anew: test/database/rekey.full.pg.test.ts kills at both, again and again. */
export const REKEY_POINTS = ['rekey:before-commit', 'rekey:after-commit'] as const satisfies FaultPoint[]
