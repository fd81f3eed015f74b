/**
 * Reads suppliers' files in processes of their own. A file and its mapping come from strangers: if reading it exhausts memory, crashes or hangs, only
 * that file fails and not the service. The processes run at low priority, do not get the service's settings, and are started when there is something
 * to read. docs/decisions/146-files-are-read-in-processes-of-their-own.md says why.
 */
import { availableParallelism } from 'node:os'
import { openFairTurns, TurnRefused, type FairTurns } from '../platform/turns/fair-turns.ts'
import { ShelfwireError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import type { Log } from '../platform/log.ts'
import type { KnownMapping } from '../supplier-files/proposal/chosen-before.ts'
import type { Proposal } from '../supplier-files/proposal/detect.ts'
import type { Mapping } from '../supplier-files/mapping/mapping.ts'
import type { PreviewedRow } from '../supplier-files/preview.ts'
import type { ComparedRow } from '../supplier-files/offer-facts.ts'
import type { FileDoubts } from '../supplier-files/reading.ts'
import { peekBytes } from '../supplier-files/peek.ts'
import type { Warn } from '../supplier-files/rows.ts'
import type { ReadJob } from './job.ts'
import { ReaderDied, startReader, type Reader } from './reader.ts'
import { readOf, rowsOf } from './row-pages.ts'

/**
 * The rows of a file in pages; `doubts`: what is suspicious about the file, once all rows have been read; `read`: how many of its bytes have been
 * read.
 */
export type FilePages = AsyncGenerator<ComparedRow[]> & { doubts: () => FileDoubts; read: () => number }

interface LookOptions {
  /** The account for which the file is read. */
  accountId: number
  /** Aborted when nobody waits for the answer any more. */
  signal?: AbortSignal
  warn?: Warn
}

export interface FileReaders {
  /**
   * Proposes a mapping for a file (supplier-files/detect.ts). `known`: mappings that the account uses, whose choices are preferred.
   * @throws ShelfwireError `source-unreadable`, also for a file that takes too much memory or time; `rate-limited` when too many wait
   */
  detect(
    bytes: AsyncIterable<Uint8Array>,
    options: LookOptions & { known?: readonly KnownMapping[] },
  ): Promise<Proposal>
  /** Returns the first rows of a file, with what a mapping makes of them (supplier-files/preview.ts). @throws as `detect` does */
  preview(
    bytes: AsyncIterable<Uint8Array>,
    mapping: Mapping,
    rows: number,
    options: LookOptions,
  ): Promise<PreviewedRow[]>
  /**
   * Reads a whole file as an import does (supplier-files/read-offers.ts). The caller limits how many run at a time. `isPacked`: the bytes are
   * compressed by Zstandard, as they are stored; the file itself is not.
   * @throws ReaderDied if the process died while reading the file; ShelfwireError `source-unreadable`
   */
  pages(
    bytes: AsyncIterable<Uint8Array>,
    mapping: Mapping,
    options: { signal?: AbortSignal; warn?: Warn; isPacked?: boolean },
  ): FilePages
  /** The number of running processes. */
  readonly count: number
  /** Ends the processes; reads in progress are rejected. */
  close(): Promise<void>
}

/** The memory of all reading processes together, in bytes. @param megabytes FILE_READER_MB */
export const fileReadersBytesMax = (megabytes: number) => LIMITS.fileReadersMemoryTimes * megabytes * 1_048_576

/** @param megabytes memory for the objects of one process; the whole process may take half as much again, and 64 MB. */
export function openFileReaders(log: Log, megabytes: number = LIMITS.fileReaderMegabytes): FileReaders {
  const readers = new Set<Reader>()
  const idle: Reader[] = []
  let isClosed = false
  const atOnce = Math.max(LIMITS.filePreviewsAtOnce, availableParallelism())
  const looks: FairTurns = openFairTurns('previews of files', {
    atOnce,
    perKey: Math.ceil(atOnce / 2),
    waitingMax: LIMITS.filePreviewsWaitingMax,
    waitingPerKeyMax: LIMITS.filePreviewsWaitingPerAccountMax,
  })

  /** Ends the largest process if all take too much memory together; its file is read again. */
  const limitMemory = () => {
    const all = [...readers].reduce((sum, { memory }) => sum + memory, 0)
    if (all <= fileReadersBytesMax(megabytes)) return
    const largest = [...readers].reduce((a, b) => (b.memory > a.memory ? b : a))
    log.warn({ megabytes: Math.round(all / 1_048_576) }, 'the files that are read take too much memory together')
    largest.giveUp()
  }

  const take = (): Reader => {
    if (isClosed) throw new Error('the readers of files are closed')
    const known = idle.pop()
    if (known !== undefined) return known
    const reader = startReader(
      log,
      megabytes,
      () => {
        readers.delete(reader)
        const at = idle.indexOf(reader)
        if (at >= 0) idle.splice(at, 1)
      },
      limitMemory,
    )
    readers.add(reader)
    return reader
  }
  const giveBack = async (reader: Reader) => {
    await reader.sent
    if (!readers.has(reader)) return
    if (reader.jobs >= LIMITS.fileReaderJobsMax) await reader.end()
    else {
      reader.rest()
      idle.push(reader)
    }
  }
  const limits = () => ({ ...LIMITS })

  /** Does a job whose answer a client waits for, in its turn. */
  const look = async <T>(
    job: ReadJob,
    bytes: AsyncIterable<Uint8Array>,
    { accountId, signal, warn = () => {} }: LookOptions,
  ): Promise<T> => {
    const { whole } = await peekBytes(bytes, LIMITS.filePreviewHeadBytes)
    try {
      using _turn = await looks.acquire(accountId, { signal })
      const reader = take()
      try {
        const reading = reader.read(job, whole, {
          signal,
          warn,
          workMs: LIMITS.filePreviewWorkMs,
          waitMs: LIMITS.filePreviewWaitMs,
          stallMs: LIMITS.filePreviewWorkMs,
        })
        for (;;) {
          const next = await reading.next()
          if (next.done === true) return next.value.value as T
        }
      } finally {
        void giveBack(reader)
      }
    } catch (error) {
      throw answerable(error)
    } finally {
      // not awaited, because it may still wait for its client
      void whole.return(undefined)
    }
  }

  return {
    detect: (bytes, { known = [], ...options }) =>
      look<Proposal>({ kind: 'detect', known, limits: limits() }, bytes, options),
    preview: (bytes, mapping, rows, options) =>
      look<PreviewedRow[]>({ kind: 'preview', mapping, rows, limits: limits() }, bytes, options),
    pages(bytes, mapping, { signal, warn = () => {}, isPacked = false }) {
      let found: FileDoubts = { missing: [], openEndLine: null, misread: null }
      let read = 0
      const pages = async function* (): AsyncGenerator<ComparedRow[]> {
        const reader = take()
        try {
          const reading = reader.read({ kind: 'pages', mapping, isPacked, limits: limits() }, bytes, {
            signal,
            warn,
            workMs: Infinity,
            waitMs: Infinity,
            stallMs: LIMITS.fileReaderStallMs,
          })
          try {
            for (let next = await reading.next(); ; next = await reading.next()) {
              if (next.done === true) {
                found = next.value.doubts ?? found
                return
              }
              read = readOf(next.value)
              yield rowsOf(next.value, mapping)
            }
          } finally {
            // not awaited to its end: a run that ends early does not need the rest of its file
            await reading.return({ ok: true, value: null })
          }
        } finally {
          void giveBack(reader)
        }
      }
      return Object.assign(pages(), { doubts: () => found, read: () => read })
    },
    get count() {
      return readers.size
    },
    async close() {
      isClosed = true
      looks.close(new Error('the readers of files are closed'))
      await Promise.all([...readers].map((reader) => reader.end()))
    },
  }
}

/** Converts an error for a client that waits for the answer. */
function answerable(error: unknown): unknown {
  if (error instanceof ReaderDied) return new ShelfwireError('source-unreadable', error.message, { cause: error })
  if (!(error instanceof TurnRefused)) return error
  const whose = error.refusal === 'key-full' ? 'of the account' : 'of all accounts together'
  return new ShelfwireError(
    'rate-limited',
    `${error.limit} files ${whose} wait to be looked at already; see Retry-After`,
    { retryAfterSeconds: LIMITS.filePreviewRetrySeconds },
  )
}
