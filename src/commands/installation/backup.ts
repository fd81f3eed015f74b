import type { Command } from 'commander'
import { resolve } from 'node:path'
import { isBackupKept, lastBackupPut, type LastBackup } from '../../db/backups/last-backup.sql.ts'
import { openDb } from '../../db/open-db.ts'
import { inTransaction } from '../../db/sql.ts'
import { startEmbedded } from '../../embedded/embedded.ts'
import { backUp } from '../../embedded/backup/back-up.ts'
import { readManifest, type Manifest } from '../../embedded/backup/manifest.ts'
import { removeReplayedArchive, requireWithin, startAt, type Moment } from '../../embedded/backup/moment.ts'
import { endRestore, holdRestore, restore } from '../../embedded/backup/restore.ts'
import { lastReplayed } from '../../db/backups/archive.ts'
import { Check } from '../../input/check.ts'
import { asError, ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import { parseTimestamp } from '../../platform/time/timestamp.ts'
import { must } from '../../platform/must.ts'
import { openRuntime } from '../../runtime.ts'
import { fenceRestore } from '../../shelf/fence-restore.ts'
import { openPrinter } from '../console/print.ts'
import { readEnvironment, withRuntime } from '../console/run.ts'
import { findShipped } from './ship-log.ts'

/** Backups of the embedded server, and records of those that an operator's own tools make. */
export function backupCommands(program: Command): void {
  program
    .command('backup')
    .description('copy the embedded database, pictures and files of imports while the service runs')
    .argument('<directory>', 'the directory to create; it gets this name when it is complete')
    .option('--without-key', 'leave DATA_DIR/secret.key out: keep it somewhere else')
    .option('--json', 'print one JSON object')
    .action(makeBackup)
  program
    .command('restore')
    .description('put a backup into an empty DATA_DIR, and fence the feed’s numbers and all ids (see fence-restore)')
    .argument('<directory>', 'a directory that shelfwire backup has created')
    .option('--to <time>', 'RFC 3339: restore to this moment after the backup, from the archived log')
    .option(
      '--archive <directory>',
      'the WAL_ARCHIVE_DIR of the database that was backed up, or s3: for what ship-log has copied; required with --to',
    )
    .option('--json', 'print one JSON object')
    .action(restoreBackup)
  program
    .command('note-backup')
    .description(
      'record that your own tools have made a full backup: its age is shown in /readyz, /metrics and doctor. shelfwire backup records its own',
    )
    .argument('<place>', 'where it is; user names, passwords and parameters of an address are left out')
    .option('--ended <time>', 'RFC 3339, the moment that it restores to (default: now)')
    .option('--bytes <number>', 'its size')
    .option('--seconds <number>', 'how long it took')
    .option('--json', 'print one JSON object')
    .action(noteBackup)
}

async function makeBackup(directory: string, options: { withoutKey?: true; json?: true }): Promise<void> {
  const { settings, log } = readEnvironment('warn')
  requireEmbedded(settings, 'backup')
  const printer = openPrinter(options.json === true)
  using progress = printer.progress('Copying')
  const server = await startEmbedded({ dataDir: settings.dataDir, walArchiveDir: settings.walArchiveDir, log })
  try {
    const began = performance.now()
    const manifest = await backUp({
      server,
      dataDir: settings.dataDir,
      directory,
      isWithoutKey: options.withoutKey === true,
      bucket: settings.s3?.bucket ?? null,
      onProgress: (files) => progress.update(files, null),
    })
    const unkept = await keep(server.url, lastOf(manifest, directory, (performance.now() - began) / 1_000))
    const lines = [
      `backup of ${manifest.ended_at} in ${resolve(directory)}: ${manifest.files} files, ${(manifest.bytes / 1_000_000).toFixed(1)} MB`,
      ...(manifest.has_key ? ['it has secret.key, which opens what is sealed in it: keep others away from it'] : []),
      ...(manifest.bucket === null ? [] : [`pictures and files of imports are in the bucket ${manifest.bucket}`]),
      ...(unkept === null ? [] : [`it is not noted as the last backup: ${unkept}`]),
    ]
    printer.result({ directory: resolve(directory), ...manifest, is_noted: unkept === null }, lines.join('\n'))
  } finally {
    await server.stop()
  }
}

async function restoreBackup(
  directory: string,
  options: { to?: string; archive?: string; json?: true },
): Promise<void> {
  const { settings, log } = readEnvironment('warn')
  requireEmbedded(settings, 'restore')
  const moment = readMoment(options)
  const printer = openPrinter(options.json === true)
  // checks everything that may be refused before the backup is copied and the log is fetched
  const copied = await readManifest(directory)
  if (moment !== null) requireWithin(moment, copied)
  const shipped = moment === null ? null : await findShipped(moment.archive, directory, settings)
  using progress = printer.progress('Restoring')
  const { dataDir } = settings
  using _held = holdRestore(dataDir)
  const onProgress = (...done: [number, number]) => progress.update(...done)
  const { manifest, home } = await restore({ directory, dataDir, log, moment, onProgress })
  const server =
    moment === null
      ? await startEmbedded({ dataDir, log, isRestoring: true })
      : await startAt({ ...moment, ...shipped }, home, log, onProgress)
  let accounts: number
  let last: Date | null
  try {
    await using runtime = await openRuntime({ ...settings, databaseUrl: server.url, walArchiveDir: null }, log)
    last = moment === null ? null : await lastReplayed(runtime.db)
    accounts = await fenceRestore(runtime.db)
    // the restored database is exactly this backup, with nothing newer
    await inTransaction(runtime.db, (tx) => lastBackupPut(tx, lastOf(manifest, directory, null)))
  } finally {
    await server.stop()
  }
  await removeReplayedArchive(home)
  await endRestore(dataDir)
  const reached = {
    to: moment?.to.toISOString() ?? manifest.ended_at,
    ...(moment === null ? {} : { last_change_at: last?.toISOString() ?? null }),
  }
  printer.result(
    { directory: resolve(directory), data_dir: dataDir, accounts, ...manifest, ...reached },
    [
      `${dataDir} is as it was at ${reached.to}; the feeds of ${accounts} accounts were fenced`,
      ...(last === null ? [] : [`the last change in it is of ${last.toISOString()}`]),
      ...(moment === null || manifest.bucket !== null
        ? []
        : [`pictures and files of imports are those of the backup of ${manifest.ended_at}: bring later ones`]),
      'sessions, tokens and links that were ended since are valid again: shelfwire fence-restore --end-everything ends them',
      ...(manifest.has_key
        ? []
        : [
            'the backup has no secret.key: bring it, or set SECRET_KEY, where the service had one (it makes none before there is a secret to seal)',
          ]),
    ].join('\n'),
  )
}

function readMoment({ to, archive }: { to?: string; archive?: string }): Moment | null {
  const check = new Check()
  check.that((to === undefined) === (archive === undefined), '--to', 'needs --archive, and --archive needs --to')
  // to the millisecond, which parseTimestamp would cut off
  const at = to === undefined || parseTimestamp(to) === null ? null : new Date(to)
  check.that(
    to === undefined || at !== null,
    '--to',
    `takes a time with its offset, such as 2026-11-20T10:00:00Z, not "${to}"`,
  )
  check.done('restore')
  return at === null || archive === undefined
    ? null
    : { to: at, archive: archive.startsWith('s3:') ? archive : resolve(archive), fetch: null }
}

const lastOf = (manifest: Manifest, directory: string, seconds: number | null): LastBackup => ({
  endedAt: new Date(manifest.ended_at),
  place: resolve(directory),
  bytes: manifest.bytes,
  seconds,
})

/**
 * Records a completed backup. A database that refuses this is no reason to fail. @returns why it was not recorded; null
 * if it was
 */
async function keep(url: string, last: LastBackup): Promise<string | null> {
  const db = openDb({ url, connectionsMax: 1 })
  try {
    // a new release may make the backup before its upgrade, while the schema is still the old one
    if (!(await isBackupKept(db)))
      return 'the schema is of an older release; the next start, or shelfwire migrate, brings it up to date'
    await inTransaction(db, (tx) => lastBackupPut(tx, last))
    return null
  } catch (error) {
    return asError(error).message
  } finally {
    await db.end({ timeout: 5 })
  }
}

async function noteBackup(
  place: string,
  options: { ended?: string; bytes?: string; seconds?: string; json?: true },
): Promise<void> {
  const check = new Check()
  const given = check.text('place', withoutSecrets(place), LIMITS.backupPlaceLengthMax)
  const endedAt = options.ended === undefined ? new Date() : parseTimestamp(options.ended)
  check.that(
    endedAt !== null && endedAt.getTime() <= Date.now(),
    '--ended',
    `takes a past time with its offset, such as 2026-11-20T10:00:00Z, not "${options.ended}"`,
  )
  const amounts = { '--bytes': options.bytes, '--seconds': options.seconds }
  for (const [name, text] of Object.entries(amounts))
    check.that(text === undefined || /^\d{1,15}$/.test(text), name, `must be a whole number from 0 on, not "${text}"`)
  check.done('backup')
  const last = {
    endedAt: must(endedAt),
    place: given,
    bytes: options.bytes === undefined ? null : Number(options.bytes),
    seconds: options.seconds === undefined ? null : Number(options.seconds),
  }
  await withRuntime(options, async ({ runtime, printer }) => {
    const isLast = await inTransaction(runtime.db, (tx) => lastBackupPut(tx, last))
    printer.result(
      { ended_at: last.endedAt.toISOString(), place: last.place, is_last: isLast },
      isLast
        ? `the last backup is of ${last.endedAt.toISOString()}, in ${last.place}`
        : 'a later one is known already: nothing was changed',
    )
  })
}

/** The URL or path of a backup, as in the command of a backup tool, without credentials and query. */
function withoutSecrets(place: string): string {
  return place.replace(/^([a-z][\w+.-]*:\/\/)(?:[^/?#]*@)?([^?#]*).*$/is, '$1$2')
}

function requireEmbedded({ databaseUrl }: Settings, command: string): void {
  if (databaseUrl === null) return
  throw new ShelfwireError(
    'invalid-input',
    `${command} is for the embedded server, and DATABASE_URL names another one; docs/operations.md, "Backup and restore", has the commands for it`,
  )
}
