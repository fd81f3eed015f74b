/**
 * The program of a reading process: reads suppliers' files, one at a time, and has access to nothing else. readers.ts starts it, and starts another
 * one if a file kills this one.
 */
import { flushCompileCache } from 'node:module'
import { Socket } from 'node:net'
import { constants } from 'node:os'
import process from 'node:process'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import { asError, ShelfwireError, unreachable } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import { lowerPriority } from '../platform/process/priority.ts'
import { detectMapping } from '../supplier-files/proposal/detect.ts'
import type { Mapping } from '../supplier-files/mapping/mapping.ts'
import { previewRows } from '../supplier-files/preview.ts'
import { readOfferPages } from '../supplier-files/read-offers.ts'
import type { ReadRow } from '../supplier-files/reading.ts'
import { FRAME, framed, framesOf, jsonOf, sendFrame } from './frames.ts'
import type { ReadJob, ReadResult } from './job.ts'
import { RowPage } from './row-pages.ts'

/** Answering requests is more urgent. */
lowerPriority(constants.priority.PRIORITY_BELOW_NORMAL)

/** How many bytes of a packed file are unpacked at a time: each time costs a turn of the event loop and a thread. */
const UNPACKED_BYTES = 262_144

const output = new Socket({ fd: 3, readable: false, writable: true })
// the service is gone, so nobody would read the rows
output.on('error', () => process.exit())
const input = framesOf(process.stdin, LIMITS.fileReaderFrameBytesMax)
void sendFrame(output, FRAME.ready)

/**
 * The bytes of the current job. There may be several readers at once, for example a stream that is destroyed while it reads; frames are given to them
 * in order.
 */
class JobBytes {
  #isAtEnd = false
  #last: Promise<unknown> = Promise.resolve()

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (let chunk = await this.#next(); chunk !== undefined; chunk = await this.#next()) yield chunk
  }

  #next(): Promise<Uint8Array | undefined> {
    const next = this.#last.then(() => this.#read())
    this.#last = next.catch(() => {})
    return next
  }

  async #read(): Promise<Uint8Array | undefined> {
    if (this.#isAtEnd) return undefined
    const next = await input.next()
    if (next.done === true) process.exit()
    const { kind, content } = next.value
    if (kind === FRAME.data) return content
    this.#isAtEnd = true
    if (kind === FRAME.broken) throw new Error('the rest of the file did not come')
    return undefined
  }
}

async function perform(job: ReadJob, bytes: AsyncIterable<Uint8Array>): Promise<ReadResult> {
  const warn = (warning: string) => void sendFrame(output, FRAME.warning, framed(warning))
  switch (job.kind) {
    case 'detect':
      return { ok: true, value: await detectMapping(bytes, warn, job.known) }
    case 'preview': {
      const rows = await previewRows(bytes, job.mapping, job.rows, warn)
      let characters = 0
      const fitting = rows.filter((row, i) => {
        characters += JSON.stringify(row).length
        return i === 0 || characters <= 2 * LIMITS.importPreviewCharactersMax
      })
      return { ok: true, value: fitting }
    }
    case 'pages': {
      const file = job.isPacked ? unpacked(bytes) : bytes
      const pages = readOfferPages(file, job.mapping, { ...LIMITS, importPageRows: LIMITS.fileReaderRows }, warn)
      const sending = openPageSender(job.mapping, pages.read)
      for await (const rows of pages) await sending.add(rows)
      await sending.flush()
      return { ok: true, value: null, doubts: pages.doubts() }
    }
    default:
      return unreachable(job)
  }
}

/** Unpacks the bytes of a file that is stored compressed. */
async function* unpacked(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const plain = createZstdDecompress({ chunkSize: UNPACKED_BYTES })
  const ended = pipeline(Readable.from(bytes, { objectMode: false }), plain)
  // the error is thrown where the bytes are read
  ended.catch(() => {})
  yield* plain as AsyncIterable<Uint8Array>
}

/** Sends rows in pages as imports write them; in smaller ones if rows are long. */
function openPageSender(mapping: Mapping, read: () => number) {
  const page = new RowPage(mapping)
  const flush = async () => {
    if (page.rows > 0) await sendFrame(output, FRAME.rows, ...page.take(read()))
  }
  return {
    flush,
    async add(rows: readonly ReadRow[]) {
      for (const row of rows) {
        page.add(row)
        if (page.rows >= LIMITS.importPageRows || page.size >= LIMITS.fileReaderPageBytes) await flush()
      }
    },
  }
}

function failed(thrown: unknown): ReadResult {
  if (thrown instanceof ShelfwireError)
    return { ok: false, code: thrown.code, detail: thrown.message, faults: thrown.faults }
  const { stack, message } = asError(thrown)
  return { ok: false, code: null, detail: stack ?? message, faults: [] }
}

let isFirst = true
for (let next = await input.next(); next.done !== true; next = await input.next()) {
  const job = jsonOf(next.value) as ReadJob
  Object.assign(LIMITS, job.limits)
  const bytes = new JobBytes()
  const result = await perform(job, bytes).catch(failed)
  await sendFrame(output, FRAME.result, framed(result))
  if (isFirst) {
    // Node writes its cache of compiled code when a process exits normally, but this one is killed when it is idle
    flushCompileCache()
    isFirst = false
  }
  // discards the rest of a file of which only the beginning was needed
  try {
    for await (const chunk of bytes) void chunk
  } catch {
    // the service has the result already
  }
}
process.exit()
