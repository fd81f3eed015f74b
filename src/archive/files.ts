import { readStoredName } from '../images/store/image-store.ts'
import { EXPORTED_TABLES } from './kinds.ts'

// The names of the files of an archive. Files with any other name are not read.

export const ARCHIVE_MANIFEST = 'manifest.json'
export const PICTURES_FILE = 'pictures.ndjson'
/** In the order in which an export writes them; the pictures, PICTURES_FILE and the manifest follow. */
export const TABLE_FILES: readonly string[] = [
  ...Object.keys(EXPORTED_TABLES).map((name) => `${name}.ndjson`),
  'people.ndjson',
]

/** A row of PICTURES_FILE. */
export interface PictureLine {
  /** SHA-256 of the bytes. */
  hash: string
  type: string
  /** null, like `path`, if the store did not have the bytes. */
  bytes: number | null
  path: string | null
}

export type FileKind = 'table' | 'picture' | 'pictures' | 'manifest'

/**
 * The kind of file that a name stands for; undefined if no archive has such a file, for example if the path leads
 * elsewhere.
 */
export function kindOfFile(path: string): FileKind | undefined {
  if (TABLE_FILES.includes(path)) return 'table'
  if (path === PICTURES_FILE) return 'pictures'
  if (path === ARCHIVE_MANIFEST) return 'manifest'
  const picture = /^pictures\/([0-9a-z.]+)$/.exec(path)?.[1]
  return picture !== undefined && readStoredName(picture) !== undefined ? 'picture' : undefined
}
