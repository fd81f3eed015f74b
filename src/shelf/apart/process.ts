/**
 * The program of the shelving process: workers of a shelf and nothing else, on connections of its own. shelving-process.ts starts it; it ends when
 * nothing has been stale for a while, and when the service is gone.
 */
import { Socket } from 'node:net'
import { constants } from 'node:os'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { setInterval } from 'node:timers'
import { openSuspensions } from '../../accounts/suspensions.ts'
import { openDb } from '../../db/open-db.ts'
import { openWake } from '../../db/wake.ts'
import { LIMITS } from '../../platform/limits.ts'
import { openLog } from '../../platform/log.ts'
import { lowerPriority } from '../../platform/process/priority.ts'
import { moveClock } from '../../platform/time/clock.ts'
import { setTracer } from '../../platform/tracing/tracing.ts'
import { Shelf } from '../shelf.ts'
import type { ShelvingJob, ShelvingMessage } from './job.ts'

/** Answers to readers come first. */
lowerPriority(constants.priority.PRIORITY_BELOW_NORMAL)
// a terminal and systemd send them to every process of a service, which ends this one when it ends
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})

const output = new Socket({ fd: 3, readable: false, writable: true })
// nobody is left to read it
output.on('error', () => process.exit())
const say = (message: ShelvingMessage) => output.write(`${JSON.stringify(message)}\n`)

async function work({ database, logLevel, tracing }: ShelvingJob): Promise<void> {
  const log = openLog(logLevel, {
    write: (line) => say({ kind: 'logged', entry: JSON.parse(line) as Record<string, unknown> }),
  })
  moveClock(database.clockOffsetMs ?? 0)
  const traces =
    tracing === null ? null : (await import('../../platform/tracing/open-tracer.ts')).openTracer(tracing, log)
  setTracer(traces)
  const db = openDb({
    ...database,
    connectionsMax: LIMITS.shelvingProcessConnections,
    applicationName: 'shelfwire shelving',
  })
  const wake = openWake(db, log)
  await wake.start()
  const suspensions = await openSuspensions(db, wake, log)
  const shelf = new Shelf(db, wake, log)
  const workers = Array.from({ length: LIMITS.shelfWorkers }, (_, i) => shelf.startWorker(`shelve-apart-${i + 1}`))
  const since = performance.now()
  /** Whether their steps end without errors. Workers that cannot reach the database must not keep the service from shelving. */
  const isWorking = () => workers.some((worker) => worker.ageMs() < LIMITS.shelvingProcessSilenceMs)
  const telling = setInterval(() => {
    if (performance.now() - Math.max(since, shelf.shelvedAt) >= LIMITS.shelvingProcessIdleMs)
      void end(isWorking() ? 0 : 1)
    else if (isWorking()) say({ kind: 'working' })
  }, LIMITS.shelvingProcessTellsMs)
  say({ kind: 'working' })

  async function end(code: number) {
    clearInterval(telling)
    await Promise.all(workers.map((worker) => worker.stop()))
    await suspensions.stop()
    await wake.stop()
    await db.end({ timeout: 5 })
    await traces?.close()
    process.exit(code)
  }
}

const input = createInterface({ input: process.stdin })
input.once('line', (line) => void work(JSON.parse(line) as ShelvingJob))
// the service has ended, or wants no more of it: what is under way is rolled back, and shelved again by others
input.once('close', () => process.exit())
