import process from 'node:process'

/**
 * A check of whether the process that we must not outlive has ended, or null where there is none:
 * - our launcher (bin/node24.mjs), which cannot tell us that it was killed with SIGKILL. Its number is in the environment, which
 *   processes started by ours inherit: for them the number is of a process that runs and is not their parent, and says nothing;
 * - the shell between npm and us. npm passes a SIGTERM on to that shell, and dash ends without passing it on to us.
 */
export function watchParent(): (() => boolean) | null {
  const launcher = Number(process.env['SHELFWIRE_LAUNCHER_PID'] ?? 0)
  const isOurs = launcher > 0 && (launcher === process.ppid || !runs(launcher))
  if (!isOurs && process.env['npm_lifecycle_event'] === undefined) return null
  const watched = isOurs ? launcher : process.ppid
  // on Windows the parent's number stays when it ends
  return () => process.ppid !== watched || !runs(watched)
}

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // it runs, as another user
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
