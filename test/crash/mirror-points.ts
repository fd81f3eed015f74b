import type { FaultPoint } from '../../src/platform/process/fault-point.ts'

/** The fault points of mirroring a picture, and of the shelver that registers and shows it. */
export const MIRROR_POINTS = [
  'mirror:after-claim',
  'mirror:after-fetch',
  'mirror:after-put',
  'mirror:before-commit',
  'mirror:after-commit',
  'shelve:images-inserted',
] as const satisfies FaultPoint[]
