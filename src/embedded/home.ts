import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { asError, ShelfwireError } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'
import type { RunAs } from './process.ts'

/** Where root keeps databases and binaries that the server's user cannot reach in DATA_DIR or node_modules. */
export const SYSTEM_DIR = '/var/lib/shelfwire'
const POINTER_NAME = 'postgres-location.json'
const OWNER_NAME = 'owner.json'
const READ = 0o4
/** The execute bit of a directory: the right to pass through it. */
const TRAVERSE = 0o1
const OWN_DATABASE = 'or set DATABASE_URL to a PostgreSQL of your own'

/** Where the database of a DATA_DIR is, and which user its server runs as. */
export interface Home {
  /** DATA_DIR's real path. */
  dataDir: string
  /** Directory of the cluster and what belongs to it: DATA_DIR/postgres, or a directory in SYSTEM_DIR. */
  dir: string
  /** PostgreSQL's own data directory. */
  cluster: string
  /** Directory with one file for every process that uses the server. */
  users: string
  logFile: string
  passwordFile: string
  /** The server's user; undefined: the user of this process. PostgreSQL refuses to run as root. */
  runAs: RunAs | undefined
}

/** Creates DATA_DIR if it is missing and returns its real path. */
export function openDataDir(dataDir: string): string {
  try {
    mkdirSync(dataDir, { recursive: true })
    return realpathSync(dataDir)
  } catch (error) {
    throw new ShelfwireError(
      'database-unusable',
      `DATA_DIR ${dataDir} cannot be created or read: ${asError(error).message}`,
      { cause: error },
    )
  }
}

/** Finds, or chooses, the location of the database of `dataDir` (a real path). The caller holds DATA_DIR's lock. */
export function findHome(dataDir: string, log: Log): Home {
  try {
    const serverUser = process.getuid?.() === 0 ? unprivilegedUser() : undefined
    const dir = locate(dataDir, serverUser, log)
    const cluster = join(dir, 'cluster')
    const users = join(dir, 'users')
    makeTraversableDirectory(users)
    const runAs = ownerOf(cluster) ?? serverUser
    refuseUnreachable(dir, runAs)
    return {
      dataDir,
      dir,
      cluster,
      users,
      logFile: join(dataDir, 'postgres.log'),
      passwordFile: join(dataDir, 'postgres-password'),
      runAs,
    }
  } catch (error) {
    if (error instanceof ShelfwireError) throw error
    throw new ShelfwireError(
      'database-unusable',
      `the embedded database of ${dataDir} cannot be set up: ${asError(error).message}`,
      { cause: error },
    )
  }
}

/**
 * Removes the directory that `findHome` created for a database that was then not created, so that nothing looks like one. The caller holds DATA_DIR's
 * lock.
 * @param files names in it that are useless without the cluster
 */
export function removeEmptyHome(home: Home, files: readonly string[]): void {
  if (existsSync(home.cluster)) return
  rmSync(home.users, { recursive: true, force: true })
  for (const file of [OWNER_NAME, ...files]) rmSync(join(home.dir, file), { force: true })
  // foreign files stay, and the folder with them
  if (readdirSync(home.dir).length > 0) return
  rmdirSync(home.dir)
  rmSync(join(home.dataDir, POINTER_NAME), { force: true })
}

/** The first part of `path` that `user` cannot traverse or, for the last part, read; undefined when there is none. */
export function blockedAt(path: string, user: RunAs): string | undefined {
  const parts = partsOf(path)
  const last = parts.at(-1)
  const lastNeeds = last !== undefined && statSync(last).isDirectory() ? READ | TRAVERSE : READ
  return parts.find((part) => !allows(part, user, part === last ? lastNeeds : TRAVERSE))
}

/** The real path of `path` and of every directory above it, from the root down. */
function partsOf(path: string): string[] {
  const real = realpathSync(path)
  return dirname(real) === real ? [real] : [...partsOf(dirname(real)), real]
}

/** Checks only the mode bits; other restrictions, such as access control lists, show when the server starts. */
function allows(path: string, user: RunAs, rights: number): boolean {
  const { mode, uid, gid } = statSync(path)
  const shift = uid === user.uid ? 6 : gid === user.gid ? 3 : 0
  return ((mode >> shift) & rights) === rights
}

/** Creates a directory that every user can traverse, whatever our umask. */
export function makeTraversableDirectory(dir: string): void {
  if (existsSync(dir)) return
  mkdirSync(dir, { recursive: true })
  chmodSync(dir, 0o755)
}

/** Writes a small file atomically. */
export function writeWhole(file: string, text: string, mode = 0o644): void {
  const draft = `${file}.draft`
  rmSync(draft, { force: true })
  writeFileSync(draft, text, { mode, flush: true })
  renameSync(draft, file)
}

function locate(dataDir: string, serverUser: RunAs | undefined, log: Log): string {
  const pointed = readPointer(dataDir)
  if (pointed !== undefined) return followPointer(dataDir, pointed, log)
  const inside = join(dataDir, 'postgres')
  const obstacle = serverUser === undefined ? undefined : impassable(dataDir, serverUser)
  if (obstacle === undefined || existsSync(join(inside, 'cluster'))) {
    makeTraversableDirectory(inside)
    return inside
  }
  const outside = makeOutside(dataDir, obstacle)
  writeWhole(join(dataDir, POINTER_NAME), `${JSON.stringify({ home: outside })}\n`)
  log.info(
    { dataDir, database: outside },
    `the database is in ${outside}: its server runs as user ${serverUser?.name}, who cannot traverse ${obstacle}`,
  )
  return outside
}

function followPointer(dataDir: string, home: string, log: Log): string {
  const pointer = join(dataDir, POINTER_NAME)
  if (!existsSync(home)) {
    throw new ShelfwireError(
      'database-unusable',
      `${pointer} says that the database is in ${home}, which does not exist; restore it, or remove ${pointer} to start with an empty database`,
    )
  }
  const owner = readField(join(home, OWNER_NAME), 'dataDir')
  if (owner === dataDir) return home
  if (owner !== undefined && readPointer(owner) === home && !isSameDir(owner, dataDir)) {
    throw new ShelfwireError(
      'database-unusable',
      `${pointer} was copied from ${owner}, which owns the database ${home}; copying a DATA_DIR does not copy its database: remove ${pointer} to start with an empty one here, or use DATA_DIR=${owner}`,
    )
  }
  log.info({ dataDir, database: home, before: owner }, 'DATA_DIR was moved; its database stays where it is')
  writeOwner(home, dataDir)
  return home
}

/** Creates a directory for the database outside DATA_DIR, with a name that shows which DATA_DIR it belongs to. */
function makeOutside(dataDir: string, obstacle: string): string {
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 8)
  const name = `${basename(dataDir).replaceAll(/[^\w.-]/g, '_') || 'data'}-${hash}`
  try {
    makeTraversableDirectory(SYSTEM_DIR)
    for (let attempt = 1; ; attempt++) {
      const home = join(SYSTEM_DIR, attempt === 1 ? name : `${name}-${attempt}`)
      // A cluster that no pointer leads to belongs to a DATA_DIR that was removed. Its owner expects an empty database now.
      if (existsSync(join(home, 'cluster'))) continue
      makeTraversableDirectory(home)
      writeOwner(home, dataDir)
      return home
    }
  } catch (error) {
    throw new ShelfwireError(
      'database-unusable',
      `PostgreSQL does not run as root, user nobody cannot traverse ${obstacle} to reach DATA_DIR, and ${SYSTEM_DIR} cannot be used instead (${asError(error).message}); use another DATA_DIR, run as a plain user, ${OWN_DATABASE}`,
      { cause: error },
    )
  }
}

/** Root runs the server of an existing cluster as the cluster's owner; a plain user can only use a cluster of their own. */
function ownerOf(cluster: string): RunAs | undefined {
  const me = process.getuid?.()
  if (me === undefined || !existsSync(cluster)) return undefined
  const { uid, gid } = statSync(cluster)
  if (me !== 0 && uid !== me) {
    throw new ShelfwireError(
      'database-unusable',
      `the database ${cluster} belongs to user ${uid}, and this is user ${me}; start as root or as that user, or use another DATA_DIR`,
    )
  }
  if (me === 0 && uid === 0) {
    throw new ShelfwireError(
      'database-unusable',
      `the database ${cluster} belongs to root, and PostgreSQL does not run as root; give it to another user: chown -R nobody ${cluster}`,
    )
  }
  return me === 0 ? { uid, gid, name: userName(uid) } : undefined
}

function refuseUnreachable(dir: string, runAs: RunAs | undefined): void {
  const obstacle = runAs === undefined ? undefined : impassable(dir, runAs)
  if (obstacle === undefined) return
  throw new ShelfwireError(
    'database-unusable',
    `the server of the database in ${dir} runs as user ${runAs?.name}, who cannot traverse ${obstacle}; allow it (chmod o+x ${obstacle}), ${OWN_DATABASE}`,
  )
}

/** The first part of the path of `dir` that `user` cannot traverse; undefined when there is none. */
function impassable(dir: string, user: RunAs): string | undefined {
  return partsOf(dir).find((part) => !allows(part, user, TRAVERSE))
}

function unprivilegedUser(): RunAs {
  const lines = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const [name, , uid, gid] =
    lines.find((fields) => fields[0] === 'nobody') ?? lines.find((fields) => fields[2] === '65534') ?? []
  if (name === undefined || !Number(uid) || !Number(gid)) {
    throw new ShelfwireError(
      'database-unusable',
      `PostgreSQL does not run as root, and /etc/passwd has no user nobody to run it as; run as a plain user, ${OWN_DATABASE}`,
    )
  }
  return { name, uid: Number(uid), gid: Number(gid) }
}

function userName(uid: number): string {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((line) => line.split(':')[2] === String(uid))
  return line?.split(':')[0] ?? String(uid)
}

function writeOwner(home: string, dataDir: string): void {
  writeWhole(join(home, OWNER_NAME), `${JSON.stringify({ dataDir })}\n`)
}

function readPointer(dataDir: string): string | undefined {
  const pointer = join(dataDir, POINTER_NAME)
  if (!existsSync(pointer)) return undefined
  const home = readField(pointer, 'home')
  if (home === undefined)
    throw new ShelfwireError(
      'database-unusable',
      `${pointer} does not say where the database is; restore it, or remove it to start with an empty database`,
    )
  return home
}

function readField(file: string, name: string): string | undefined {
  try {
    const value = (JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>)[name]
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

function isSameDir(a: string, b: string): boolean {
  const [x, y] = [statSync(a), statSync(b)]
  return x.dev === y.dev && x.ino === y.ino
}
