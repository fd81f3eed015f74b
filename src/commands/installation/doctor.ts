import type { Command } from 'commander'
import { constants, existsSync } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { archiveState, isArchiveLate } from '../../db/backups/archive-state.ts'
import { isOlder } from '../../db/backups/backups.ts'
import { isBackupKept, lastBackupGet } from '../../db/backups/last-backup.sql.ts'
import { serverState } from '../../db/checks/server-state.ts'
import { requireSameDatabase } from '../../db/migrations/migrate.ts'
import { openDb } from '../../db/open-db.ts'
import type { Db } from '../../db/sql.ts'
import { startEmbedded } from '../../embedded/embedded.ts'
import { openOutbound } from '../../outbound/client.ts'
import { openProvider } from '../../people/provider/provider.ts'
import { asError, ShelfwireError } from '../../platform/errors.ts'
import { silentLog, type Log } from '../../platform/log.ts'
import { isEarlierInReleaseLine } from '../../platform/process/node-release.ts'
import { packageVersion, testedNodeVersion } from '../../platform/process/package.ts'
import { availableMemory } from '../../platform/process/memory.ts'
import { sealFor } from '../../platform/secrets/seal.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import { keysInUse, usesText } from '../../sealed/keys-in-use.ts'
import { memoryMax, ROLES } from '../../service.ts'
import { openPrinter } from '../console/print.ts'
import { readEnvironment } from '../console/run.ts'
import { terminal } from '../console/terminal.ts'

/** The result of one check. `problem`: something does not work, or will not; `warning`: it works, but should be changed. */
export interface Check {
  name: string
  status: 'ok' | 'warning' | 'problem'
  detail: string
  /** What to do; null if nothing is to be done. */
  advice: string | null
}

const ok = (name: string, detail: string): Check => ({ name, status: 'ok', detail, advice: null })
const warning = (name: string, detail: string, advice: string): Check => ({ name, status: 'warning', detail, advice })
const problem = (name: string, detail: string, advice: string): Check => ({ name, status: 'problem', detail, advice })

const DISK_LOW_BYTES = 2_000_000_000
const CLOCK_APART_MS = 1_000
const BACKUP_OLD_HOURS = 7 * 24

export function doctorCommand(program: Command): void {
  program
    .command('doctor')
    .description(
      'report problems of this installation and what to do about them; changes nothing. Exit code 1 if there is a problem',
    )
    .option('--json', 'print one JSON object')
    .action(async (options: { json?: true }) => {
      const { settings, log } = readEnvironment('warn')
      const checks = await checksOf(settings, log)
      const problems = checks.filter(({ status }) => status === 'problem').length
      const lines = checks.map(
        ({ name, status, detail, advice }) =>
          `${status.padEnd(8)}${name}: ${detail}${advice === null ? '' : `\n        ${advice}`}`,
      )
      openPrinter(options.json === true).result({ problems, checks }, lines.join('\n'))
      if (problems > 0) terminal().exitCode = 1
    })
}

/** Runs all checks. */
export const checksOf = async (settings: Settings, log: Log): Promise<Check[]> => [
  ...(await ofMachine(settings)),
  ...(await ofDatabase(settings, log)),
  ...(await ofBucket(settings)),
  ...(await ofProvider(settings)),
  ...ofAddresses(settings),
]

async function ofMachine(settings: Settings): Promise<Check[]> {
  const { dataDir } = settings
  const checks: Check[] = []
  checks.push(
    process.getuid?.() === 0
      ? warning('user', 'root', 'run the service as a user of its own: docs/operations.md, "As a plain user"')
      : ok('user', `number ${process.getuid?.() ?? 'unknown'}`),
    ofNode(process.version, testedNodeVersion()),
  )
  const there = existing(dataDir)
  const isWritable = await access(there, constants.W_OK).then(
    () => true,
    () => false,
  )
  checks.push(
    isWritable
      ? ok('data directory', dataDir)
      : problem('data directory', `${there} is not writable for this user`, 'give it to the user, or set DATA_DIR'),
  )
  const { bavail, bsize } = await statfs(there)
  const free = `${(bavail * bsize * 1e-9).toFixed(1)} GB are free at ${there}`
  checks.push(
    bavail * bsize < DISK_LOW_BYTES
      ? warning('disk', free, 'make room: with a full disk the embedded database takes no writes')
      : ok('disk', free),
  )
  const megabytes = (bytes: number) => `${Math.round(bytes / 1_048_576)} MB`
  const most = memoryMax(settings, ROLES)
  const memory = `${megabytes(availableMemory())}; a process with both roles takes ${megabytes(most)} at the most`
  checks.push(
    availableMemory() < most
      ? warning('memory', memory, 'give it more, or set FILE_READER_MB and IMAGE_DECODER_MB lower')
      : ok('memory', memory),
  )
  return checks
}

/**
 * If the service is started with a Node other than the one among its packages, its operator must update that Node. Where the packages themselves
 * contain an old one (npm's for macOS on arm64), this finds it as well.
 */
const ofNode = (running: string, tried: string): Check =>
  isEarlierInReleaseLine(running, tried)
    ? warning(
        'node',
        `${running}, and this release was tried with ${tried}: weaknesses were mended in between`,
        `install Node ${tried} or a newer one of its line, and start the service with it`,
      )
    : ok('node', running)

/** The directory, or its nearest parent that exists. */
function existing(directory: string): string {
  return existsSync(directory) ? directory : existing(dirname(directory))
}

/** Opens the database without migrating it. @returns null if it does not exist before the first start. @param open closes it when disposed */
export async function openExisting(settings: Settings, log: Log, open: AsyncDisposableStack): Promise<Db | null> {
  const { databaseUrl, dataDir, walArchiveDir } = settings
  const isNew = !['postgres', 'postgres-location.json'].some((name) => existsSync(join(dataDir, name)))
  if (databaseUrl === null && isNew) return null
  let url = settings.databaseDirectUrl ?? databaseUrl
  if (url === null) {
    const server = await startEmbedded({ dataDir, walArchiveDir, log })
    open.defer(() => server.stop())
    url = server.url
  }
  // DATABASE_PREPARE is about the pooler; this connection uses the pooler only if no direct address is set
  const prepare = settings.databaseDirectUrl !== null || databaseUrl === null || settings.databasePrepare
  const db = openDb({ url, connectionsMax: 2, prepare })
  open.defer(() => db.end({ timeout: 5 }))
  return db
}

async function ofDatabase(settings: Settings, log: Log): Promise<Check[]> {
  await using open = new AsyncDisposableStack()
  try {
    const db = await openExisting(settings, log, open)
    if (db === null)
      return [
        warning('database', `there is none in ${settings.dataDir} yet`, 'the first start of the service makes it'),
      ]
    return [
      ...(await ofServer(db)),
      ...(await ofPooler(db, settings)),
      ...(await ofKeys(db, settings)),
      ...(await ofBackups(db, settings)),
      ...(await ofArchive(db, settings)),
    ]
  } catch (error) {
    const advice =
      error instanceof ShelfwireError && error.code === 'settings-invalid'
        ? 'mend the setting that it names'
        : 'start it, or mend DATABASE_URL'
    return [problem('database', `it does not answer: ${asError(error).message}`, advice)]
  }
}

async function ofServer(db: Db): Promise<Check[]> {
  const state = await serverState(db)
  const major = Math.floor(state.version / 10_000)
  const checks: Check[] = [
    major < 15 || major > 18
      ? problem('database', `PostgreSQL ${major}`, 'use PostgreSQL 15 to 18')
      : state.isStandby
        ? problem('database', 'it is a standby and takes no writes', 'let DATABASE_URL lead to the primary')
        : ok('database', `PostgreSQL ${major} answers and takes writes`),
  ]
  const { missing, unknown } = state
  if (unknown.length > 0)
    checks.push(problem('schema', `of a newer release (${unknown.join(', ')})`, 'run that release'))
  else if (missing.length > 0)
    checks.push(
      warning(
        'schema',
        `${missing.length} migrations are missing`,
        'the next start, or shelfwire migrate, applies them; shelfwire migrate --check says what they lock',
      ),
    )
  else checks.push(ok('schema', 'it is that of this release'))
  const clock = `the database’s clock is ${state.clockAheadMs} ms ahead of this machine’s`
  checks.push(
    Math.abs(state.clockAheadMs) > CLOCK_APART_MS
      ? warning('clock', clock, 'let both follow a time server (NTP): tokens and sessions end by either clock')
      : ok('clock', clock),
  )
  const used = `${state.connectionsUsed} of ${state.connectionsMax} connections are used`
  checks.push(
    state.connectionsUsed > 0.8 * state.connectionsMax
      ? warning('connections', used, 'raise max_connections, lower DATABASE_CONNECTIONS_MAX, or use a pooler')
      : ok('connections', used),
  )
  return checks
}

/** If DATABASE_DIRECT_URL is set, DATABASE_URL is the pooler, through which requests are answered; it is checked apart. */
async function ofPooler(
  direct: Db,
  { databaseUrl, databaseDirectUrl, databasePrepare: prepare }: Settings,
): Promise<Check[]> {
  if (databaseUrl === null || databaseDirectUrl === null) return []
  await using open = new AsyncDisposableStack()
  const pooled = openDb({ url: databaseUrl, connectionsMax: 1, prepare })
  open.defer(() => pooled.end({ timeout: 5 }))
  try {
    await serverState(pooled)
    if ((await serverState(direct)).missing.length === 0) await requireSameDatabase(pooled, direct)
    return [ok('pooler', 'DATABASE_URL answers, and leads to the same database as DATABASE_DIRECT_URL')]
  } catch (error) {
    const { message } = asError(error)
    return [
      problem(
        'pooler',
        `DATABASE_URL does not answer as it should: ${message}`,
        'mend it, or the pooler: docs/operations.md, "Behind a pooler"',
      ),
    ]
  }
}

async function ofKeys(db: Db, settings: Settings): Promise<Check[]> {
  if ((await serverState(db)).missing.length > 0) return []
  const known = sealFor(settings.secretKeys, settings.dataDir).keyIds()
  const { uses } = await keysInUse(db)
  const lost = uses.filter(({ keyId }) => !known.includes(keyId))
  if (lost.length > 0)
    return [
      problem(
        'secret key',
        `the settings lack the key of ${usesText(lost)}`,
        'bring it back: SECRET_KEY=new,old, or DATA_DIR/secret.key',
      ),
    ]
  const old = uses.filter(({ keyId }) => keyId !== known[0])
  if (old.length > 0) return [warning('secret key', `an older one still seals ${usesText(old)}`, 'run shelfwire rekey')]
  return [ok('secret key', uses.length === 0 ? 'nothing is sealed' : 'it opens everything that is sealed')]
}

async function ofBucket({ s3 }: Settings): Promise<Check[]> {
  if (s3 === null) return []
  try {
    await using objects = (await import('../../objects/s3-objects.ts')).openS3Objects(s3)
    for await (const _ of objects.list('')) break
    return [ok('bucket', `${s3.bucket} can be listed`)]
  } catch (error) {
    return [problem('bucket', `${s3.bucket} cannot be listed: ${asError(error).message}`, 'mend the settings of S3_')]
  }
}

/** Requests the provider's description, as a sign-in does. */
async function ofProvider({ provider }: Settings): Promise<Check[]> {
  if (provider === null) return []
  const outbound = openOutbound({ allow: ['0.0.0.0/0', '::/0'], userAgent: `Shelfwire/${packageVersion()}` })
  try {
    await openProvider(provider, outbound, silentLog).begin('doctor', 'doctor', 'https://doctor.example', false)
    return [ok('identity provider', provider.issuer)]
  } catch (error) {
    const { cause, message } = asError(error)
    const reason = asError(cause ?? message).message
    return [
      problem(
        'identity provider',
        `${provider.issuer} cannot be asked what it is: ${reason}`,
        'compare OIDC_ISSUER, byte for byte, with what the provider’s /.well-known/openid-configuration says',
      ),
    ]
  } finally {
    await outbound.close()
  }
}

function ofAddresses({ publicUrl, trustedProxies, host }: Settings): Check[] {
  const isBehindProxy = publicUrl?.startsWith('https:') === true
  if (isBehindProxy && trustedProxies.length === 0)
    return [
      warning(
        'proxy',
        `${publicUrl} is behind a proxy that TRUSTED_PROXIES does not name`,
        'name it: until then all clients count as one where limits are by address',
      ),
    ]
  if (publicUrl === null && !['127.0.0.1', '::1', 'localhost'].includes(host))
    return [warning('addresses', `PUBLIC_URL is not set, and ${host} is no address for others`, 'set PUBLIC_URL')]
  return [ok('addresses', publicUrl ?? `http://${host}`)]
}

async function ofBackups(db: Db, { databaseUrl, backupHoursMax }: Settings): Promise<Check[]> {
  const advice =
    databaseUrl === null
      ? 'run shelfwire backup, every day'
      : 'back it up every day, and tell it with shelfwire note-backup: docs/operations.md, "Backup and restore"'
  const last = (await isBackupKept(db)) ? await lastBackupGet(db) : null
  const what = last === null ? 'none is known' : `the last one is of ${last.endedAt.toISOString()}, in ${last.place}`
  if (!isOlder(last, backupHoursMax ?? BACKUP_OLD_HOURS)) return [ok('backup', what)]
  if (backupHoursMax === null) return [warning('backup', what, advice)]
  return [problem('backup', `${what}; BACKUP_MAX_AGE_HOURS is ${backupHoursMax}`, advice)]
}

async function ofArchive(db: Db, { databaseUrl, walArchiveDir }: Settings): Promise<Check[]> {
  const state = await archiveState(db)
  const isOurs = databaseUrl === null
  if (state === null) {
    if (!isOurs || walArchiveDir === null) return []
    const advice = 'stop all processes of this DATA_DIR, and start them with WAL_ARCHIVE_DIR'
    return [problem('archive', 'the server was started without it and archives nothing', advice)]
  }
  const where = isOurs ? 'WAL_ARCHIVE_DIR, its room and its rights' : 'the server’s archive_command'
  const what =
    state.archivedAt === null ? 'nothing was archived yet' : `archived up to ${state.archivedAt.toISOString()}`
  if (state.isFailing)
    return [
      problem(
        'archive',
        `the last try failed; ${what}`,
        `look at ${where}: the server’s log says what the command said`,
      ),
    ]
  return [
    isArchiveLate(state, isOurs)
      ? warning('archive', what, `where the service runs, look at ${where}`)
      : ok('archive', what),
  ]
}
