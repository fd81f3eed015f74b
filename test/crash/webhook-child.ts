import { once } from 'node:events'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { openDb } from '../../src/db/open-db.ts'
import { openWake } from '../../src/db/wake.ts'
import { openLog } from '../../src/platform/log.ts'
import { openSeal } from '../../src/platform/secrets/seal.ts'
import { openOutbound } from '../../src/outbound/client.ts'
import { startDeliverer } from '../../src/webhooks/deliver/loop.ts'
import { startProcess, type TestProcess } from '../harness/child-process.ts'

// A process that only runs the delivery loop, until it is killed (SHELFWIRE_KILL_AT, or from outside) or gets SIGTERM.

export interface Work {
  url: string
  /** The database without the pooler; if absent, `url` has none. */
  directUrl?: string
  /** The application name of its database connections. */
  name: string
  key: string
}

export const WEBHOOK_CHILD = fileURLToPath(import.meta.url)

/** Starts a process; resolves when its delivery loop runs or the process has ended. */
export async function startChild(work: Work, killAt?: string): Promise<TestProcess> {
  const child = startProcess(WEBHOOK_CHILD, work, killAt)
  await Promise.race([once(child.process.stdout, 'data'), child.ended])
  return child
}

/** Kills a process; resolves when it has ended. */
export async function killChild(child: TestProcess): Promise<void> {
  child.process.kill('SIGKILL')
  await child.ended
}

async function run(work: Work): Promise<void> {
  const log = openLog('warn')
  const db = openDb({
    url: work.url,
    directUrl: work.directUrl ?? work.url,
    connectionsMax: 6,
    applicationName: work.name,
  })
  const wake = openWake(db, log)
  await wake.start()
  const outbound = openOutbound({ allow: ['127.0.0.0/8'], userAgent: 'Shelfwire/test' })
  const loop = startDeliverer({ db, wake, log, outbound, seal: openSeal([work.key]) })
  process.stdout.write('delivering\n')
  await once(process, 'SIGTERM')
  await loop.stop()
  await outbound.close()
  await wake.stop()
  await db.end({ timeout: 5 })
}

const [, , text] = process.argv
if (import.meta.main && text !== undefined) await run(JSON.parse(text) as Work)
