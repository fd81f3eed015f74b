import { readFile } from 'node:fs/promises'
import { clearInterval, setInterval } from 'node:timers'
import { asError, ShelfwireError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import type { Log } from '../platform/log.ts'
import { noProcess, startChild } from '../platform/process/child.ts'
import { programFile } from '../platform/process/package.ts'
import type { Warn } from '../supplier-files/rows.ts'
import { FRAME, framed, framesOf, jsonOf, sendFrame } from './frames.ts'
import type { ReadJob, ReadResult } from './job.ts'

const PROGRAM = programFile('file-reader', 'file-readers/process.ts')
const PAGE_BYTES = 4_096
/**
 * Megabytes of each half of V8's young generation, for objects that live as long as a page of rows. With V8's initial 1 MB, many of them were copied
 * to the old generation (measured: a fifth of the processor time). In a process with little memory V8's default is used.
 */
const YOUNG_MEGABYTES = 16
const youngGeneration = (megabytes: number): string[] =>
  megabytes < 8 * YOUNG_MEGABYTES
    ? []
    : [`--min-semi-space-size=${YOUNG_MEGABYTES}`, `--max-semi-space-size=${YOUNG_MEGABYTES}`]

/** Options of Node for a reading process. @param megabytes the limit of its heap */
export const readerNodeArgs = (megabytes: number): string[] => [
  `--max-old-space-size=${megabytes}`,
  ...youngGeneration(megabytes),
]

/** Why a process died while reading a file; the message is for the sender of the file. */
export class ReaderDied extends Error {
  override readonly name = 'ReaderDied'
}

interface ReadOptions {
  signal: AbortSignal | undefined
  warn: Warn
  /**
   * Limits in milliseconds: how long the process may work on the file, and wait for its bytes, in all; and how long it may work without taking a byte
   * or sending anything.
   */
  workMs: number
  waitMs: number
  stallMs: number
}

type Done = Extract<ReadResult, { ok: true }>

/** One reading process. */
export interface Reader {
  /** The number of files that it was given so far. */
  readonly jobs: number
  /**
   * Reads one file, and yields its pages of rows as they were sent (row-pages.ts). If the caller returns early, or `signal` is aborted, the process
   * is ended.
   * @throws ReaderDied; ShelfwireError of the file, or rate-limited if the process has not started; errors of `bytes`; the reason of the signal
   */
  read(job: ReadJob, bytes: AsyncIterable<Uint8Array>, options: ReadOptions): AsyncGenerator<Buffer, Done>
  /** Resolves when another file may be given to it: when the end of the last one has been sent, which may have to wait for the file's source. */
  readonly sent: Promise<void>
  /** Marks it as idle: it no longer keeps the service from ending, and ends itself after a while. */
  rest(): void
  /** The bytes of memory that it took at the last measurement; 0 if the system does not tell. */
  readonly memory: number
  /** Ends it through no fault of its file, because all processes together take too much memory. */
  giveUp(): void
  end(): Promise<void>
}

/**
 * @param onMemory called during reading, after each measurement of `memory`.
 * @throws ShelfwireError rate-limited if no process can be started
 */
export function startReader(log: Log, megabytes: number, onEnd: () => void, onMemory: () => void): Reader {
  const started = startChild(log, PROGRAM, {
    nodeArgs: readerNodeArgs(megabytes),
    threads: 2,
    hasConnections: false,
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
  })
  const { process: child, stderr, lastWords } = started
  const stdin = started.pipe(0)
  const output = started.pipe(3)
  const frames = framesOf(output, LIMITS.fileReaderFrameBytesMax)
  const bytesMax = megabytes * 1.5 * 1_048_576 + 67_108_864
  /** The reason if it was ended on purpose. */
  let reason: unknown
  /** Whether its program has started. */
  let isReady = false
  let resting: NodeJS.Timeout | undefined
  const ended = started.ended.then((how) => {
    clearTimeout(resting)
    onEnd()
    return how
  })
  const kill = (why: unknown) => {
    reason ??= why
    onEnd()
    child.kill('SIGKILL')
    output.destroy()
    stdin.destroy()
  }
  const isOutOfMemory = () => /heap out of memory|allocation failed|invalid (?:table )?size/i.test(lastWords())

  /** The error to throw when no more frames arrive. */
  const deathOf = async (): Promise<unknown> => {
    const how = await ended
    if (reason !== undefined) return reason
    if (!isReady) {
      // the file is not to blame, for example while the program's files are replaced by those of another release
      log.error({ how, last_words: lastWords().slice(-500) }, 'a process that reads files ended before it had started')
      return noProcess()
    }
    log.warn({ how, last_words: lastWords().slice(-500) }, 'a process ended with the file that it read')
    return new ReaderDied(
      isOutOfMemory()
        ? tooMuch(megabytes).message
        : 'the process that read the file by this mapping ended with it: check the file and the mapping, or split the file',
    )
  }

  const reader = {
    jobs: 0,
    memory: 0,
    sent: Promise.resolve(),
    async *read(
      job: ReadJob,
      bytes: AsyncIterable<Uint8Array>,
      { signal, warn, workMs, waitMs, stallMs }: ReadOptions,
    ): AsyncGenerator<Buffer, Done> {
      signal?.throwIfAborted()
      clearTimeout(resting)
      for (const kept of [child, stdin, stderr, output]) kept.ref()
      reader.jobs++
      const abort = () => kill(signal?.reason)
      signal?.addEventListener('abort', abort, { once: true })
      /**
       * What the process is doing. Only time for which it is itself responsible counts as work: not waiting for bytes, and not waiting until its rows
       * are taken.
       */
      const state = { isSending: false, isTaken: false, progress: 0 }
      let failure: { error: unknown } | undefined
      let isAnswered = false
      const watching = watch(state, { workMs, waitMs, stallMs }, kill, async () => {
        reader.memory = await memoryOf(child.pid)
        if (reader.memory > bytesMax) kill(tooMuch(Math.round(bytesMax / 1_048_576)))
        else onMemory()
      })
      const giving = (async () => {
        await sendFrame(stdin, FRAME.job, framed(job))
        state.isSending = true
        try {
          for await (const chunk of bytes) {
            if (isAnswered) break
            state.isSending = false
            await sendFrame(stdin, FRAME.data, chunk)
            state.progress++
            state.isSending = true
          }
          state.isSending = false
          await sendFrame(stdin, FRAME.end)
        } catch (error) {
          failure = { error }
          state.isSending = false
          await sendFrame(stdin, FRAME.broken)
        }
      })()
      try {
        for (;;) {
          const next = await frames.next().catch((error: unknown) => {
            kill(new ReaderDied(asError(error).message))
            return { done: true as const, value: undefined }
          })
          if (next.done === true) throw failure?.error ?? (await deathOf())
          const { kind } = next.value
          state.progress++
          if (kind === FRAME.ready) isReady = true
          else if (kind === FRAME.warning) warn(jsonOf(next.value) as string)
          else if (kind === FRAME.rows) {
            state.isTaken = true
            yield next.value.content
            state.isTaken = false
          } else {
            isAnswered = true
            const result = jsonOf(next.value) as ReadResult
            if (failure !== undefined) throw failure.error
            if (result.ok) return result
            if (result.code === null) throw new Error(`a file could not be read: ${result.detail}`)
            throw new ShelfwireError(result.code, result.detail, { faults: result.faults })
          }
        }
      } finally {
        watching[Symbol.dispose]()
        signal?.removeEventListener('abort', abort)
        if (!isAnswered) kill(new Error('the reading was given up'))
        reader.sent = giving
      }
    },
    rest() {
      for (const kept of [child, stdin, stderr, output]) kept.unref()
      // it may rest already: a job that was aborted before it began did not end the pause
      clearTimeout(resting)
      resting = setTimeout(() => kill(new Error('idle')), LIMITS.fileReaderIdleMs).unref()
    },
    giveUp() {
      kill(
        new ShelfwireError(
          'rate-limited',
          'the files that are read at this moment take too much memory together; try again',
          {
            retryAfterSeconds: LIMITS.filePreviewRetrySeconds,
          },
        ),
      )
    },
    async end() {
      child.ref()
      kill(new Error('the readers of files are closed'))
      await ended
    },
  }
  return reader
}

const tooMuch = (megabytes: number) =>
  new ReaderDied(
    `reading the file by this mapping takes more than ${megabytes} MB of memory: split it, or simplify the mapping`,
  )

/** Ends a process that works or waits for too long, and measures its memory regularly. */
function watch(
  state: { isSending: boolean; isTaken: boolean; progress: number },
  { workMs, waitMs, stallMs }: { workMs: number; waitMs: number; stallMs: number },
  kill: (why: Error) => void,
  measure: () => Promise<void>,
): Disposable {
  let worked = 0
  let waited = 0
  let still = 0
  let before = -1
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    // if the service itself was blocked, the process is not to blame
    const passed = Math.min(now - last, 2 * LIMITS.fileReaderWatchMs)
    last = now
    void measure()
    if (state.isTaken) return
    if (state.isSending) waited += passed
    else worked += passed
    still = state.progress === before && !state.isSending ? still + passed : 0
    before = state.progress
    if (worked > workMs || still > stallMs)
      kill(
        new ReaderDied(
          `reading the file by this mapping takes longer than ${Math.min(workMs, stallMs) / 1_000} s: split it, or simplify the mapping`,
        ),
      )
    else if (waited > waitMs)
      kill(new ShelfwireError('request-timeout', `the file did not come within ${waitMs / 1_000} s; send it faster`))
  }, LIMITS.fileReaderWatchMs)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

/** The resident memory of a process in bytes, if the system tells: buffers are outside of every heap. */
async function memoryOf(pid: number | undefined): Promise<number> {
  const text = await readFile(`/proc/${pid}/statm`, 'latin1').catch(() => '')
  const pages = Number(text.split(' ')[1])
  return Number.isNaN(pages) ? 0 : pages * PAGE_BYTES
}
