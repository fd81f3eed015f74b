import type { FaultPoint } from '../../src/platform/process/fault-point.ts'

/** The fault points of the delivery loop, and whether the receiver has got the delivery when the process is killed there. */
export const WEBHOOK_POINTS = [
  { at: 'webhook:before-commit', isSeen: false },
  { at: 'webhook:after-commit', isSeen: false },
  { at: 'webhook:before-send', isSeen: false },
  { at: 'webhook:after-send', isSeen: true },
] as const satisfies { at: FaultPoint; isSeen: boolean }[]
