import { createHash } from 'node:crypto'
import { createWriteStream, existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { once } from 'node:events'
import pg from 'pg'
import { syncDirectory } from '../../platform/files/durable.ts'
import { asError, ShelfwireError } from '../../platform/errors.ts'
import { isFileFault } from '../../platform/files/file-faults.ts'
import { packageVersion } from '../../platform/process/package.ts'
import { must } from '../../platform/must.ts'
import type { EmbeddedServer } from '../embedded.ts'
import { copyDurably, directoryEntry, walk, type CopiedFile } from './copied-files.ts'
import { FILE_LIST, MANIFEST, type Manifest } from './manifest.ts'

/** What a backup takes from DATA_DIR: files that cannot be created again. */
const KEPT_FILES = ['postgres-password', 'demo-access.json']
const KEY_FILE = 'secret.key'
const KEPT_FOLDERS = ['images', 'imports']
/** Directories whose files are created anew at a start, or belong to the running server. */
const EMPTY_IN_COPY = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
])
const NOT_COPIED = /(^|\/)(postmaster\.(pid|opts)|pgsql_tmp[^/]*|pg_internal\.init[^/]*|backup_label|tablespace_map)$/

export interface BackupOptions {
  server: EmbeddedServer
  dataDir: string
  /** The folder to create; it must not exist. */
  directory: string
  /** Whether DATA_DIR/secret.key is left out. */
  isWithoutKey: boolean
  /** The bucket that contains pictures and files of imports; null: they are in DATA_DIR. */
  bucket: string | null
  onProgress: (files: number) => void
}

/**
 * Copies the embedded server's database while it runs, and the parts of DATA_DIR that belong to it. The folder gets its name only when everything is
 * on the disk.
 * @throws ShelfwireError `invalid-input` if the folder exists already or cannot be created.
 */
export async function backUp(options: BackupOptions): Promise<Manifest> {
  const { dataDir, server, onProgress } = options
  const directory = resolve(options.directory)
  const draft = `${directory}.unfinished`
  await makeDraft(directory, draft)
  const list = openList(join(draft, FILE_LIST), onProgress)
  try {
    const beganAt = new Date()
    await copyCluster(server, draft, list.add)
    const endedAt = new Date()
    // after the database: a file is stored before the database names it, so none that the copied database names is missing
    const folders = options.bucket === null ? KEPT_FOLDERS : []
    for (const folder of folders) await copyFolder(join(dataDir, folder), draft, folder, list.add)
    const files = [...KEPT_FILES, ...(options.isWithoutKey ? [] : [KEY_FILE])]
    for (const name of files.filter((file) => existsSync(join(dataDir, file))))
      await copyOne(join(dataDir, name), draft, name, list.add)
    const manifest: Manifest = {
      format: 1,
      shelfwire: packageVersion(),
      postgres: server.major,
      began_at: beganAt.toISOString(),
      ended_at: endedAt.toISOString(),
      ...(await list.end()),
      has_key: !options.isWithoutKey && existsSync(join(dataDir, KEY_FILE)),
      bucket: options.bucket,
    }
    await writeFile(join(draft, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true })
    await syncDirectory(draft)
    await rename(draft, directory)
    await syncDirectory(dirname(directory))
    return manifest
  } catch (error) {
    await list.abandon()
    await rm(draft, { recursive: true, force: true })
    if (!isFileFault(error)) throw error
    throw new ShelfwireError(
      'invalid-input',
      `no backup was made, and what was copied was removed from ${dirname(directory)}: ${error.message}`,
      { cause: error },
    )
  }
}

async function makeDraft(directory: string, draft: string): Promise<void> {
  if (existsSync(directory))
    throw new ShelfwireError('invalid-input', `${directory} is there already; name a folder that is not`)
  try {
    await mkdir(dirname(draft), { recursive: true })
    await mkdir(draft, { mode: 0o700 })
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST'
    throw new ShelfwireError(
      'invalid-input',
      isThere
        ? `${draft} is there: another backup is being made, or one was interrupted; remove it if none is`
        : `${draft} cannot be made: ${asError(error).message}`,
      { cause: error },
    )
  }
}

type Add = (file: CopiedFile) => Promise<void>

function openList(path: string, onProgress: (files: number) => void) {
  const hash = createHash('sha256')
  const stream = createWriteStream(path, { mode: 0o600, flush: true })
  const failed = once(stream, 'error').then(([error]: unknown[]) => {
    throw asError(error)
  })
  failed.catch(() => {})
  let [files, bytes] = [0, 0]
  return {
    async add(file: CopiedFile) {
      const line = `${JSON.stringify(file)}\n`
      hash.update(line)
      files++
      bytes += file.bytes
      onProgress(files)
      if (!stream.write(line)) await Promise.race([once(stream, 'drain'), failed])
    },
    async end() {
      const closed = once(stream, 'close')
      stream.end()
      await Promise.race([closed, failed])
      return { files, bytes, list_sha256: hash.digest('hex') }
    },
    /** Closes the list of an unsuccessful backup. */
    async abandon() {
      if (stream.closed) return
      const closed = once(stream, 'close')
      stream.destroy()
      await closed.catch(() => {})
    },
  }
}

async function copyOne(from: string, draft: string, path: string, add: Add): Promise<boolean> {
  const copied = await copyDurably(from, join(draft, path), 0o600)
  if (copied !== undefined) await add({ path, ...copied })
  return copied !== undefined
}

async function copyFolder(
  from: string,
  draft: string,
  name: string,
  add: Add,
  isLeftOut: (path: string) => boolean = (path) => path === 'unfinished',
): Promise<void> {
  for await (const { path, isDirectory } of walk(from, isLeftOut)) {
    if (!isDirectory) await copyOne(join(from, path), draft, `${name}/${path}`, add)
    else {
      await mkdir(join(draft, name, path), { recursive: true, mode: 0o700 })
      await add(directoryEntry(`${name}/${path}`))
    }
  }
}

/**
 * A base backup: all files, while the server writes to them, and the write-ahead log from before the first copy to after the last. From this log, a
 * start brings the files to one consistent state.
 */
async function copyCluster({ url, cluster }: EmbeddedServer, draft: string, add: Add): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'shelfwire backup' })
  // the statement that an error ends reports it
  client.on('error', () => {})
  await client.connect()
  try {
    // keeps the log until it is copied; removed when this connection ends
    await client.query('select pg_create_physical_replication_slot($1, true, true)', [
      `shelfwire_backup_${process.pid}`,
    ])
    const [{ first }] = await ask<{ first: string }>(client, "select pg_backup_start('shelfwire', true)::text as first")
    const isLeftOut = (path: string) =>
      path === 'global/pg_control' || NOT_COPIED.test(path) || EMPTY_IN_COPY.has(path.split('/').slice(0, -1)[0] ?? '')
    await copyFolder(cluster, draft, 'cluster', add, isLeftOut)
    // last, as PostgreSQL's own tool does: it records a state that the other files have at least reached
    await copyOne(join(cluster, 'global/pg_control'), draft, 'cluster/global/pg_control', add)
    const [stopped] = await ask<{ lsn: string; labelfile: string }>(
      client,
      'select lsn::text, labelfile from pg_backup_stop(false)',
    )
    const segments = await ask<{ name: string }>(
      client,
      `select distinct pg_walfile_name(least($2::pg_lsn, $1::pg_lsn + n * pg_size_bytes(current_setting('wal_segment_size')))) as name
       from generate_series(0, ceil(($2::pg_lsn - $1::pg_lsn) / pg_size_bytes(current_setting('wal_segment_size'))) + 1) n order by 1`,
      [first, stopped.lsn],
    )
    for (const { name } of segments)
      if (!(await copyOne(join(cluster, 'pg_wal', name), draft, `cluster/pg_wal/${name}`, add)))
        throw new ShelfwireError('database-unusable', `the server has removed ${name} of its log before it was copied`)
    await writeFile(join(draft, 'label'), stopped.labelfile, { mode: 0o600 })
    await copyOne(join(draft, 'label'), draft, 'cluster/backup_label', add)
    await rm(join(draft, 'label'))
  } finally {
    await client.end().catch(() => {})
  }
}

async function ask<Row extends object>(
  client: pg.Client,
  text: string,
  values: string[] = [],
): Promise<[Row, ...Row[]]> {
  const { rows } = await client.query<Row>(text, values)
  return [must(rows[0]), ...rows.slice(1)]
}
