/**
 * The program of the shelving process: shelf workers and nothing else, on database connections of its own. Started by shelving-process.ts; exits
 * after nothing has been stale for a while, or when the service is gone.
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

/** Requests of readers have priority over shelving. */
lowerPriority(constants.priority.PRIORITY_BELOW_NORMAL)
// terminals and systemd send these signals to every process of a service; the service ends this process when it ends itself
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})

const output = new Socket({ fd: 3, readable: false, writable: true })
// the reader is gone
output.on('error', () => process.exit())
const sendMessage = (message: ShelvingMessage) => output.write(`${JSON.stringify(message)}\n`)

async function work({ database, logLevel, tracing }: ShelvingJob): Promise<void> {
  const log = openLog(logLevel, {
    write: (line) => sendMessage({ kind: 'logged', entry: JSON.parse(line) as Record<string, unknown> }),
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
  /**
   * Whether at least one worker finishes its steps without errors. Without heartbeats the service shelves itself, as it must when these workers
   * cannot reach the database.
   */
  const isWorking = () => workers.some((worker) => worker.ageMs() < LIMITS.shelvingProcessSilenceMs)
  const heartbeat = setInterval(() => {
    if (performance.now() - Math.max(since, shelf.shelvedAt) >= LIMITS.shelvingProcessIdleMs)
      void end(isWorking() ? 0 : 1)
    else if (isWorking()) sendMessage({ kind: 'working' })
  }, LIMITS.shelvingProcessTellsMs)
  sendMessage({ kind: 'working' })

  async function end(code: number) {
    clearInterval(heartbeat)
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
// the service has ended or has closed the pipe: open transactions are rolled back, and the service or another process shelves their products
input.once('close', () => process.exit())
