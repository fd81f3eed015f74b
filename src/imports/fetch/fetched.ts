import type { Validators } from '../../outbound/conditional.ts'

/** What fetching the file of a source gave. */
export type Fetched = FetchedFile | { kind: 'unchanged' } | FetchFailure

export interface FetchedFile extends ReceivedFile {
  kind: 'file'
  /** Version of the source when the file was fetched. */
  version: number
}

/** What was written of what a server sent. */
export interface WrittenFile {
  /** A temporary file, which the caller removes. */
  path: string
  bytes: number
  /** SHA-256 in hexadecimal. */
  hash: string
}

/** A file and what its server tells about it. */
export interface ReceivedFile extends WrittenFile, Validators {
  /** What it is called where it comes from; only shown. */
  name: string
}

/** What every protocol gives: a file, or its beginning. */
export interface Download extends ReceivedFile {
  /** Size of the whole file; null where the server does not say. */
  size: number | null
  /** Whether only the beginning was read. */
  isCut: boolean
}

export interface FetchFailure {
  kind: 'failed'
  /** A word for what failed, such as `http_404` or `dns`. */
  fault: string
  /** What failed and what to do, for the merchant; without addresses of ours and without secrets. */
  detail: string
  /** When the server asks to be asked again. */
  retryAfterMs: number | null
  /** Whether trying again soon would give the same. */
  isForGood: boolean
}

/** Called with the bytes that have arrived. */
export type OnBytes = (bytes: number) => void

/** A failure, where it is found; `failureOf` in fetch-source.ts catches it. */
export class FetchError extends Error {
  override readonly name = 'FetchError'
  readonly failure: FetchFailure

  constructor(fault: string, detail: string, options: { retryAfterMs?: number | null; isForGood?: boolean } = {}) {
    super(detail)
    const { retryAfterMs = null, isForGood = false } = options
    this.failure = { kind: 'failed', fault, detail, retryAfterMs, isForGood }
  }
}
