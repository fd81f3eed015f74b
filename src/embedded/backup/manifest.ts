import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { asError, ShelfwireError } from '../../platform/errors.ts'
import type { CopiedFile } from './copied-files.ts'

/** The description of a backup. It is written last: a folder without it is not a backup. */
export interface Manifest {
  format: 1
  /** The release that made the backup. */
  shelfwire: string
  /** PostgreSQL's major version. */
  postgres: number
  began_at: string
  /** Everything that was committed before this time is in the backup. */
  ended_at: string
  files: number
  bytes: number
  /** SHA-256 of the list of files. */
  list_sha256: string
  /** Whether DATA_DIR/secret.key is in the backup. */
  has_key: boolean
  /** The bucket that contains pictures and files of imports; null: they are in the backup. */
  bucket: string | null
}

export const MANIFEST = 'manifest.json'
/** One line of JSON, a CopiedFile, for each file. */
export const FILE_LIST = 'files.ndjson'

/**
 * @throws ShelfwireError `invalid-input` if `directory` is no backup, or its list of files does not match the manifest.
 */
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
    // the list may come from somebody else
    if (file.path.split('/').includes('..') || file.path.startsWith('/'))
      throw new ShelfwireError('invalid-input', `the backup in ${directory} names a file outside of it: ${file.path}`)
    yield file
  }
}
