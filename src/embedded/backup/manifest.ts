import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { asError, ShelfwireError } from '../../platform/errors.ts'
import type { CopiedFile } from './copied-files.ts'

/** What a backup is. A folder without one is none: it is written last. */
export interface Manifest {
  format: 1
  /** The release that made it. */
  shelfwire: string
  /** PostgreSQL's major version. */
  postgres: number
  began_at: string
  /** It has everything that was committed before. */
  ended_at: string
  files: number
  bytes: number
  /** SHA-256 of the list of files. */
  list_sha256: string
  /** Whether DATA_DIR/secret.key is in it. */
  has_key: boolean
  /** Where pictures and files of imports are instead; null: in the backup. */
  bucket: string | null
}

export const MANIFEST = 'manifest.json'
/** A line of JSON for each file: CopiedFile. */
export const FILE_LIST = 'files.ndjson'

/** @throws ShelfwireError `invalid-input` where `directory` is no backup, or its list of files is another one. */
export async function readManifest(directory: string): Promise<Manifest> {
  const refuse = (why: string, cause?: unknown) => new ShelfwireError('invalid-input', why, { cause })
  let manifest: Manifest
  try {
    manifest = JSON.parse(await readFile(join(directory, MANIFEST), 'utf8')) as Manifest
  } catch (error) {
    throw refuse(`${directory} is no complete backup: ${asError(error).message}`, error)
  }
  if (manifest.format !== 1)
    throw refuse(`the backup in ${directory} has format ${String(manifest.format)}, and this release reads format 1`)
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(join(directory, FILE_LIST))) hash.update(chunk as Buffer)
  if (hash.digest('hex') !== manifest.list_sha256)
    throw refuse(`the backup in ${directory} is damaged: ${FILE_LIST} is not the one that ${MANIFEST} names`)
  return manifest
}

/** The files of a backup, in the order in which they were copied. */
export async function* filesOf(directory: string): AsyncGenerator<CopiedFile> {
  for await (const line of createInterface({ input: createReadStream(join(directory, FILE_LIST)) })) {
    const file = JSON.parse(line) as CopiedFile
    // it may have been made by somebody else
    if (file.path.split('/').includes('..') || file.path.startsWith('/'))
      throw new ShelfwireError('invalid-input', `the backup in ${directory} names a file outside of it: ${file.path}`)
    yield file
  }
}
