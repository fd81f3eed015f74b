import type { Readable } from 'node:stream'

/** A stored file, as it was sent; the store may compress it. */
export interface KeptFile {
  /** Name in the file store: `{account id}/{random}.{raw|zst}`. */
  key: string
  /** Its name at its source; only for display. */
  name: string
  /** Bytes as they were sent. */
  bytes: number
  /** SHA-256 of the bytes as they were sent, in lower-case hexadecimal. */
  hash: string
}

/** A stored file as a listing names it. */
export interface ListedFile {
  key: string
  /** When it was stored, by the store's clock. */
  modifiedAt: Date
}

/**
 * Where the files of imports are kept: on disk below DATA_DIR/imports, or in the S3 bucket under `imports/`. Text is compressed. Every
 * method rejects when the store cannot be reached.
 */
export interface RunFiles {
  /**
   * Stores a file; it is durable when the promise resolves. If `source` is a path, that file stays the caller's. A file that no run names is removed
   * after LIMITS.importFileUnnamedHours.
   * @throws ShelfwireError `source-unreadable` for more than LIMITS.importFileBytesMax bytes; errors of the stream
   */
  keep(accountId: number, source: AsyncIterable<Uint8Array> | string, name: string): Promise<KeptFile>
  /** The file's bytes as they were sent; undefined if there is none. The caller must read the stream to its end or destroy it. */
  read(key: string): Promise<Readable | undefined>
  /** The file's bytes as they are stored. If `isPacked`, the reader must undo the compression by Zstandard. */
  readStored(key: string): Promise<{ stream: Readable; isPacked: boolean } | undefined>
  /** Removes a file. Removing a missing one is no error. */
  remove(key: string): Promise<void>
  /** Every file, in no particular order. */
  list(): AsyncIterable<ListedFile>
  /** The keys of an account's files, including those that no run names. */
  listOf(accountId: number): AsyncIterable<string>
}
