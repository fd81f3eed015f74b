import { once } from 'node:events'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { openDb } from '../../src/db/open-db.ts'
import { openWake } from '../../src/db/wake.ts'
import { MIRROR_LANE, openDecoders } from '../../src/images/decode/decoders.ts'
import { startMirror } from '../../src/images/mirror/loop.ts'
import { openUnfinished } from '../../src/objects/unfinished.ts'
import { openRoom } from '../../src/images/mirror/room.ts'
import { openDiskStore } from '../../src/images/store/disk-store.ts'
import { openOutbound } from '../../src/outbound/client.ts'
import { moveClock } from '../../src/platform/time/clock.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { openLog } from '../../src/platform/log.ts'
import { Shelf } from '../../src/shelf/shelf.ts'
import { startProcess, type TestProcess } from '../harness/child-process.ts'

// A process that mirrors pictures and shelves products, until it is killed (SHELFWIRE_KILL_AT, or from outside) or gets SIGTERM.

export interface MirrorWork {
  url: string
  /** The directory of the picture store and of files that are being fetched. */
  directory: string
  /** The offset of its clock and of its sessions' clock; the database has the moved clock installed. */
  clockOffsetMs?: number
}

export const MIRROR_CHILD = fileURLToPath(import.meta.url)

export const startMirrorChild = (work: MirrorWork, killAt?: string): TestProcess =>
  startProcess(MIRROR_CHILD, work, killAt)

async function run({ url, directory, clockOffsetMs = 0 }: MirrorWork): Promise<void> {
  // the leases of a killed process block its pictures and slots for this long
  Object.assign(LIMITS, { mirrorLeaseMs: 2_000 })
  moveClock(clockOffsetMs)
  const log = openLog('warn')
  const db = openDb({ url, connectionsMax: 6, applicationName: 'mirror-child', clockOffsetMs })
  const wake = openWake(db, log)
  await wake.start()
  const outbound = openOutbound({ allow: ['127.0.0.0/8'], userAgent: 'Shelfwire/test' })
  const decoders = openDecoders(MIRROR_LANE, log)
  const shelf = new Shelf(db, wake, log)
  const worker = shelf.startWorker('shelve')
  const mirror = startMirror({
    db,
    wake,
    log,
    outbound,
    decoders,
    store: openDiskStore(`${directory}/images`),
    unfinished: openUnfinished(`${directory}/fetching`),
    perSecond: 1_000,
    room: openRoom(db, null),
  })
  await once(process, 'SIGTERM')
  await mirror.stop()
  await worker.stop()
  await decoders.close()
  await outbound.close()
  await wake.stop()
  await db.end({ timeout: 5 })
}

const [, , text] = process.argv
if (import.meta.main && text !== undefined) await run(JSON.parse(text) as MirrorWork)
