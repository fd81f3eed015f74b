import { close, createReadStream, fstat, open, read } from 'node:fs'
import { copyFile, mkdir, opendir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { LRUCache } from 'lru-cache'
import { syncDirectory, syncFile } from '../platform/files/durable.ts'
import { entriesMax } from '../platform/caches/entries-max.ts'
import { LIMITS } from '../platform/limits.ts'
import {
  bufferedObject,
  requireKey,
  type ByteRange,
  type ObjectStore,
  type ReadObject,
  type StoredObject,
} from './object-store.ts'
import { openUnfinished } from './unfinished.ts'

/** The directory of files that are being written. */
const UNFINISHED = 'unfinished'

const isMissing = (error: unknown) => ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
const unlessMissing = <T>(found: Promise<T>): Promise<T | undefined> =>
  found.catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw error
  })

/**
 * Objects as files below a directory, which any number of processes may share. A file is renamed into place when its bytes are on the disk, so it is
 * never seen incomplete; it is durable once its directory is synced, too.
 */
export function openDiskObjects(path: string): ObjectStore {
  const root = resolve(path)
  /** Directories whose own entries are durable, as far as this process knows. */
  const durable = new LRUCache<string, true>(entriesMax(65_536))
  const unfinished = openUnfinished(join(root, UNFINISHED))

  const pathOf = (key: string) => {
    requireKey(key)
    return join(root, ...key.split('/'))
  }

  const makeDirectory = async (directory: string): Promise<void> => {
    if (durable.get(directory) !== undefined) return
    await mkdir(directory, { recursive: true })
    // also if another process has created them, which may not have synced them yet
    for (let above = directory; above !== root;) {
      above = join(above, '..')
      await syncDirectory(above)
    }
    durable.set(directory, true)
  }

  return {
    async put(key, file) {
      const target = pathOf(key)
      const directory = dirname(target)
      const copy = await unfinished.path()
      try {
        await copyFile(file, copy)
        await syncFile(copy)
        await makeDirectory(directory)
        await rename(copy, target).catch(async (error: unknown) => {
          if (!isMissing(error)) throw error
          // somebody has removed the empty directory
          durable.delete(directory)
          await makeDirectory(directory)
          await rename(copy, target)
        })
        await syncDirectory(directory)
      } finally {
        await rm(copy, { force: true })
      }
    },
    read: (key, range) => readFile(pathOf(key), range),
    async stat(key) {
      const found = await unlessMissing(stat(pathOf(key)))
      return found === undefined ? undefined : { bytes: found.size }
    },
    remove: (key) => rm(pathOf(key), { force: true }),
    list: (prefix) => listDirectory(root, '', prefix),
  }
}

/**
 * Reads a file or a part of it: at once if it is small, otherwise as a stream. Undefined if there is none. Uses callbacks, because most files are
 * small, and promises and streams would take longer than everything else.
 */
function readFile(path: string, range: ByteRange | undefined): Promise<ReadObject | undefined> {
  return new Promise((resolve, reject) => {
    open(path, 'r', (missing, fd) => {
      if (missing !== null) {
        if (isMissing(missing)) resolve(undefined)
        else reject(missing)
        return
      }
      const fail = (error: Error) => close(fd, () => reject(error))
      fstat(fd, (error, stats) => {
        if (error !== null) return fail(error)
        const { first, last } = range ?? { first: 0, last: stats.size - 1 }
        const bytes = last - first + 1
        // the bytes of an object never change: if the file is shorter, the disk has lost some
        if (last >= stats.size) return fail(new Error(`${path} has only ${stats.size} bytes`))
        if (bytes > LIMITS.imageReadAtOnceBytes)
          return resolve({
            stream: createReadStream('', { fd, start: first, end: last, highWaterMark: 262_144 }),
            bytes,
          })
        return readFully(fd, Buffer.allocUnsafeSlow(bytes), 0, first, (failure, all) => {
          if (failure !== null) return fail(failure)
          return close(fd, () => resolve(bufferedObject(all)))
        })
      })
    })
  })
}

/** Reads until the buffer is full, because one read may return fewer bytes. */
function readFully(
  fd: number,
  all: Buffer,
  at: number,
  position: number,
  done: (error: Error | null, all: Buffer) => void,
): void {
  if (at === all.length) return done(null, all)
  return read(fd, all, at, all.length - at, position + at, (error, count) => {
    if (error !== null) return done(error, all)
    if (count === 0) return done(new Error('the stored object became shorter'), all)
    return readFully(fd, all, at + count, position, done)
  })
}

/** Files below a directory whose keys begin with `prefix`; skips directories that cannot contain any. */
async function* listDirectory(root: string, within: string, prefix: string): AsyncGenerator<StoredObject> {
  const entries = await unlessMissing(opendir(join(root, within)))
  for await (const entry of entries ?? []) {
    const key = `${within}${entry.name}`
    if (entry.isDirectory()) {
      const below = `${key}/`
      if (key !== UNFINISHED && (below.startsWith(prefix) || prefix.startsWith(below)))
        yield* listDirectory(root, below, prefix)
      continue
    }
    if (!key.startsWith(prefix)) continue
    const found = await unlessMissing(stat(join(root, key)))
    if (found !== undefined) yield { key, bytes: found.size, modifiedAt: found.mtime }
  }
}
