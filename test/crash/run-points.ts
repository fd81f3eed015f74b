import type { FaultPoint } from '../../src/platform/process/fault-point.ts'

/** The fault points of import runs by kind of work, and the passes at which the process is killed. */
export const RUN_POINTS = [
  { kind: 'source', at: 'run:after-claim', passes: [1] },
  { kind: 'source', at: 'run:while-fetching', passes: [2] },
  { kind: 'source', at: 'run:after-keep', passes: [1] },
  { kind: 'source', at: 'run:while-reading', passes: [1, 3] },
  { kind: 'source', at: 'import:page-before-commit', passes: [1, 3] },
  { kind: 'source', at: 'import:page-after-commit', passes: [1, 3] },
  { kind: 'source', at: 'import:before-absent', passes: [1] },
  { kind: 'source', at: 'run:before-end', passes: [1] },
  { kind: 'command', at: 'run:while-fetching', passes: [1] },
  { kind: 'command', at: 'import:page-after-commit', passes: [1] },
  { kind: 'undo', at: 'run:after-claim', passes: [1] },
  { kind: 'undo', at: 'run:undo-before-commit', passes: [1, 2] },
  { kind: 'undo', at: 'run:undo-after-commit', passes: [1, 2] },
  { kind: 'undo', at: 'run:before-end', passes: [1] },
] as const satisfies { kind: 'source' | 'command' | 'undo'; at: FaultPoint; passes: number[] }[]
