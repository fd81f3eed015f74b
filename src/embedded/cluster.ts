import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { ShelfwireError } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'
import type { Binaries } from './binaries.ts'
import { writeWhole } from './home.ts'
import type { Home } from './home.ts'
import { lastLines, runTool } from './process.ts'

/** Name of the superuser and of the database. */
export const DATABASE_NAME = 'shelfwire'
const PASSWORD_BYTES = 24
/** Folders that are renamed when they are complete; others are removed by a start. */
export const DRAFT_PREFIX = 'init-'

/** Creates the cluster when there is none; refuses one of another major version. The caller holds DATA_DIR's lock. */
export async function ensureCluster(
  home: Home,
  binaries: Binaries,
  options: { log: Log; sync: boolean },
): Promise<void> {
  // Under the lock no other process creates one: a draft was left by a process that was killed.
  for (const name of readdirSync(home.dir)) {
    if (name.startsWith(DRAFT_PREFIX)) rmSync(join(home.dir, name), { recursive: true, force: true })
  }
  if (existsSync(home.cluster) && readdirSync(home.cluster).length === 0) rmdirSync(home.cluster)
  if (!existsSync(home.cluster)) await createCluster(home, binaries, options)
  refuseOtherMajor(home, binaries)
}

/** The superuser's password; undefined when its file is lost. */
export function readPassword(home: Home): string | undefined {
  const text = existsSync(home.passwordFile) ? readFileSync(home.passwordFile, 'utf8').trim() : ''
  return text === '' ? undefined : text
}

/** Sets the superuser's password to that of the password file, which is created if missing. The server must be stopped. */
export async function resetPassword(home: Home, binaries: Binaries): Promise<string> {
  const password = ensurePassword(home)
  await runSingle(
    home,
    binaries,
    home.cluster,
    `ALTER ROLE ${DATABASE_NAME} PASSWORD '${password.replaceAll("'", "''")}'`,
  )
  return password
}

function refuseOtherMajor(home: Home, binaries: Binaries): void {
  const file = join(home.cluster, 'PG_VERSION')
  if (!existsSync(file)) {
    throw new ShelfwireError(
      'database-unusable',
      `${home.cluster} has files but is not a PostgreSQL database (no PG_VERSION); restore it, or move it away to start with an empty one`,
    )
  }
  const found = readFileSync(file, 'utf8').trim()
  if (found === String(binaries.major)) return
  throw new ShelfwireError(
    'database-unusable',
    `the database in ${home.cluster} was created by PostgreSQL ${found}; the installed PostgreSQL ${binaries.major} cannot read it; ` +
      `run the Shelfwire version that created it, or dump it with PostgreSQL ${found} and restore it into a new one`,
  )
}

/** Creates the cluster under a temporary name and renames it when it is complete, so that a partial one is never used. */
async function createCluster(home: Home, binaries: Binaries, options: { log: Log; sync: boolean }): Promise<void> {
  const began = Date.now()
  const draft = join(home.dir, `${DRAFT_PREFIX}${process.pid}`)
  const cluster = join(draft, 'cluster')
  const passwordFile = join(draft, 'password')
  const { runAs } = home
  try {
    mkdirSync(draft, { mode: 0o700 })
    writeFileSync(passwordFile, ensurePassword(home), { mode: 0o600 })
    if (runAs !== undefined) for (const path of [passwordFile, draft]) chownSync(path, runAs.uid, runAs.gid)
    // PostgreSQL's builtin locale: text sorts the same on every machine, and no system locale is needed.
    const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
    const access = [`--username=${DATABASE_NAME}`, '--auth=scram-sha-256', `--pwfile=${passwordFile}`]
    await runTool(
      binaries.initdb,
      ['-D', cluster, ...locale, ...access, '--no-instructions', ...(options.sync ? [] : ['--no-sync'])],
      { runAs },
    )
    await runSingle(home, binaries, cluster, `CREATE DATABASE ${DATABASE_NAME}`)
    await preferLz4(home, binaries, cluster)
    renameSync(cluster, home.cluster)
    if (options.sync) syncDir(home.dir)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  options.log.info(
    { cluster: home.cluster, version: binaries.version, ms: Date.now() - began },
    'created the embedded database',
  )
}

/** Compresses with lz4, which is faster, where the build supports it; other builds report an error and keep pglz. */
async function preferLz4(home: Home, binaries: Binaries, cluster: string): Promise<void> {
  await single(home, binaries, cluster, "ALTER SYSTEM SET default_toast_compression = 'lz4'")
}

async function runSingle(home: Home, binaries: Binaries, cluster: string, sql: string): Promise<void> {
  const printed = await single(home, binaries, cluster, sql)
  // Single-user mode prints the error of a failed statement but still exits with 0.
  if (/\b(ERROR|FATAL|PANIC):/.test(printed))
    throw new ShelfwireError('database-unusable', `the embedded database cannot be prepared: ${lastLines(printed)}`)
}

async function single(home: Home, binaries: Binaries, cluster: string, sql: string): Promise<string> {
  return await runTool(
    binaries.postgres,
    ['--single', '-D', cluster, '-c', 'log_min_error_statement=panic', 'postgres'],
    { runAs: home.runAs, input: `${sql}\n` },
  )
}

function ensurePassword(home: Home): string {
  const known = readPassword(home)
  if (known !== undefined) {
    // A file that was copied or restored may have another mode.
    chmodSync(home.passwordFile, 0o600)
    return known
  }
  const password = randomBytes(PASSWORD_BYTES).toString('base64url')
  writeWhole(home.passwordFile, `${password}\n`, 0o600)
  return password
}

function syncDir(dir: string): void {
  // On Windows a directory cannot be opened.
  if (process.platform === 'win32') return
  const fd = openSync(dir, 'r')
  fsyncSync(fd)
  closeSync(fd)
}
