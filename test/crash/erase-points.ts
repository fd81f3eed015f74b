import type { FaultPoint } from '../../src/platform/process/fault-point.ts'

/** The fault points of erasing an account: test/accounts/erasure-kill.full.pg.test.ts kills at each. */
export const ERASE_POINTS = [
  'erase:before-commit',
  'erase:after-commit',
  'erase:account-deleted',
] as const satisfies FaultPoint[]
