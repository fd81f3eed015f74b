import process from 'node:process'
import { createInterface } from 'node:readline'
import { LIMITS } from '../../platform/limits.ts'
import type { Log } from '../../platform/log.ts'
import { startChild, type Child } from '../../platform/process/child.ts'
import { programFile } from '../../platform/process/package.ts'
import type { ShelvingJob, ShelvingMessage } from './job.ts'

const PROGRAM = programFile('shelving', 'shelf/apart/process.ts')
/** pino's levels by their numbers; what is fatal to that process is an error here. */
const LEVELS = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'error' } as const

/**
 * A second process for the shelving of a service that answers requests at the same time: of work that takes long, requests would wait for their
 * turns of the event loop. It runs while there is such work, and ends by itself.
 * docs/decisions/270-long-shelving-has-a-process-of-its-own.md says why.
 */
export interface ShelvingProcess {
  /** Whether it shelves, so that the service may leave it to it: it was started a moment ago, or has said so since. */
  readonly isWorking: boolean
  /** Starts it, unless it runs already, or has ended otherwise than by itself a moment ago. */
  start(): void
  /** Ends it. What it was shelving stays marked. */
  close(): Promise<void>
}

export function openShelvingProcess(log: Log, job: ShelvingJob): ShelvingProcess {
  let child: Child | undefined
  let heardAt = -Infinity
  let restsUntil = -Infinity
  let isClosed = false

  const hear = (line: string) => {
    const message = messageOf(line)
    if (message?.kind === 'working') heardAt = performance.now()
    if (message?.kind !== 'logged') return
    const { level, time: _, msg, ...rest } = message.entry
    log[LEVELS[level as keyof typeof LEVELS] ?? 'error']({ ...rest, process: 'shelving' }, String(msg))
  }
  const start = () => {
    if (child !== undefined || isClosed || performance.now() < restsUntil) return
    // of one that cannot be started the log has the reason; this process goes on shelving
    restsUntil = performance.now() + LIMITS.shelvingProcessRestMs
    const started = startChild(log, PROGRAM, {
      nodeArgs: [`--max-old-space-size=${LIMITS.shelvingProcessMegabytes}`, '--max-semi-space-size=8'],
      threads: 1,
      stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
      env: databaseEnv(),
    })
    child = started
    heardAt = performance.now()
    for (const kept of [started.process, started.stderr, started.pipe(0), started.pipe(3)]) kept.unref()
    createInterface({ input: started.pipe(3) }).on('line', hear)
    started.pipe(0).write(`${JSON.stringify(job)}\n`)
    void started.ended.then((how) => {
      child = undefined
      heardAt = -Infinity
      restsUntil = how === 'code 0' ? -Infinity : performance.now() + LIMITS.shelvingProcessRestMs
      if (how !== 'code 0' && !isClosed)
        log.warn(
          { how, last_words: started.lastWords().slice(-500) },
          'the shelving process has ended; the service shelves the rest',
        )
    })
  }

  return {
    get isWorking() {
      return performance.now() - heardAt < LIMITS.shelvingProcessSilenceMs
    },
    start() {
      try {
        start()
      } catch {
        // startChild has logged it
      }
    },
    async close() {
      isClosed = true
      if (child === undefined) return
      const { ended } = child
      child.process.kill('SIGKILL')
      await ended
    },
  }
}

/** The variables that connections to the database use besides its URL. */
const databaseEnv = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => /^(?:PG[A-Z]+|HOME|NODE_EXTRA_CA_CERTS)$/.test(name)),
  )

/** Undefined for a line that the end of the process has cut off. */
function messageOf(line: string): ShelvingMessage | undefined {
  try {
    return JSON.parse(line) as ShelvingMessage
  } catch {
    return undefined
  }
}
