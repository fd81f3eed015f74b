import { setInterval } from 'node:timers'
import type { Log } from '../platform/log.ts'
import { ShelfwireError } from '../platform/errors.ts'
import { ROLES, startService, type Runtime, type Role, type Service } from '../runtime.ts'
import { enterRuntime, readEnvironment } from './run.ts'

/** `api,work` -> roles; refuses others by name. */
export function parseRoles(text: string): Role[] {
  const names = text.split(',').map((name) => name.trim())
  return names.map((name) => {
    const role = ROLES.find((known) => known === name)
    if (role === undefined)
      throw new ShelfwireError('invalid-input', `«${name}» is no role; there are ${ROLES.join(', ')}`)
    return role
  })
}

/** Runs the service until a signal ends it. `onReady` runs once everything listens. */
export async function serve(
  roles: readonly Role[],
  onReady: (runtime: Runtime, service: Service) => Promise<void> = async () => {},
): Promise<void> {
  const { settings, log } = readEnvironment()
  // A connection that dies under a transaction makes postgres.js throw where nobody can catch it (porsager/postgres#1154),
  // and what waited for it waits for ever. Ending is safe, everything goes on from what is committed.
  process.once('uncaughtException', (error) => {
    log.fatal({ err: error }, 'ending: an error that nothing could handle; start the service again')
    process.exit(70)
  })
  // listened for from the first moment on: a signal during start-up must not leave the database server behind
  const ending = endSignal(log)
  await using runtime = await enterRuntime(settings, log)
  await using service = await startService(runtime, roles)
  log.info({ url: service.url, roles }, 'shelfwire is running')
  const ready = onReady(runtime, service)
  // a signal ends the making of the demo too; the next start goes on with it
  await Promise.race([ready, ending])
  const reason = await ending
  ready.catch((error: unknown) => log.debug({ err: error }, 'ended while getting ready'))
  log.info({ reason }, 'shutting down')
}

const ORPHAN_CHECK_MS = 1_000
/** One Ctrl-C may arrive twice: from the terminal, and handed on by npm or a launcher. */
const SAME_KEYSTROKE_MS = 1_000

/** Resolves at the first SIGINT, SIGTERM or SIGHUP, or when the launcher that started us is gone; a second signal kills. */
function endSignal(log: Log): Promise<string> {
  return new Promise((resolve) => {
    let isEnding = false
    let since = 0
    const end = (reason: string) => {
      if (!isEnding) since = performance.now()
      else if (performance.now() - since > SAME_KEYSTROKE_MS) {
        log.warn('second signal: ending at once')
        process.exit(130)
      }
      isEnding = true
      resolve(reason)
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(signal))
    const launcher = Number(process.env['SHELFWIRE_LAUNCHER_PID'] ?? 0)
    if (launcher > 0) {
      setInterval(() => {
        if (!isEnding && process.ppid !== launcher) end('the launcher is gone')
      }, ORPHAN_CHECK_MS).unref()
    }
  })
}
