import { constants } from 'node:fs'
import { access, mkdir } from 'node:fs/promises'
import { flushCompileCache } from 'node:module'
import { setInterval } from 'node:timers'
import type { Log } from '../../platform/log.ts'
import { asError, ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { releaseMemoryWhenIdle } from '../../platform/process/memory.ts'
import { type Runtime } from '../../runtime.ts'
import { ROLES, startService, type Role, type Service } from '../../service.ts'
import { watchParent } from './parent.ts'
import { enterRuntime, readEnvironment } from '../console/run.ts'

/** Parses roles such as `api,work`. @throws ShelfwireError `invalid-input` for an unknown role */
export function parseRoles(text: string): Role[] {
  const names = text.split(',').map((name) => name.trim())
  return names.map((name) => {
    const role = ROLES.find((known) => known === name)
    if (role === undefined)
      throw new ShelfwireError('invalid-input', `"${name}" is not a role; the roles are ${ROLES.join(', ')}`)
    return role
  })
}

/** Ends background work before the service ends. */
export type Ends = () => Promise<void>

/**
 * Tells the first owner of a service without an account how to sign up; null if there is an account. If the database refuses writes, the start
 * continues without it.
 */
export async function firstOwnerNote(log: Log, service: Service): Promise<string | null> {
  const link = await service.firstOwnerLink().catch((error: unknown) => {
    log.warn({ err: error }, 'no link for the first owner could be made; start the service again for one')
    return null
  })
  if (link === null) return null
  return `There is no account yet. To become the first owner, open this link within ${LIMITS.firstOwnerLinkHours} hours; it works once, and the next start prints another:\n\n  ${link}\n`
}

/** Printed and not logged, because whoever has the link owns the service. */
async function greetFirstOwner({ log }: Runtime, service: Service): Promise<void> {
  const note = await firstOwnerNote(log, service)
  if (note !== null) process.stdout.write(`\n${note}\n`)
}

/**
 * With an external database, the service would start and answer reads even if DATA_DIR is read-only; files of imports and pictures would each be
 * refused later.
 */
async function warnOfReadOnlyData(dataDir: string, log: Log): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true })
    await access(dataDir, constants.W_OK)
  } catch (error) {
    log.error(
      { err: asError(error), dataDir },
      'DATA_DIR is not writable for this user: files of imports and pictures cannot be taken. Give it to the user, or set DATA_DIR',
    )
  }
}

/** Runs the service until a signal ends it. `onReady` is called when it listens; the function that it returns is called at the end. */
export async function serve(
  roles: readonly Role[],
  onReady: (runtime: Runtime, service: Service) => Promise<Ends | void> = greetFirstOwner,
): Promise<void> {
  const { settings, log } = readEnvironment()
  // root is not given up: the embedded server's files and process belong to another user, for whom only root can act
  if (process.getuid?.() === 0)
    log.warn(
      'the service runs as root and stays root: whoever breaks into it has the whole machine. Run it as a user of its own: docs/operations.md, "As a plain user"',
    )
  // the embedded server reports this itself
  if (settings.databaseUrl !== null) await warnOfReadOnlyData(settings.dataDir, log)
  // After an error that nobody caught, the state of this process is unknown. Ending it is safe: the next one continues from
  // what was committed.
  process.once('uncaughtException', (error) => {
    log.fatal({ err: error }, 'unhandled error, exiting; start the service again')
    process.exit(70)
  })
  // registered before start-up: a signal during start-up must not leave the database server running
  const ending = endSignal(log)
  await using runtime = await enterRuntime(settings, log)
  const isReady = Promise.withResolvers<void>()
  await using service = await startService(runtime, roles, { mirrorAfter: isReady.promise })
  log.info({ url: service.url, metricsUrl: service.metricsUrl, roles }, 'shelfwire is running')
  const ready = onReady(runtime, service)
  ready.then(
    () => isReady.resolve(),
    () => {},
  )
  // Node writes its compile cache only at a clean exit; a service that is killed would compile everything again at each start
  setTimeout(flushCompileCache, COMPILE_CACHE_MS).unref()
  releaseMemoryWhenIdle(() => runtime.traffic.at)
  // a signal also interrupts the creation of the demo, which the next start continues
  const ends = await Promise.race([ready, ending.then(() => undefined)])
  const reason = await ending
  ready.catch((error: unknown) => log.debug({ err: error }, 'interrupted during start-up'))
  log.info({ reason }, 'shutting down')
  // an interrupted start has started no background work yet
  await ends?.()
}

const ORPHAN_CHECK_MS = 1_000
/** By then the service has answered its first requests. */
const COMPILE_CACHE_MS = 3_000
/** One Ctrl-C may arrive twice: from the terminal, and passed on by npm or a launcher. */
const SAME_KEYSTROKE_MS = 1_000

/** Resolves at the first SIGINT, SIGTERM or SIGHUP, or when our launcher or npm's shell has ended; a second signal exits at once. */
function endSignal(log: Log): Promise<string> {
  return new Promise((resolve) => {
    let isEnding = false
    let since = 0
    const end = (reason: string) => {
      if (!isEnding) since = performance.now()
      else if (performance.now() - since > SAME_KEYSTROKE_MS) {
        log.warn('second signal, exiting at once')
        process.exit(130)
      }
      isEnding = true
      resolve(reason)
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(signal))
    const isOrphan = watchParent()
    if (isOrphan !== null) {
      setInterval(() => {
        if (!isEnding && isOrphan()) end('the process that started this one has ended')
      }, ORPHAN_CHECK_MS).unref()
    }
  })
}
