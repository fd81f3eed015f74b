import { once } from 'node:events'
import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { openDb } from '../../src/db/open-db.ts'
import { openWake } from '../../src/db/wake.ts'
import { openFileReaders } from '../../src/file-readers/readers.ts'
import { openRunFiles } from '../../src/imports/files/open-run-files.ts'
import { importNow } from '../../src/imports/runs/import-now.ts'
import { startImports } from '../../src/imports/runs/loop/loop.ts'
import { openKeptLimits } from '../../src/accounts/limits/kept-limits.ts'
import { TokenRate } from '../../src/accounts/token-rate.ts'
import type { RunContext } from '../../src/imports/runs/loop/run-context.ts'
import { openDiskObjects } from '../../src/objects/disk-objects.ts'
import { openUnfinished } from '../../src/objects/unfinished.ts'
import { faultPoint } from '../../src/platform/process/fault-point.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { openLog } from '../../src/platform/log.ts'
import { Shelf } from '../../src/shelf/shelf.ts'
import { startProcess, type TestProcess } from '../harness/child-process.ts'
import { MAPPING } from '../import/run-bench.ts'

// A process that does import runs and shelves products, until it is killed (SHELFWIRE_KILL_AT, or from outside) or gets SIGTERM.

export interface RunWork {
  url: string
  /** The directory of the file store and of files that are being received. */
  directory: string
  /** The content that sources return. */
  source: string
  /** A run to do first, as the import command does. */
  command: { accountId: number; supplierId: number } | null
}

export const RUN_CHILD = fileURLToPath(import.meta.url)

export const startRunChild = (work: RunWork, killAt?: string): TestProcess => startProcess(RUN_CHILD, work, killAt)

/** Small pages, so that a file of a hundred rows has several, and a short lease, so that the next process does not wait long. */
export const SMALL_RUNS = {
  importPageRows: 30,
  importLeaseMs: 1_500,
  importLeaseRenewMs: 400,
  importRunProgressMs: 200,
}

/** The bytes of the source one after the other, as a slow server sends them. */
async function* slowly(source: string, onBytes: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  const bytes = await readFile(source)
  for (let at = 0; at < bytes.length; at += 500) {
    onBytes(at)
    yield bytes.subarray(at, at + 500)
  }
}

async function run({ url, directory, source, command }: RunWork): Promise<void> {
  Object.assign(LIMITS, SMALL_RUNS)
  const log = openLog('warn')
  const db = openDb({ url, connectionsMax: 6, applicationName: 'run-child' })
  const wake = openWake(db, log)
  await wake.start()
  const unfinished = openUnfinished(`${directory}/unfinished`)
  const limits = openKeptLimits(db, wake, log)
  const context: RunContext = {
    db,
    wake,
    log,
    files: openRunFiles(openDiskObjects(`${directory}/imports`), '', unfinished),
    unfinished,
    readers: openFileReaders(log),
    rates: new TokenRate(db, log, 0, limits),
    async fetchSource(_accountId, _sourceId, _signal, onBytes) {
      const path = await unfinished.path()
      for await (const chunk of slowly(source, onBytes)) await writeFile(path, chunk, { flag: 'a' })
      return {
        kind: 'file',
        path,
        name: 'offers.csv',
        bytes: 1,
        hash: randomUUID(),
        etag: null,
        lastModified: null,
        version: 1,
      }
    },
  }
  if (command !== null) {
    const request = {
      ...command,
      mode: 'full',
      mapping: MAPPING,
      isDryRun: false,
      isConfirmed: true,
      name: 'x',
    } as const
    const bytes = slowly(source, () => faultPoint('run:while-fetching'))
    await importNow(context, command.accountId, request, bytes, () => {})
  }
  const shelf = new Shelf(db, wake, log)
  const worker = shelf.startWorker('shelve')
  const imports = startImports(context)
  await once(process, 'SIGTERM')
  await imports.stop()
  await worker.stop()
  await context.readers.close()
  await wake.stop()
  await db.end({ timeout: 5 })
}

const [, , text] = process.argv
if (import.meta.main && text !== undefined) await run(JSON.parse(text) as RunWork)
