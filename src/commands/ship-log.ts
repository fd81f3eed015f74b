import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { firstSegment } from '../embedded/backup/staged-wal.ts'
import { openS3Objects } from '../objects/s3-objects.ts'
import { asError, ShelfwireError } from '../platform/errors.ts'
import { must } from '../platform/must.ts'
import type { Settings } from '../platform/settings.ts'
import { openPrinter } from './print.ts'
import { readEnvironment } from './run.ts'

// The log that the embedded server archives in a directory, copied into the bucket of S3_BUCKET, and back for a restore.
// docs/decisions/203-the-log-is-shipped-to-a-bucket-by-a-command.md says why.

const PREFIX = 'wal/'
/** Segments, and the notes of backups beside them; not what is being written. */
const ARCHIVED = /^[0-9A-F]{24}(?:\.[0-9A-F]{8}\.backup)?\.gz$/
const FOLLOW_MS = 20_000
const OF_BUCKET = /^s3:([\da-f-]*)$/

/** `shelfwire ship-log`. */
export function shipLogCommands(program: Command): void {
  program
    .command('ship-log')
    .description(
      'copy what the embedded server has archived in WAL_ARCHIVE_DIR into S3_BUCKET, for restore --archive s3:',
    )
    .option('--follow', 'go on with what comes, until SIGINT or SIGTERM; what fails is tried again, and said')
    .option('--json', 'print one JSON object')
    .action(async (options: { follow?: true; json?: true }) => {
      const { settings } = readEnvironment('warn')
      const { walArchiveDir } = settings
      await using bucket = openBucket(settings, 'ship-log')
      if (walArchiveDir === null) throw new ShelfwireError('invalid-input', 'ship-log needs WAL_ARCHIVE_DIR')
      const database = await ownerOf(walArchiveDir)
      const printer = openPrinter(options.json === true)
      const ending = new AbortController()
      if (options.follow === true)
        for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort())
      const there = new Set<string>()
      for await (const { key } of bucket.list(`${PREFIX}${database}/`)) there.add(key)
      let shipped = 0
      let newest: string | null = null
      do {
        try {
          const names = (await readdir(walArchiveDir)).filter((name) => ARCHIVED.test(name)).sort()
          newest = names.at(-1) ?? null
          for (const name of names) {
            const key = `${PREFIX}${database}/${name}`
            if (there.has(key)) continue
            const file = join(walArchiveDir, name)
            // a segment has its name when it is whole, and never changes
            await bucket.put(key, file, { sha256: await sha256Of(file), type: 'application/gzip' })
            there.add(key)
            shipped++
          }
        } catch (error) {
          if (options.follow !== true) throw error
          printer.note(`not shipped, and tried again: ${asError(error).message}`)
        }
        if (options.follow === true) await sleep(FOLLOW_MS, undefined, { signal: ending.signal }).catch(() => {})
      } while (options.follow === true && !ending.signal.aborted)
      printer.result(
        { archive: `s3:${database}`, shipped, newest },
        `${shipped} files were shipped, up to ${newest ?? 'none'}; restore them with --archive s3:${database}`,
      )
    })
}

/**
 * What a restore reads of an archive in the bucket, in a directory beside DATA_DIR.
 * @param archive `s3:ID`, or `s3:` where the bucket has the log of one database; anything else is a directory already
 * @throws ShelfwireError invalid-input
 */
export async function fetchArchive(
  archive: string,
  backup: string,
  settings: Settings,
): Promise<{ directory: string } & AsyncDisposable> {
  const [, named] = OF_BUCKET.exec(archive) ?? []
  if (named === undefined) return { directory: archive, [Symbol.asyncDispose]: async () => {} }
  await using bucket = openBucket(settings, 'restore --archive s3:')
  const database = named === '' ? await onlyDatabase(bucket) : named
  const first = await firstSegment(join(backup, 'cluster'))
  const directory = await mkdtemp(join(dirname(settings.dataDir), '.shelfwire-log-'))
  const remove = () => rm(directory, { recursive: true, force: true })
  let segments = 0
  try {
    for await (const { key } of bucket.list(`${PREFIX}${database}/`)) {
      const name = key.slice(key.lastIndexOf('/') + 1)
      if (!ARCHIVED.test(name) || name < first) continue
      const { stream } = must(await bucket.read(key))
      await pipeline(stream, createWriteStream(join(directory, name), { mode: 0o600 }))
      segments++
    }
    if (segments === 0)
      throw new ShelfwireError('invalid-input', `s3:${database} has no segment of a log from ${first} on`)
  } catch (error) {
    await remove()
    throw error
  }
  return { directory, [Symbol.asyncDispose]: remove }
}

function openBucket({ s3 }: Settings, command: string) {
  if (s3 !== null) return openS3Objects(s3)
  throw new ShelfwireError('invalid-input', `${command} needs S3_BUCKET and the other settings of S3_`)
}

async function onlyDatabase(bucket: ReturnType<typeof openS3Objects>): Promise<string> {
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

/** Which database archives in a directory, as its server has noted there. */
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
