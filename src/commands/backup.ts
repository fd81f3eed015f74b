import type { Command } from 'commander'
import { resolve } from 'node:path'
import { startEmbedded } from '../embedded/embedded.ts'
import { backUp } from '../embedded/backup/back-up.ts'
import { endRestore, restore } from '../embedded/backup/restore.ts'
import { ShelfwireError } from '../platform/errors.ts'
import type { Settings } from '../platform/settings.ts'
import { openRuntime } from '../runtime.ts'
import { fenceRestore } from '../shelf/fence-restore.ts'
import { openPrinter } from './print.ts'
import { readEnvironment } from './run.ts'

/** Backups of the embedded server; one of the operator's own has its own tools. */
export function backupCommands(program: Command): void {
  program
    .command('backup')
    .description('copy the embedded database, pictures and files of imports while the service runs')
    .argument('<directory>', 'the folder that is made; it appears under this name when it is complete')
    .option('--without-key', 'leave DATA_DIR/secret.key out: keep it somewhere else')
    .option('--json', 'print one JSON object')
    .action(makeBackup)
  program
    .command('restore')
    .description('put a backup into an empty DATA_DIR, and fence the feed’s numbers and all ids (see fence-restore)')
    .argument('<directory>', 'a folder that shelfwire backup has made')
    .option('--json', 'print one JSON object')
    .action(restoreBackup)
}

async function makeBackup(directory: string, options: { withoutKey?: true; json?: true }): Promise<void> {
  const { settings, log } = readEnvironment('warn')
  requireEmbedded(settings, 'backup')
  const printer = openPrinter(options.json === true)
  using progress = printer.progress('Copying')
  const server = await startEmbedded({ dataDir: settings.dataDir, log })
  try {
    const manifest = await backUp({
      server,
      dataDir: settings.dataDir,
      directory,
      isWithoutKey: options.withoutKey === true,
      bucket: settings.s3?.bucket ?? null,
      onProgress: (files) => progress.update(files, null),
    })
    const lines = [
      `backup of ${manifest.ended_at} in ${resolve(directory)}: ${manifest.files} files, ${(manifest.bytes / 1_000_000).toFixed(1)} MB`,
      ...(manifest.has_key ? ['it has secret.key, which opens what is sealed in it: keep others away from it'] : []),
      ...(manifest.bucket === null ? [] : [`pictures and files of imports are in the bucket ${manifest.bucket}`]),
    ]
    printer.result({ directory: resolve(directory), ...manifest }, lines.join('\n'))
  } finally {
    await server.stop()
  }
}

async function restoreBackup(directory: string, options: { json?: true }): Promise<void> {
  const { settings, log } = readEnvironment('warn')
  requireEmbedded(settings, 'restore')
  const printer = openPrinter(options.json === true)
  using progress = printer.progress('Restoring')
  const { dataDir } = settings
  const manifest = await restore({ directory, dataDir, log, onProgress: (...done) => progress.update(...done) })
  const server = await startEmbedded({ dataDir, log, isRestoring: true })
  let accounts: number
  try {
    await using runtime = await openRuntime({ ...settings, databaseUrl: server.url }, log)
    accounts = await fenceRestore(runtime.db)
  } finally {
    await server.stop()
  }
  await endRestore(dataDir)
  printer.result(
    { directory: resolve(directory), data_dir: dataDir, accounts, ...manifest },
    [
      `${dataDir} is as it was at ${manifest.ended_at}; the feeds of ${accounts} accounts were fenced`,
      'sessions, tokens and links that were ended since are valid again: shelfwire fence-restore --end-everything ends them',
      ...(manifest.has_key ? [] : ['the backup has no secret.key: bring it, or set SECRET_KEY']),
    ].join('\n'),
  )
}

function requireEmbedded({ databaseUrl }: Settings, command: string): void {
  if (databaseUrl === null) return
  throw new ShelfwireError(
    'invalid-input',
    `${command} is for the embedded server, and DATABASE_URL names another one; docs/operations.md, "Backup and restore", has the commands for it`,
  )
}
