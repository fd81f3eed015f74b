import process from 'node:process'
import { openDb } from '../../src/db/open-db.ts'
import { openWake } from '../../src/db/wake.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { silentLog } from '../../src/platform/log.ts'
import { accountStep } from '../../src/operations/step.ts'
import { Shelf } from '../../src/shelf/shelf.ts'

// A process that works on an account's operations and may be killed meanwhile (SHELFWIRE_KILL_AT). Run again, it completes them.

export interface Job {
  url: string
  accountId: number
}

/** Small chunks and steps, so that an operation of a hundred rows has many points at which it can be killed. */
export const SMALL = { operationChunkRows: 20, deletedRowsPerStep: 40 }

async function run({ url, accountId }: Job): Promise<void> {
  Object.assign(LIMITS, SMALL)
  const db = openDb({ url, connectionsMax: 4, applicationName: 'operations-child' })
  const wake = openWake(db, silentLog)
  const shelf = new Shelf(db, wake, silentLog)
  for (let isMore = true; isMore;) {
    isMore = (await accountStep(db, silentLog, accountId, new Map())).isProductive
    // payloads are shelved once everything is written, and operations end after that
    if (!isMore) isMore = (await shelf.drain(accountId)).products > 0
  }
  await wake.stop()
  await db.end({ timeout: 5 })
}

const [, , text] = process.argv
if (import.meta.main && text !== undefined) await run(JSON.parse(text) as Job)
