import { constants } from 'node:fs'
import { open, opendir, realpath, stat, type FileHandle } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Unfinished } from '../../objects/unfinished.ts'
import { shownName } from '../files/shown-name.ts'
import { matchesName, readPath } from '../sources/address.ts'
import { FetchError, type Download, type OnBytes } from './fetched.ts'
import { openIncomingFile, type FetchBounds } from './incoming-file.ts'
import { missing, NewestFile, versionOf, type ListedFile } from './newest-file.ts'
import { changing, downloadOf, isKnownFile } from './server-file.ts'

export interface DirectoryRequest {
  /** The setting IMPORT_DIR. */
  root: string
  /** Relative to the root; the name of the file may have a *. */
  path: string
  known: string | null
  unfinished: Unfinished
  bounds: FetchBounds
  /** A file that was modified less than this long ago may still be being written. */
  restMs: number
  signal: AbortSignal
  onBytes: OnBytes
}

const LOOK_MS = 500
const PART_BYTES = 1_048_576

/**
 * Copies a file from below the operator's directory. Nothing outside of it is opened, wherever links lead. Waits for a
 * file that is still being written.
 * @returns the file; null when it is the known one.
 * @throws FetchError; the reason of `signal`
 */
export async function fetchDirectory(request: DirectoryRequest): Promise<Download | null> {
  const place = readPath(request.path)
  if ('reason' in place) throw new FetchError('directory', `the path ${place.reason}`, { isForGood: true })
  const found = await waitUntilComplete(request, place)
  if (isKnownFile(found.file, request.known)) return null
  await using handle = await openInside(found.root, join(found.directory, found.file.name), found.file.name)
  await using incoming = await openIncomingFile(request.unfinished, request.bounds, request.onBytes)
  const part = Buffer.allocUnsafe(PART_BYTES)
  while (!incoming.isFull()) {
    request.signal.throwIfAborted()
    const { bytesRead } = await handle.read(part, 0, part.length)
    if (bytesRead === 0) break
    await incoming.write(part.subarray(0, bytesRead))
  }
  const isCut = incoming.isFull()
  const after = await handle.stat()
  if (!isCut && (after.size !== incoming.bytes() || Math.floor(after.mtimeMs) !== found.file.modifiedMs))
    throw changing(found.file.name)
  return downloadOf(found.file, await incoming.end(), isCut)
}

interface Found {
  root: string
  directory: string
  file: ListedFile
}

/**
 * Finds the file and waits until it is complete: its last change is old enough, or it stays unchanged while it is
 * watched.
 */
async function waitUntilComplete(
  request: DirectoryRequest,
  { directories, file }: { directories: string[]; file: string },
): Promise<Found> {
  const { restMs, signal } = request
  let seen: { file: ListedFile; since: number } | null = null
  for (;;) {
    const root = await realpath(request.root).catch(() => {
      throw new FetchError('directory', 'the directory of the setting IMPORT_DIR does not exist on this server')
    })
    const directory = await realpath(join(root, ...directories)).catch(() => {
      throw missing(directories.join('/'))
    })
    if (!isInside(root, directory)) throw outside(directories.join('/'))
    const now = await newestOf(directory, file)
    if (Date.now() - now.modifiedMs >= restMs && now.modifiedMs <= Date.now()) return { root, directory, file: now }
    const isSame = seen !== null && versionOf(seen.file) === versionOf(now)
    if (!isSame || seen === null) seen = { file: now, since: performance.now() }
    if (performance.now() - seen.since >= restMs) return { root, directory, file: now }
    await sleep(Math.min(LOOK_MS, restMs), undefined, { signal }).catch(() => signal.throwIfAborted())
  }
}

async function newestOf(directory: string, file: string): Promise<ListedFile> {
  const newest = new NewestFile(file)
  if (!file.includes('*')) {
    newest.add(await listed(directory, file))
    return newest.get()
  }
  for await (const entry of await opendir(directory)) {
    if (entry.isDirectory() || !matchesName(file, entry.name)) continue
    // the file may have been removed meanwhile
    const found = await listed(directory, entry.name).catch(() => null)
    if (found !== null) newest.add(found)
  }
  return newest.get()
}

async function listed(directory: string, name: string): Promise<ListedFile> {
  const found = await stat(join(directory, name)).catch(() => null)
  if (found === null) throw missing(name)
  if (!found.isFile())
    throw new FetchError('not_found', `${JSON.stringify(shownName(name))} is not a file`, { isForGood: true })
  return { name, bytes: found.size, modifiedMs: Math.floor(found.mtimeMs) }
}

/** Opens a file after checking that it is inside of `root` at that moment. */
async function openInside(root: string, path: string, name: string): Promise<FileHandle> {
  const real = await realpath(path).catch(() => {
    throw missing(name)
  })
  if (!isInside(root, real)) throw outside(name)
  // NONBLOCK: opening a named pipe would wait for a writer
  const handle = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => {
    throw new FetchError(
      'denied',
      `${JSON.stringify(shownName(name))} cannot be opened: the service must be allowed to read it`,
    )
  })
  try {
    const opened = await handle.stat({ bigint: true })
    // a directory of the path may have been replaced by a link since the check
    const again = await realpath(real).catch(() => '')
    const there = again === real ? await stat(real, { bigint: true }) : null
    if (there === null || there.dev !== opened.dev || there.ino !== opened.ino) throw outside(name)
    if (!opened.isFile())
      throw new FetchError('not_found', `${JSON.stringify(shownName(name))} is not a file`, { isForGood: true })
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

const isInside = (root: string, path: string) =>
  path === root || path.startsWith(root.endsWith(sep) ? root : root + sep)

function outside(name: string): FetchError {
  return new FetchError(
    'outside',
    `${JSON.stringify(shownName(name))} leads out of the directory of the setting IMPORT_DIR`,
    { isForGood: true },
  )
}
