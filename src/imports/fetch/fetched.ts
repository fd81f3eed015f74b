import type { Validators } from '../../outbound/conditional.ts'

/** The result of fetching the file of a source. */
export type Fetched = FetchedFile | { kind: 'unchanged' } | FetchFailure

export interface FetchedFile extends ReceivedFile {
  kind: 'file'
  /** Version of the source when the file was fetched. */
  version: number
}

/** A received file on disk. */
export interface WrittenFile {
  /** A temporary file, which the caller must remove. */
  path: string
  bytes: number
  /** SHA-256 in hexadecimal. */
  hash: string
}

/** A received file, and what its server reports about it. */
export interface ReceivedFile extends WrittenFile, Validators {
  /** The file's name at its source; only for display. */
  name: string
}

/** The result of every protocol: a file, or its beginning. */
export interface Download extends ReceivedFile {
  /** Bytes of the whole file; null if the server does not say. */
  size: number | null
  /** Whether only the beginning was read. */
  isCut: boolean
}

export interface FetchFailure {
  kind: 'failed'
  /** A code for what failed, such as `http_404` or `dns`. */
  fault: string
  /** What failed and what to do, for the merchant; contains no addresses of ours and no secrets. */
  detail: string
  /** After how long the server wants to be asked again; null: it does not say. */
  retryAfterMs: number | null
  /** Whether trying again soon would fail in the same way. */
  isForGood: boolean
}

/** Called with the number of bytes that have arrived. */
export type OnBytes = (bytes: number) => void

/** Carries a failure from where it is found to `failureOf` in fetch-source.ts. */
export class FetchError extends Error {
  override readonly name = 'FetchError'
  readonly failure: FetchFailure

  constructor(fault: string, detail: string, options: { retryAfterMs?: number | null; isForGood?: boolean } = {}) {
    super(detail)
    const { retryAfterMs = null, isForGood = false } = options
    this.failure = { kind: 'failed', fault, detail, retryAfterMs, isForGood }
  }
}
