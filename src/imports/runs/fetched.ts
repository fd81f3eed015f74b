import type { Tx } from '../../db/sql.ts'
import type { RunEndState } from './runs.sql.ts'

/** What came of fetching a source. */
export type Fetched =
  | {
      kind: 'file'
      /** A temporary file; whoever asked for it removes it. */
      path: string
      name: string
      bytes: number
      /** SHA-256 in hexadecimal. */
      hash: string
      etag: string | null
      lastModified: string | null
    }
  | { kind: 'unchanged' }
  | { kind: 'failed'; fault: string; detail: string; retryAfterMs: number | null; isForGood: boolean }

/** Fetches the file of a source into a directory; see src/imports/fetch. */
export type FetchSource = (
  accountId: number,
  sourceId: number,
  directory: string,
  signal: AbortSignal,
  onProgress: (bytes: number) => void,
) => Promise<Fetched>

/**
 * Takes note that a run of a source has ended, in the transaction that ends it. `fetched` is null when nothing was fetched; of a file
 * that was fetched by an earlier attempt, `path` is empty.
 */
export type SourceRunEnded = (
  tx: Tx,
  accountId: number,
  sourceId: number,
  end: { state: RunEndState; fetched: Fetched | null },
) => Promise<void>
