import process from 'node:process'

// Named points at which a crash test kills the process, as a power cut would. Without the variable a point is one comparison.
const [target, passes] = (process.env['SHELFWIRE_KILL_AT'] ?? '').split('#')
let left = Number(passes ?? 1)

export type FaultPoint =
  | 'import:page-before-commit'
  | 'import:page-after-commit'
  | 'import:before-absent'
  | 'run:after-claim'
  | 'run:while-fetching'
  | 'run:after-keep'
  | 'run:while-reading'
  | 'run:before-end'
  | 'run:undo-before-commit'
  | 'run:undo-after-commit'
  | 'shelve:after-lock'
  | 'shelve:images-inserted'
  | 'shelve:before-commit'
  | 'shelve:after-commit'
  | 'sweep:after-merge'
  | 'sweep:after-cut'
  | 'sweep:before-progress'
  | 'sweep:after-progress'
  | 'sweep:after-commit'
  | 'operation:before-commit'
  | 'operation:after-commit'
  | 'webhook:before-send'
  | 'webhook:after-send'
  | 'webhook:before-commit'
  | 'webhook:after-commit'
  | 'security-mail:before-send'
  | 'notice:before-send'
  | 'notice:after-send'
  | 'mirror:after-claim'
  | 'mirror:after-fetch'
  | 'mirror:after-put'
  | 'mirror:before-commit'
  | 'mirror:after-commit'
  | 'rekey:before-commit'
  | 'rekey:after-commit'
  | 'erase:before-commit'
  | 'erase:after-commit'
  | 'erase:account-deleted'
  | 'archive:before-commit'
  | 'archive:after-commit'

/** Kills the process with SIGKILL on the n-th pass when SHELFWIRE_KILL_AT is `name#n`; does nothing otherwise. */
export function faultPoint(name: FaultPoint): void {
  if (target !== name) return
  if (--left <= 0) process.kill(process.pid, 'SIGKILL')
}
