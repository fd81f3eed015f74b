import { createInterface } from 'node:readline'
import { LIMITS } from '../../platform/limits.ts'
import type { Log } from '../../platform/log.ts'
import { startChild, type Child } from '../../platform/process/child.ts'
import { programFile } from '../../platform/process/package.ts'
import type { ShelvingJob, ShelvingMessage } from './job.ts'

const PROGRAM = programFile('shelving', 'shelf/apart/process.ts')
/** pino's levels by number; a fatal entry of that process is logged here as an error. */
const LEVELS = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'error' } as const

/**
 * A second process that shelves for a service that also answers requests: long shelving would delay requests in the event loop. It is started
 * when there is such work and exits by itself. docs/decisions/270-long-shelving-has-a-process-of-its-own.md says why.
 */
export interface ShelvingProcess {
  /** Whether the process shelves, so that this one need not: it was started, or sent a heartbeat, within LIMITS.shelvingProcessSilenceMs. */
  readonly isWorking: boolean
  /** Starts the process unless it runs already, or has failed within LIMITS.shelvingProcessRestMs. */
  start(): void
  /** Kills the process. Products that it was shelving keep their marks. */
  close(): Promise<void>
}

export function openShelvingProcess(log: Log, job: ShelvingJob): ShelvingProcess {
  let child: Child | undefined
  let heardAt = -Infinity
  let restsUntil = -Infinity
  let isClosed = false

  const onLine = (line: string) => {
    const message = messageOf(line)
    if (message?.kind === 'working') heardAt = performance.now()
    if (message?.kind !== 'logged') return
    const { level, time: _, msg, ...rest } = message.entry
    log[LEVELS[level as keyof typeof LEVELS] ?? 'error']({ ...rest, process: 'shelving' }, String(msg))
  }
  const start = () => {
    if (child !== undefined || isClosed || performance.now() < restsUntil) return
    // when starting fails, the log has the reason, and this process shelves until the pause is over
    restsUntil = performance.now() + LIMITS.shelvingProcessRestMs
    const started = startChild(log, PROGRAM, {
      nodeArgs: [`--max-old-space-size=${LIMITS.shelvingProcessMegabytes}`, '--max-semi-space-size=8'],
      threads: 1,
      hasConnections: true,
      stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
    })
    child = started
    heardAt = performance.now()
    for (const kept of [started.process, started.stderr, started.pipe(0), started.pipe(3)]) kept.unref()
    createInterface({ input: started.pipe(3) }).on('line', onLine)
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

/** Undefined for a line that was cut off when the process ended. */
function messageOf(line: string): ShelvingMessage | undefined {
  try {
    return JSON.parse(line) as ShelvingMessage
  } catch {
    return undefined
  }
}
