import { createReadStream, existsSync } from 'node:fs'
import { chmod, chown, copyFile, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { ShelfwireError } from '../../platform/errors.ts'
import type { Home } from '../home.ts'

// Copies the part of an archive that a restore reads to where the server's user can read it. Each segment is checked before it is copied.

const SEGMENT = /^([0-9A-F]{8})([0-9A-F]{8})([0-9A-F]{8})\.gz$/
const SEGMENT_BYTES = 16_777_216
/** The number of segments in 4 GB of log, by which segment names are counted. */
const SEGMENTS_PER_NUMBER = 256

export interface StagedWal {
  directory: string
  segments: number
  /** The restore_command with which the server reads a segment. */
  restoreCommand: string
  /** Why the archive cannot be used up to its last segment; null: it has no gap. */
  gap: string | null
}

/** Fetches a log into an existing empty directory; `onProgress` counts segments. */
export type FetchLog = (directory: string, onProgress: (segments: number, total: number) => void) => Promise<void>

/** The directory for a fetched log: in the home that a restore has claimed, where a repeated restore removes it. */
export const fetchedIn = (home: Home): string => join(home.dir, 'restored-log.fetched')

export const stagedIn = (home: Home): string => join(home.dir, 'restored-log')

/** The segment with which the replay of a backup begins. */
export async function firstSegment(cluster: string): Promise<string> {
  const label = await readFile(join(cluster, 'backup_label'), 'utf8')
  const [, name] = /^START WAL LOCATION: .*\(file ([0-9A-F]{24})\)/m.exec(label) ?? []
  if (name === undefined) throw new ShelfwireError('invalid-input', 'the backup does not say where its log begins')
  return name
}

/** Copies the segments from `first` to the end of the archive, or to the first one that is missing or damaged; fetched segments are moved. */
export async function stageWal(
  home: Home,
  { archive, fetch }: { archive: string; fetch: FetchLog | null },
  first: string,
  onProgress: (segments: number, total: number) => void,
): Promise<StagedWal> {
  const directory = stagedIn(home)
  const fetched = fetchedIn(home)
  for (const former of [directory, fetched]) await rm(former, { recursive: true, force: true })
  await mkdir(directory, { recursive: true, mode: 0o700 })
  if (fetch !== null) {
    await mkdir(fetched, { mode: 0o700 })
    await fetch(fetched, onProgress)
  }
  const from = fetch === null ? archive : fetched
  const timeline = first.slice(0, 8)
  const there = (await namesIn(from)).filter((name) => name.startsWith(timeline) && name >= first).sort()
  const last = there.at(-1) ?? ''
  let segments = 0
  let gap: string | null = null
  for (let name = first; name <= last && gap === null; name = nextSegment(name)) {
    const file = join(from, `${name}.gz`)
    // the backup contains its own first segments; they may be older than the archive
    if (!existsSync(file)) {
      if (!existsSync(join(home.cluster, 'pg_wal', name))) gap = `${name}.gz is missing`
      continue
    }
    const fault = await faultOf(file)
    if (fault !== null) {
      gap = `${name}.gz is damaged (${fault})`
      continue
    }
    const staged = join(directory, `${name}.gz`)
    await (fetch === null ? copyFile(file, staged) : rename(file, staged))
    await chmod(staged, 0o600)
    if (home.runAs !== undefined) await chown(staged, home.runAs.uid, home.runAs.gid)
    onProgress(++segments, there.length)
  }
  if (home.runAs !== undefined) await chown(directory, home.runAs.uid, home.runAs.gid)
  return { directory, segments, gap, restoreCommand: `gzip -dc ${inShell(directory)}/%f.gz > "%p"` }
}

/** Quotes a path as one word of a shell command, in a setting in which PostgreSQL uses % for placeholders. */
const inShell = (path: string) => `'${path.replaceAll("'", "'\\''").replaceAll('%', '%%')}'`

async function namesIn(archive: string): Promise<string[]> {
  const names = await readdir(archive).catch((cause: unknown) => {
    throw new ShelfwireError('invalid-input', `there is no archive of the log in ${archive}`, { cause })
  })
  const segments = names.filter((name) => SEGMENT.test(name)).map((name) => name.slice(0, -3))
  if (segments.length === 0)
    throw new ShelfwireError('invalid-input', `${archive} has no segment of a log: is it the WAL_ARCHIVE_DIR?`)
  return segments
}

function nextSegment(name: string): string {
  const segment = Number.parseInt(name.slice(16), 16) + 1
  const number = Number.parseInt(name.slice(8, 16), 16) + (segment === SEGMENTS_PER_NUMBER ? 1 : 0)
  return name.slice(0, 8) + hex(number) + hex(segment % SEGMENTS_PER_NUMBER)
}

const hex = (value: number) => value.toString(16).toUpperCase().padStart(8, '0')

/** Why an archived segment cannot be used; null: it is complete. Checked by gzip's checksum. */
async function faultOf(file: string): Promise<string | null> {
  let bytes = 0
  try {
    // pipeline() and not pipe(): only pipeline() reports that the file cannot be read
    await pipeline(createReadStream(file), createGunzip(), async (whole: AsyncIterable<Buffer>) => {
      for await (const chunk of whole) bytes += chunk.length
    })
  } catch (error) {
    return (error as Error).message
  }
  return bytes === SEGMENT_BYTES ? null : `${bytes} bytes in place of ${SEGMENT_BYTES}`
}
