import { isObject } from '../input/is-object.ts'
import { ShelfwireError } from '../platform/errors.ts'
import { ARCHIVE_MANIFEST } from './files.ts'
import type { LeftOut } from './kinds.ts'
import { archiveRefusal } from './refused.ts'

/** A file of an archive. */
export interface ArchivedFile {
  path: string
  rows: number
  bytes: number
  sha256: string
}

/** manifest.json. It is written last: without it, a directory or file is not an archive. */
export interface ArchiveManifest {
  format: 1
  shelfwire: string
  /** The number of the newest migration. */
  schema: number
  account: { account_id: number; name: string }
  /** The moment of the snapshot. */
  exported_at: string
  /** The number of the last change in the feed; no cursor of a client is above it. */
  last_change_id: number
  /** E-mail addresses of the owners. */
  owners: string[]
  files: ArchivedFile[]
  pictures: { count: number; bytes: number }
  left_out: {
    tables: ({ table: string } & LeftOut)[]
    columns: ({ table: string; column: string } & LeftOut)[]
  }
}

/** Raised when programs that read archives have to be changed. */
export const FORMAT = 1

/** The parts of a manifest that an import needs. */
export type ReadManifest = Pick<
  ArchiveManifest,
  'schema' | 'shelfwire' | 'account' | 'exported_at' | 'last_change_id' | 'files' | 'pictures'
>

/**
 * @param schema number of the newest migration of this release
 * @throws ShelfwireError invalid-input; newer-release for an archive that this release does not understand
 */
export function readManifest(text: string, schema: number): ReadManifest {
  const wrong = (reason: string) => archiveRefusal(ARCHIVE_MANIFEST, reason)
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch (error) {
    throw archiveRefusal(ARCHIVE_MANIFEST, 'is not JSON', error)
  }
  if (!isObject(given)) throw wrong('is no JSON object')
  if (given['format'] !== FORMAT)
    throw wrong(
      `has the format ${JSON.stringify(given['format'] ?? null)?.slice(0, 40)}, and this release reads ${FORMAT}`,
    )
  const whole = (name: string, value: unknown): number => {
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
      throw wrong(`${name} must be a whole number`)
    return value
  }
  const textOf = (name: string, value: unknown): string => {
    if (typeof value !== 'string') throw wrong(`${name} must be a text`)
    return value
  }
  const objectOf = (name: string, value: unknown) => {
    if (!isObject(value)) throw wrong(`${name} must be an object`)
    return value
  }
  const release = textOf('shelfwire', given['shelfwire'])
  const made = whole('schema', given['schema'])
  if (made > schema)
    throw new ShelfwireError(
      'newer-release',
      `the archive was written by a newer release (${release.slice(0, 40)}, migration ${made}); this one knows ${schema}: upgrade first`,
    )
  const account = objectOf('account', given['account'])
  const pictures = objectOf('pictures', given['pictures'])
  if (!Array.isArray(given['files'])) throw wrong('files must be a list')
  const files = given['files'].map((entry: unknown) => {
    const file = objectOf('files[]', entry)
    const sha256 = textOf('files[].sha256', file['sha256'])
    if (!/^[0-9a-f]{64}$/.test(sha256)) throw wrong('files[].sha256 must have 64 hexadecimal digits')
    return {
      path: textOf('files[].path', file['path']),
      rows: whole('files[].rows', file['rows']),
      bytes: whole('files[].bytes', file['bytes']),
      sha256,
    }
  })
  return {
    schema: made,
    shelfwire: release,
    account: {
      account_id: whole('account.account_id', account['account_id']),
      name: textOf('account.name', account['name']),
    },
    exported_at: textOf('exported_at', given['exported_at']),
    last_change_id: whole('last_change_id', given['last_change_id'] ?? 0),
    files,
    pictures: { count: whole('pictures.count', pictures['count']), bytes: whole('pictures.bytes', pictures['bytes']) },
  }
}
