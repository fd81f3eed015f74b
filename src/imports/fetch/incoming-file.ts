import { createHash } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import type { Unfinished } from '../../objects/unfinished.ts'
import { FetchError, type OnBytes, type WrittenFile } from './fetched.ts'

/** Limits on the size of a file and on the time that receiving it may take. */
export interface FetchBounds {
  /** A larger file is refused, or cut if only its beginning is wanted (`isBeginning`). */
  bytesMax: number
  isBeginning: boolean
  totalMs: number
  connectMs: number
  paceMs: number
  paceBytesMin: number
}

/** A file that is being received in parts. */
export interface IncomingFile extends AsyncDisposable {
  /** @throws FetchError `too_large`; errors of writing to the disk */
  write(part: Uint8Array): Promise<void>
  /** Whether it has as many bytes as are wanted: the server may stop sending. */
  isFull(): boolean
  /** The number of bytes that have been written. */
  bytes(): number
  /** Completes the file. From then on it belongs to the caller, so nothing may fail afterwards. */
  end(): Promise<WrittenFile>
}

/** Opens a temporary file. Disposing removes it unless it was ended. */
export async function openIncomingFile(
  unfinished: Unfinished,
  bounds: FetchBounds,
  onBytes: OnBytes,
): Promise<IncomingFile> {
  const path = await unfinished.path()
  const handle = await open(path, 'wx', 0o600)
  const hash = createHash('sha256')
  let bytes = 0
  let isEnded = false
  return {
    async write(part) {
      const room = bounds.bytesMax - bytes
      if (part.length > room && !bounds.isBeginning) throw tooLarge(bounds)
      const taken = part.length > room ? part.subarray(0, room) : part
      await handle.writeFile(taken)
      hash.update(taken)
      bytes += taken.length
      onBytes(bytes)
    },
    bytes: () => bytes,
    isFull: () => bounds.isBeginning && bytes >= bounds.bytesMax,
    async end() {
      await handle.close()
      isEnded = true
      return { path, bytes, hash: hash.digest('hex') }
    },
    async [Symbol.asyncDispose]() {
      if (isEnded) return
      await handle.close()
      await rm(path, { force: true })
    },
  }
}

export function tooLarge({ bytesMax }: FetchBounds): FetchError {
  return new FetchError(
    'too_large',
    `the file has more than ${sizeShown(bytesMax)}, which is the most that is imported`,
  )
}

/** Aborts a transfer that takes too long or is too slow: `signal` is then aborted with a FetchError. */
export interface Pace extends Disposable {
  signal: AbortSignal
  onBytes: OnBytes
}

export function openPace(bounds: FetchBounds, outer: AbortSignal): Pace {
  const ending = new AbortController()
  let bytes = 0
  let before = 0
  const slow = setInterval(() => {
    const come = bytes - before
    before = bytes
    if (come >= bounds.paceBytesMin) return
    ending.abort(
      new FetchError(
        'too_slow',
        bytes === 0
          ? `the server has sent nothing for ${timeShown(bounds.paceMs)}`
          : `the file came too slowly: ${sizeShown(come)} in ${timeShown(bounds.paceMs)}, after ${sizeShown(bytes)} in all`,
      ),
    )
  }, bounds.paceMs)
  const late = setTimeout(
    () =>
      ending.abort(
        new FetchError(
          'timeout',
          `the file was not complete after ${timeShown(bounds.totalMs)}; ${sizeShown(bytes)} had come`,
        ),
      ),
    bounds.totalMs,
  )
  return {
    signal: AbortSignal.any([ending.signal, outer]),
    onBytes: (now) => (bytes = now),
    [Symbol.dispose]() {
      clearInterval(slow)
      clearTimeout(late)
    },
  }
}

const timeShown = (ms: number) => (ms < 120_000 ? `${Math.round(ms / 1_000)} s` : `${Math.round(ms / 60_000)} minutes`)

/** Formats a number of bytes for people. */
export function sizeShown(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(1)} kB`
  return bytes < 1_000_000_000 ? `${(bytes / 1_000_000).toFixed(1)} MB` : `${(bytes / 1_000_000_000).toFixed(1)} GB`
}
