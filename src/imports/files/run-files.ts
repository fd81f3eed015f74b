import type { Readable } from 'node:stream'

/** A file that was kept, as it was sent: what is stored may be compressed. */
export interface KeptFile {
  /** Name in the file store: `{account id}/{random}.{raw|zst}`. */
  key: string
  /** What it was called where it came from; only shown. */
  name: string
  /** As it was sent. */
  bytes: number
  /** SHA-256 of the bytes as they were sent, in lower-case hexadecimal. */
  hash: string
}

/** A stored file as a listing names it. */
export interface ListedFile {
  key: string
  /** When it was kept, by the clock of the store. */
  modifiedAt: Date
}

/**
 * Where the files of imports are kept: on disk below DATA_DIR/imports, or in the S3 bucket under `imports/`. Text is compressed. Every
 * method rejects when the store cannot be reached.
 */
export interface RunFiles {
  /**
   * Keeps a file, which is durable when this resolves; of a path, the file stays the caller's. A file that no run names is removed
   * after LIMITS.importFileUnnamedHours.
   * @throws ShelfwireError `source-unreadable` for more than LIMITS.importFileBytesMax bytes; what the stream fails with
   */
  keep(accountId: number, source: AsyncIterable<Uint8Array> | string, name: string): Promise<KeptFile>
  /** The file's bytes as they were sent; undefined when there is none. The caller reads a stream to its end or destroys it. */
  read(key: string): Promise<Readable | undefined>
  /** The same as it is stored: the reader undoes the compression by Zstandard where `isPacked`. */
  readStored(key: string): Promise<{ stream: Readable; isPacked: boolean } | undefined>
  /** Removes a file; none there is no error. */
  remove(key: string): Promise<void>
  /** Every file, in no particular order. */
  list(): AsyncIterable<ListedFile>
  /** The keys of an account's files, those that no run names among them. */
  listOf(accountId: number): AsyncIterable<string>
}
