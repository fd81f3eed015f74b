import process from 'node:process'

/** What of this process and its environment says whose child it is. */
export interface Ancestry {
  environment: Readonly<Record<string, string | undefined>>
  /** Number of the parent process now; on Windows it stays when the parent ends. */
  parent(): number
  /** Whether a process with this number runs. */
  runs(pid: number): boolean
}

const ofThisProcess: Ancestry = { environment: process.env, parent: () => process.ppid, runs }

/**
 * A check of whether the process that we must not outlive has ended, or null where there is none:
 * - our launcher (bin/node24.mjs), which cannot tell us that it was killed with SIGKILL. Its number is in the environment, which
 *   processes started by ours inherit: for them the number is of a process that runs and is not their parent, and says nothing;
 * - the shell between npm and us. npm passes a SIGTERM on to that shell, and dash ends without passing it on to us.
 */
export function watchParent({ environment, parent, runs: isRunning }: Ancestry = ofThisProcess):
  | (() => boolean)
  | null {
  const launcher = Number(environment['SHELFWIRE_LAUNCHER_PID'] ?? 0)
  const isOurs = launcher > 0 && (launcher === parent() || !isRunning(launcher))
  if (!isOurs && environment['npm_lifecycle_event'] === undefined) return null
  const watched = isOurs ? launcher : parent()
  return () => parent() !== watched || !isRunning(watched)
}

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // it runs, as another user
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
