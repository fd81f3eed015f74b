import { close, createReadStream, fstat, open, read } from 'node:fs'
import { copyFile, mkdir, open as openFile, opendir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { IMAGE_TYPES, type ImageType } from '../inspect/image-type.ts'
import { LIMITS } from '../../platform/limits.ts'
import {
  readAtOnce,
  readStoredName,
  requireHash,
  storedName,
  type ByteRange,
  type ImageStore,
  type ReadImage,
  type StoredImage,
} from './image-store.ts'
import { openUnfinished } from './unfinished.ts'

const isMissing = (error: unknown) => ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
const unlessMissing = <T>(found: Promise<T>): Promise<T | undefined> =>
  found.catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw error
  })

/**
 * A store in a directory, which any number of processes may share: `ab/cd/abcd….jpg`. A file appears whole, by renaming, when its
 * bytes are on the disk, and is there to stay when the directory is, too.
 */
export function openDiskStore(root: string): ImageStore {
  /** Directories whose own entries are on the disk, as far as this process knows; at most 65,536. */
  const durable = new Set<string>()
  const unfinished = openUnfinished(join(root, 'unfinished'))

  const directoryOf = (hash: string) => join(root, hash.slice(0, 2), hash.slice(2, 4))
  const pathOf = (hash: string, type: ImageType) => join(directoryOf(hash), storedName(hash, type))

  const makeDirectory = async (hash: string): Promise<string> => {
    const directory = directoryOf(hash)
    if (durable.has(directory)) return directory
    await mkdir(directory, { recursive: true })
    // also where another process has made it, which may not have come to this yet
    await syncDirectory(join(directory, '..'))
    await syncDirectory(root)
    durable.add(directory)
    return directory
  }

  /** The file of a picture, whatever its type. */
  const find = async (hash: string, type?: ImageType): Promise<{ path: string; bytes: number } | undefined> => {
    requireHash(hash)
    for (const each of type === undefined ? IMAGE_TYPES : [type]) {
      const path = pathOf(hash, each)
      const found = await unlessMissing(stat(path))
      if (found !== undefined) return { path, bytes: found.size }
    }
    return undefined
  }

  return {
    async put(hash, file, type) {
      requireHash(hash)
      const copy = await unfinished.path()
      try {
        await copyFile(file, copy)
        await syncFile(copy)
        const directory = await makeDirectory(hash)
        const target = join(directory, storedName(hash, type))
        await rename(copy, target).catch(async (error: unknown) => {
          if (!isMissing(error)) throw error
          // somebody has tidied up
          durable.delete(directory)
          await makeDirectory(hash)
          await rename(copy, target)
        })
        await syncDirectory(directory)
      } finally {
        await rm(copy, { force: true })
      }
    },
    async read(hash, range, type) {
      requireHash(hash)
      for (const each of type === undefined ? IMAGE_TYPES : [type]) {
        const read = await readFile(pathOf(hash, each), range)
        if (read !== undefined) return read
      }
      return undefined
    },
    async stat(hash, type) {
      const found = await find(hash, type)
      return found === undefined ? undefined : { bytes: found.bytes }
    },
    async remove(hash) {
      requireHash(hash)
      await Promise.all(IMAGE_TYPES.map((type) => rm(pathOf(hash, type), { force: true })))
    },
    async *list() {
      for (const first of await directoriesIn(root))
        for (const second of await directoriesIn(join(root, first))) yield* listDirectory(join(root, first, second))
    },
  }
}

/**
 * Reads a file, or a part of it: at once where it is small, else as a stream. Undefined when there is none. With callbacks: most
 * pictures are small, and promises and streams take longer than all the rest.
 */
function readFile(path: string, range: ByteRange | undefined): Promise<ReadImage | undefined> {
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
        // the bytes of a picture never change: what is shorter is a disk that lost some
        if (last >= stats.size) return fail(new Error(`${path} has only ${stats.size} bytes`))
        if (bytes > LIMITS.imageReadAtOnceBytes)
          return resolve({
            stream: createReadStream('', { fd, start: first, end: last, highWaterMark: 262_144 }),
            bytes,
          })
        return readFully(fd, Buffer.allocUnsafeSlow(bytes), 0, first, (failure, all) => {
          if (failure !== null) return fail(failure)
          return close(fd, () => resolve(readAtOnce(all)))
        })
      })
    })
  })
}

/** One read gives all there is, but need not. */
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
    if (count === 0) return done(new Error('the stored picture became shorter'), all)
    return readFully(fd, all, at + count, position, done)
  })
}

async function* listDirectory(directory: string): AsyncGenerator<StoredImage> {
  const entries = await unlessMissing(opendir(directory))
  for await (const entry of entries ?? []) {
    const known = readStoredName(entry.name)
    const found = known === undefined ? undefined : await unlessMissing(stat(join(directory, entry.name)))
    if (known !== undefined && found !== undefined)
      yield { hash: known.hash, bytes: found.size, modifiedAt: found.mtime }
  }
}

const directoriesIn = async (directory: string) =>
  ((await unlessMissing(readdir(directory))) ?? []).filter((name) => /^[0-9a-f]{2}$/.test(name))

async function syncFile(path: string): Promise<void> {
  const file = await openFile(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Makes the entries of a directory durable. Windows cannot, and needs not. */
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const directory = await openFile(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
