import { existsSync, readdirSync } from 'node:fs'
import { chmod, chown, mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ShelfwireError } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import { findBinaries } from '../binaries.ts'
import { DRAFT_PREFIX } from '../cluster.ts'
import { findHome, openDataDir, writeWhole, type Home } from '../home.ts'
import { holdLock, withLock } from '../lock.ts'
import { findPostmaster, killPostmaster } from '../postmaster.ts'
import { UNFINISHED_RESTORE } from '../unfinished-restore.ts'
import { copyDurably, type CopiedFile } from './copied-files.ts'
import { filesOf, readManifest, type Manifest } from './manifest.ts'
import { requireWithin, type Moment } from './moment.ts'

/** Held from the first file until the service may start: otherwise a second restore would take the first one's database for its own. */
const LOCK = 'restore.lock'
/** Files that a DATA_DIR may contain and still count as empty. */
const OWN = new Set([
  UNFINISHED_RESTORE,
  LOCK,
  `${LOCK}.break`,
  'postgres.lock',
  'postgres.lock.break',
  'lost+found',
  'postgres-location.json',
])
const CLUSTER = 'cluster/'

export interface RestoreOptions {
  directory: string
  dataDir: string
  log: Log
  /** The moment to restore to; null: the end of the backup. */
  moment: Moment | null
  onProgress: (files: number, total: number) => void
}

interface Restored {
  manifest: Manifest
  home: Home
}

/** @throws ShelfwireError `invalid-input` if another restore into this DATA_DIR is running. */
export function holdRestore(dataDir: string): Disposable {
  const lock = join(openDataDir(dataDir), LOCK)
  const held = holdLock(lock)
  if (held === undefined)
    throw new ShelfwireError(
      'invalid-input',
      `another restore into ${dataDir} is under way: wait for it, or end it (${lock} names its process)`,
    )
  return held
}

/**
 * Puts a backup into an empty DATA_DIR. Until `endRestore`, no service starts there, and another restore starts over.
 * @throws ShelfwireError `invalid-input` if the backup is damaged or of another PostgreSQL version, or DATA_DIR is not empty; for a damaged file it
 * names the file.
 */
export async function restore({ directory, log, onProgress, ...options }: RestoreOptions): Promise<Restored> {
  const manifest = await readManifest(directory)
  if (options.moment !== null) requireWithin(options.moment, manifest)
  const dataDir = openDataDir(options.dataDir)
  const home = await withLock(join(dataDir, 'postgres.lock'), log, async () => {
    const marker = join(dataDir, UNFINISHED_RESTORE)
    const there = readdirSync(dataDir).filter((name) => !OWN.has(name))
    if (!existsSync(marker)) {
      if (there.length > 0 || existsSync(join(dataDir, 'postgres-location.json')))
        throw new ShelfwireError(
          'invalid-input',
          `DATA_DIR ${dataDir} is not empty (${there.slice(0, 3).join(', ') || 'postgres-location.json'}); restore into one that is: nothing is overwritten`,
        )
      writeWhole(marker, `${JSON.stringify({ directory })}\n`)
    }
    // left by an interrupted restore, before which DATA_DIR was empty
    const interrupted = findHome(dataDir, log)
    const running = findPostmaster(interrupted.cluster)
    if (running !== undefined) await killPostmaster(running)
    for (const name of there) await rm(join(dataDir, name), { recursive: true, force: true })
    const home = findHome(dataDir, log)
    // processes of a killed server may still write for a moment
    await rm(home.cluster, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    const { major } = findBinaries(home, log)
    if (major !== manifest.postgres)
      throw new ShelfwireError(
        'invalid-input',
        `the backup is of PostgreSQL ${manifest.postgres}, and this release has ${major}; restore it with the release that made it (${manifest.shelfwire})`,
      )
    const draft = join(home.dir, `${DRAFT_PREFIX}${process.pid}`)
    let files = 0
    for await (const file of filesOf(directory)) {
      await restoreOne(file, { directory, dataDir, draft, home })
      onProgress(++files, manifest.files)
    }
    if (files !== manifest.files)
      throw new ShelfwireError('invalid-input', `the backup has ${files} files of ${manifest.files}`)
    if (home.runAs !== undefined) await chown(join(draft, CLUSTER), home.runAs.uid, home.runAs.gid)
    await rename(join(draft, CLUSTER), home.cluster)
    await rm(draft, { recursive: true })
    return home
  })
  return { manifest, home }
}

/** Lets services start in this DATA_DIR again. */
export async function endRestore(dataDir: string): Promise<void> {
  await rm(join(dataDir, UNFINISHED_RESTORE), { force: true })
}

async function restoreOne(
  { path, bytes, sha256 }: CopiedFile,
  { directory, dataDir, draft, home }: { directory: string; dataDir: string; draft: string; home: Home },
): Promise<void> {
  const isOfCluster = path.startsWith(CLUSTER)
  const target = join(isOfCluster ? draft : dataDir, path)
  // PostgreSQL refuses files that others may read
  if (path.endsWith('/')) await mkdir(target, { recursive: true, mode: 0o700 })
  else {
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    const copied = await copyDurably(join(directory, path), target, 0o600)
    if (copied?.sha256 !== sha256 || copied.bytes !== bytes)
      throw new ShelfwireError(
        'invalid-input',
        `the backup in ${directory} is damaged: ${path} is ${copied === undefined ? 'missing' : 'not what was copied'}`,
      )
  }
  if (!isOfCluster) return
  await chmod(target, path.endsWith('/') ? 0o700 : 0o600)
  if (home.runAs !== undefined) await chown(target, home.runAs.uid, home.runAs.gid)
}
