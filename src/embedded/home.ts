import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { asError, ShelfwireError } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'
import type { RunAs } from './process.ts'

/** Where root keeps what the server's user must reach and cannot reach in DATA_DIR or node_modules. */
export const SYSTEM_DIR = '/var/lib/shelfwire'
const POINTER_NAME = 'postgres-location.json'
const OWNER_NAME = 'owner.json'
const MAY_READ = 0o4
const MAY_PASS = 0o1
const OWN_DATABASE = 'or set DATABASE_URL to a PostgreSQL of your own'

/** Where a DATA_DIR's database is, and whose rights its server runs with. */
export interface Home {
  /** DATA_DIR's real path. */
  dataDir: string
  /** Holds the cluster and what belongs to it. */
  dir: string
  /** PostgreSQL's own data directory. */
  cluster: string
  /** One file for every process that uses the server. */
  users: string
  logFile: string
  passwordFile: string
  /** Undefined: as ourselves. PostgreSQL refuses to run as root. */
  runAs: RunAs | undefined
}

/** Creates DATA_DIR when it is missing; answers its real path. */
export function openDataDir(dataDir: string): string {
  try {
    mkdirSync(dataDir, { recursive: true })
    return realpathSync(dataDir)
  } catch (error) {
    throw new ShelfwireError(
      'database-unusable',
      `DATA_DIR ${dataDir} cannot be made or read: ${asError(error).message}`,
      { cause: error },
    )
  }
}

/** Finds, or decides on, the place of the database of `dataDir` (a real path). Call it with DATA_DIR's lock held. */
export function findHome(dataDir: string, log: Log): Home {
  try {
    const serverUser = process.getuid?.() === 0 ? unprivilegedUser() : undefined
    const dir = locate(dataDir, serverUser, log)
    const cluster = join(dir, 'cluster')
    const users = join(dir, 'users')
    makePassable(users)
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

/** The first part of `path` that `user` cannot pass through or, for the last part, read; undefined when all is well. */
export function blockedAt(path: string, user: RunAs): string | undefined {
  const parts = partsOf(path)
  const last = parts.at(-1)
  const lastNeeds = last !== undefined && statSync(last).isDirectory() ? MAY_READ | MAY_PASS : MAY_READ
  return parts.find((part) => !allows(part, user, part === last ? lastNeeds : MAY_PASS))
}

/** The real path of `path` and of every directory above it, the root first. */
function partsOf(path: string): string[] {
  const real = realpathSync(path)
  return dirname(real) === real ? [real] : [...partsOf(dirname(real)), real]
}

/** By the mode bits alone: access lists and the like are found out when the server starts. */
function allows(path: string, user: RunAs, rights: number): boolean {
  const { mode, uid, gid } = statSync(path)
  const shift = uid === user.uid ? 6 : gid === user.gid ? 3 : 0
  return ((mode >> shift) & rights) === rights
}

/** Makes a directory that every user can pass through, whatever our umask. */
export function makePassable(dir: string): void {
  if (existsSync(dir)) return
  mkdirSync(dir, { recursive: true })
  chmodSync(dir, 0o755)
}

/** Writes a small file so that it is there whole or not at all. */
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
    makePassable(inside)
    return inside
  }
  const outside = makeOutside(dataDir, obstacle)
  writeWhole(join(dataDir, POINTER_NAME), `${JSON.stringify({ home: outside })}\n`)
  log.info(
    { dataDir, database: outside },
    `the database is kept in ${outside}: its server runs as user ${serverUser?.name}, who cannot pass ${obstacle}`,
  )
  return outside
}

function followPointer(dataDir: string, home: string, log: Log): string {
  const pointer = join(dataDir, POINTER_NAME)
  if (!existsSync(home)) {
    throw new ShelfwireError(
      'database-unusable',
      `${pointer} says that the database is in ${home}, which does not exist; bring it back, or remove ${pointer} to begin with an empty database`,
    )
  }
  const owner = readField(join(home, OWNER_NAME), 'dataDir')
  if (owner === dataDir) return home
  if (owner !== undefined && readPointer(owner) === home && !isSameDir(owner, dataDir)) {
    throw new ShelfwireError(
      'database-unusable',
      `${pointer} was copied from ${owner}, whose database ${home} is; a copied DATA_DIR does not bring a copy of the database: remove ${pointer} to begin with an empty one here, or use DATA_DIR=${owner}`,
    )
  }
  log.info({ dataDir, database: home, before: owner }, 'DATA_DIR was moved; its database stays where it is')
  writeOwner(home, dataDir)
  return home
}

/** Makes a directory for the database outside DATA_DIR, named after it so that a person can tell them apart. */
function makeOutside(dataDir: string, obstacle: string): string {
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 8)
  const name = `${basename(dataDir).replaceAll(/[^\w.-]/g, '_') || 'data'}-${hash}`
  try {
    makePassable(SYSTEM_DIR)
    for (let turn = 1; ; turn++) {
      const home = join(SYSTEM_DIR, turn === 1 ? name : `${name}-${turn}`)
      // A cluster that nobody points at is that of a DATA_DIR removed since: who removed it expects an empty database.
      if (existsSync(join(home, 'cluster'))) continue
      makePassable(home)
      writeOwner(home, dataDir)
      return home
    }
  } catch (error) {
    throw new ShelfwireError(
      'database-unusable',
      `PostgreSQL does not run as root, and user nobody cannot pass ${obstacle} to reach DATA_DIR, and ${SYSTEM_DIR} cannot be used instead (${asError(error).message}); use a DATA_DIR elsewhere, run as a plain user, ${OWN_DATABASE}`,
      { cause: error },
    )
  }
}

/** As root, an existing cluster is served as its owner; as a plain user, only one's own can be. */
function ownerOf(cluster: string): RunAs | undefined {
  const me = process.getuid?.()
  if (me === undefined || !existsSync(cluster)) return undefined
  const { uid, gid } = statSync(cluster)
  if (me !== 0 && uid !== me) {
    throw new ShelfwireError(
      'database-unusable',
      `the database ${cluster} belongs to user ${uid}, this is user ${me}; start as root or as that user, or use another DATA_DIR`,
    )
  }
  if (me === 0 && uid === 0) {
    throw new ShelfwireError(
      'database-unusable',
      `the database ${cluster} belongs to root, as whom PostgreSQL does not run; give it to another user: chown -R nobody ${cluster}`,
    )
  }
  return me === 0 ? { uid, gid, name: userName(uid) } : undefined
}

function refuseUnreachable(dir: string, runAs: RunAs | undefined): void {
  const obstacle = runAs === undefined ? undefined : impassable(dir, runAs)
  if (obstacle === undefined) return
  throw new ShelfwireError(
    'database-unusable',
    `the database in ${dir} is served as user ${runAs?.name}, who cannot pass ${obstacle}; allow it (chmod o+x ${obstacle}), ${OWN_DATABASE}`,
  )
}

/** The first part of directory `dir`, itself included, that `user` cannot pass through; undefined when all is well. */
function impassable(dir: string, user: RunAs): string | undefined {
  return partsOf(dir).find((part) => !allows(part, user, MAY_PASS))
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
      `${pointer} should say where the database is and does not; restore it, or remove it to begin with an empty database`,
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
