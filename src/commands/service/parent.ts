import process from 'node:process'

/**
 * Watches the process that this one must not outlive. @returns a function that says whether it has ended, or null if there is none. It is
 * - our launcher (bin/node24.mjs), which cannot notify us when it is killed with SIGKILL. Its process id is in the environment, which our child
 * processes inherit: for them the id belongs to a running process that is not their parent, so it is ignored;
 * - the shell between npm and us. npm passes a SIGTERM on to that shell, and dash ends without passing it on to us.
 */
export function watchParent(): (() => boolean) | null {
  const launcher = Number(process.env['SHELFWIRE_LAUNCHER_PID'] ?? 0)
  const isOurs = launcher > 0 && (launcher === process.ppid || !runs(launcher))
  if (!isOurs && process.env['npm_lifecycle_event'] === undefined) return null
  const watched = isOurs ? launcher : process.ppid
  // on Windows, the parent's id does not change when the parent ends
  return () => process.ppid !== watched || !runs(watched)
}

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // it is running, as another user
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
