import { randomUUID } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { asError, ShelfwireError } from '../platform/errors.ts'
import { blockedAt, writeWhole, type Home } from './home.ts'
import { runTool } from './process.ts'

// The embedded server's write-ahead log (WAL), archived segment by segment into a directory: together with a backup, it allows a restore to any later
// moment. docs/decisions/186-a-restore-to-a-moment.md says why it is done this way.

/** A segment to which something was written is archived after this time even if it is not full. */
const ARCHIVE_TIMEOUT_S = 60
/** A file in an archive that names its database. */
const OWNER = 'archive.json'
/** Beside the cluster, and in no backup: a restored database counts as another one, whose log must not be mixed with this one's. */
export const ARCHIVE_IDENTITY = 'archive-identity'
/** Characters with a meaning in a shell, or in PostgreSQL's own placeholders. */
const UNSAFE = /['"%\\\n$`]/

/**
 * Settings with which the server archives into the directory, which is created if it is missing.
 * @throws ShelfwireError `settings-invalid` if the server's user cannot write there, or another database archives there.
 */
export async function archiveSettings(home: Home, directory: string): Promise<Record<string, string>> {
  const refuse = (why: string, cause?: unknown) =>
    new ShelfwireError('settings-invalid', `WAL_ARCHIVE_DIR ${directory} ${why}`, { cause })
  if (process.platform === 'win32') throw refuse('needs a shell, which Windows has not; unset it')
  if (UNSAFE.test(directory)) throw refuse('must not have quotes, backquotes, backslashes, $ or % in its name')
  try {
    if (!existsSync(directory)) {
      mkdirSync(directory, { recursive: true, mode: 0o700 })
      if (home.runAs !== undefined) chownSync(directory, home.runAs.uid, home.runAs.gid)
    }
  } catch (error) {
    throw refuse(`cannot be made: ${asError(error).message}`, error)
  }
  const path = realpathSync(directory)
  const blocked = home.runAs === undefined ? undefined : blockedAt(path, home.runAs)
  if (home.runAs !== undefined && blocked !== undefined)
    throw refuse(`is out of reach for the server’s user ${home.runAs.name}: ${blocked} keeps it out`)
  try {
    await runTool('/bin/sh', ['-c', `touch '${path}/.probe' && rm '${path}/.probe' && command -v gzip`], {
      runAs: home.runAs,
    })
  } catch (error) {
    throw refuse(`cannot be written by the server’s user, or there is no gzip: ${asError(error).message}`, error)
  }
  claim(home, path, refuse)
  return {
    archive_mode: 'on',
    archive_timeout: String(ARCHIVE_TIMEOUT_S),
    archive_command: archiveCommand(path),
  }
}

/** A file gets its name only when it is complete and on the disk. If the name exists already, the contents must be equal. */
function archiveCommand(path: string): string {
  const [whole, draft] = [`${path}/%f.gz`, `${path}/%f.gz.unfinished`]
  return (
    `if [ -e "${whole}" ]; then gzip -dc "${whole}" | cmp -s - "%p"; ` +
    `else umask 077 && gzip -1 -c "%p" > "${draft}" && sync "${draft}" && mv "${draft}" "${whole}"; fi`
  )
}

function claim(home: Home, path: string, refuse: (why: string) => ShelfwireError): void {
  const own = join(home.dir, ARCHIVE_IDENTITY)
  if (!existsSync(own)) writeWhole(own, `${randomUUID()}\n`)
  const identity = readFileSync(own, 'utf8').trim()
  const owner = join(path, OWNER)
  if (!existsSync(owner)) writeWhole(owner, `${JSON.stringify({ database: identity, data_dir: home.dataDir })}\n`)
  const { database, data_dir: dataDir } = JSON.parse(readFileSync(owner, 'utf8')) as {
    database: string
    data_dir: string
  }
  if (database === identity) return
  throw refuse(
    `has the log of another database (DATA_DIR ${dataDir}): name a folder of its own; a restored database needs a new one, and a new backup`,
  )
}
