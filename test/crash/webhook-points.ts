import type { FaultPoint } from '../../src/platform/fault-point.ts'

/** Every point at which a delivering process is killed, and whether the receiver has then seen the delivery. */
export const WEBHOOK_POINTS = [
  { at: 'webhook:before-commit', isSeen: false },
  { at: 'webhook:after-commit', isSeen: false },
  { at: 'webhook:before-send', isSeen: false },
  { at: 'webhook:after-send', isSeen: true },
] as const satisfies { at: FaultPoint; isSeen: boolean }[]
