import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { firstSegment, type FetchLog } from '../../embedded/backup/staged-wal.ts'
import { noteShipped } from '../../embedded/shipped.ts'
import { openS3Objects } from '../../objects/s3-objects.ts'
import { asError, ShelfwireError } from '../../platform/errors.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import { repeat } from '../console/follow.ts'
import { openPrinter } from '../console/print.ts'
import { readEnvironment } from '../console/run.ts'

// Ships the write-ahead log that the embedded server archives in a directory to the bucket of S3_BUCKET, and fetches it
// for a restore. docs/decisions/203-the-log-is-shipped-to-a-bucket-by-a-command.md says why.

const PREFIX = 'wal/'
/** Segments and the history files of backups; not files that are still being written. */
const ARCHIVED = /^[0-9A-F]{24}(?:\.[0-9A-F]{8}\.backup)?\.gz$/
const FOLLOW_MS = 20_000
/** After this many failures the bucket itself is considered unavailable, and the other files wait for the next pass. */
const FAILURES_MAX = 5
/** How long to wait before an object is fetched again: after the first failure, and the second. */
const RETRY_MS = [500, 2_000]
const OF_BUCKET = /^s3:([\da-f-]*)$/

type Bucket = ReturnType<typeof openS3Objects>

/** `shelfwire ship-log`. */
export function shipLogCommands(program: Command): void {
  program
    .command('ship-log')
    .description(
      'copy what the embedded server has archived in WAL_ARCHIVE_DIR into S3_BUCKET, for restore --archive s3:',
    )
    .option('--follow', 'keep copying what is archived, until SIGINT or SIGTERM; failures are reported and retried')
    .option('--json', 'print one JSON object')
    .action(async (options: { follow?: true; json?: true }) => {
      const { settings } = readEnvironment('warn')
      const { walArchiveDir } = settings
      await using bucket = openBucket(settings, 'ship-log')
      if (walArchiveDir === null) throw new ShelfwireError('invalid-input', 'ship-log needs WAL_ARCHIVE_DIR')
      const database = await ownerOf(walArchiveDir)
      const printer = openPrinter(options.json === true)
      const shipping: Shipping = { bucket, directory: walArchiveDir, database, there: new Set(), failed: new Map() }
      for await (const { key } of bucket.list(`${PREFIX}${database}/`)) shipping.there.add(key)
      let shipped = 0
      let newest: string | null = null
      await repeat(options, FOLLOW_MS, async (signal) => {
        try {
          const pass = await shipOnce(shipping, signal)
          shipped += pass.shipped
          newest = pass.newest
          if (shipping.failed.size > 0 && options.follow === true)
            printer.note(notShipped(shipping.failed, ', and tried again'))
        } catch (error) {
          if (options.follow !== true) throw error
          printer.note(`not shipped, and tried again: ${asError(error).message}`)
        }
        try {
          await noteHowFar(shipping)
        } catch (error) {
          // the files have been shipped all the same
          printer.note(`the service is not told how far it is, for its metrics: ${asError(error).message}`)
        }
      })
      if (shipping.failed.size > 0 && options.follow !== true)
        throw new ShelfwireError('invalid-input', `${shipped} files were shipped; ${notShipped(shipping.failed, '')}`)
      printer.result(
        { archive: `s3:${database}`, shipped, newest },
        `${shipped} files were shipped, up to ${newest ?? 'none'}; restore them with --archive s3:${database}`,
      )
    })
}

interface Shipping {
  bucket: Bucket
  directory: string
  database: string
  /** Keys of objects in the bucket. */
  there: Set<string>
  /** Names of files that could not be shipped, with the reasons. */
  failed: Map<string, string>
}

/**
 * Ships the missing files, until `signal` is aborted. Files that failed before are tried last, so that they do not
 * block others.
 */
async function shipOnce(
  { bucket, directory, database, there, failed }: Shipping,
  signal: AbortSignal,
): Promise<{ shipped: number; newest: string | null }> {
  const names = (await readdir(directory)).filter((name) => ARCHIVED.test(name)).sort()
  const waiting = names.filter((name) => !there.has(`${PREFIX}${database}/${name}`))
  const before = new Set(failed.keys())
  failed.clear()
  let shipped = 0
  for (const name of [...waiting.filter((each) => !before.has(each)), ...waiting.filter((each) => before.has(each))]) {
    if (signal.aborted || failed.size === FAILURES_MAX) break
    const key = `${PREFIX}${database}/${name}`
    const file = join(directory, name)
    try {
      // a segment gets its name when it is complete, and never changes
      await bucket.put(key, file, { sha256: await sha256Of(file), type: 'application/gzip' })
      there.add(key)
      shipped++
    } catch (error) {
      failed.set(name, asError(error).message)
    }
  }
  return { shipped, newest: names.at(-1) ?? null }
}

/**
 * Records for the service's metrics how far shipping is; also if the bucket is unavailable or only some files were
 * shipped.
 */
async function noteHowFar({ directory, database, there }: Shipping): Promise<void> {
  // before the names are read: segments that are archived meanwhile are later
  let until = new Date()
  const names = (await readdir(directory)).filter((name) => ARCHIVED.test(name)).sort()
  const waiting = names.filter((name) => !there.has(`${PREFIX}${database}/${name}`))
  const [first] = waiting
  if (first !== undefined) {
    // if the operator has removed the shipped files, there is no earlier one: it has waited since its own time
    const last = names[names.indexOf(first) - 1] ?? first
    until = (await stat(join(directory, last))).mtime
  }
  noteShipped(directory, { until, waiting: waiting.length })
}

const notShipped = (failed: Shipping['failed'], more: string): string =>
  `not shipped${more}: ${[...failed].map(([name, why]) => `${name} (${why})`).join(', ')}`

/** The shipped log of a database, as a restore reads it. */
export interface ShippedLog {
  /** `s3:ID`. */
  archive: string
  /** Copies the segments that a backup needs into an existing directory. @throws ShelfwireError invalid-input */
  fetch: FetchLog
}

/**
 * Finds the log for `--archive s3:` in the bucket, without fetching it yet.
 * @param archive `s3:ID`, or `s3:` if the bucket has the log of only one database
 * @returns null for a directory
 * @throws ShelfwireError invalid-input
 */
export async function findShipped(archive: string, backup: string, settings: Settings): Promise<ShippedLog | null> {
  const [, named] = OF_BUCKET.exec(archive) ?? []
  if (named === undefined) return null
  await using bucket = openBucket(settings, 'restore --archive s3:')
  const database = named === '' ? await onlyDatabase(bucket) : named
  const first = await firstSegment(join(backup, 'cluster'))
  const names: string[] = []
  for await (const { key } of bucket.list(`${PREFIX}${database}/`)) {
    const name = key.slice(key.lastIndexOf('/') + 1)
    if (ARCHIVED.test(name) && name >= first) names.push(name)
  }
  if (names.length === 0)
    throw new ShelfwireError('invalid-input', `s3:${database} has no segment of a log from ${first} on`)
  const fetch: FetchLog = async (directory, onProgress) => {
    await using from = openBucket(settings, 'restore --archive s3:')
    for (const [at, name] of names.entries()) {
      await fetchObject(from, `${PREFIX}${database}/${name}`, join(directory, name))
      onProgress(at + 1, names.length)
    }
  }
  return { archive: `s3:${database}`, fetch }
}

/** A download that breaks off is repeated, because hours of other segments may follow it. */
async function fetchObject(bucket: Bucket, key: string, file: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      const found = await bucket.read(key)
      if (found === undefined)
        throw new ShelfwireError('invalid-input', `${key} has gone from the bucket meanwhile: run the restore again`)
      await pipeline(found.stream, createWriteStream(file, { mode: 0o600 }))
      return
    } catch (error) {
      if (error instanceof ShelfwireError) throw error
      const pause = RETRY_MS[attempt]
      if (pause === undefined)
        throw new ShelfwireError(
          'invalid-input',
          `${key} could not be fetched from the bucket: ${asError(error).message}; run the restore again`,
          { cause: error },
        )
      await sleep(pause)
    }
  }
}

function openBucket({ s3 }: Settings, command: string) {
  if (s3 !== null) return openS3Objects(s3)
  throw new ShelfwireError('invalid-input', `${command} needs S3_BUCKET and the other settings of S3_`)
}

async function onlyDatabase(bucket: Bucket): Promise<string> {
  const found = new Set<string>()
  for await (const { key } of bucket.list(PREFIX)) found.add(key.split('/')[1] ?? '')
  const [only] = found
  if (only !== undefined && found.size === 1) return only
  throw new ShelfwireError(
    'invalid-input',
    only === undefined
      ? 'the bucket has no log: shelfwire ship-log puts it there'
      : `the bucket has the logs of several databases; name one of ${[...found].map((id) => `s3:${id}`).join(', ')}`,
  )
}

/** The id of the database that archives into a directory, as its server has recorded it there. */
async function ownerOf(directory: string): Promise<string> {
  const text = await readFile(join(directory, 'archive.json'), 'utf8').catch((cause: unknown) => {
    throw new ShelfwireError(
      'invalid-input',
      `${directory} has no archive.json: start the service with WAL_ARCHIVE_DIR first (${asError(cause).message})`,
    )
  })
  return (JSON.parse(text) as { database: string }).database
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
