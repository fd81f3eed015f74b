import type { FaultPoint } from '../../src/platform/process/fault-point.ts'

/** Every point at which a process that works on operations is killed. */
export const OPERATION_POINTS = ['operation:before-commit', 'operation:after-commit'] as const satisfies FaultPoint[]
