import { once } from 'node:events'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { openDb } from '../../src/db/open-db.ts'
import { startNoticeChannels } from '../../src/notices/deliver.ts'
import { openOutbound } from '../../src/outbound/client.ts'
import { openLog } from '../../src/platform/log.ts'
import { openSeal } from '../../src/platform/secrets/seal.ts'
import { startProcess, type TestProcess } from '../harness/child-process.ts'

// A process that only sends notices through channels, until it is killed (SHELFWIRE_KILL_AT) or gets SIGTERM.

export interface Work {
  url: string
  key: string
}

/** Starts a process; resolves when its loop runs or the process has ended. */
export async function startSender(work: Work, killAt?: string): Promise<TestProcess> {
  const child = startProcess(fileURLToPath(import.meta.url), work, killAt)
  await Promise.race([once(child.process.stdout, 'data'), child.ended])
  return child
}

async function run({ url, key }: Work): Promise<void> {
  const log = openLog('warn')
  const db = openDb({ url, directUrl: url, connectionsMax: 4 })
  const outbound = openOutbound({ allow: ['127.0.0.0/8'], userAgent: 'Shelfwire/test' })
  const seal = openSeal([key])
  const loop = startNoticeChannels({ db, log, outbound, seal, publicUrl: () => '' }, { idleMs: 20 })
  process.stdout.write('sending\n')
  await once(process, 'SIGTERM')
  await loop.stop()
  await outbound.close()
  await db.end({ timeout: 5 })
}

const [, , text] = process.argv
if (import.meta.main && text !== undefined) await run(JSON.parse(text) as Work)
