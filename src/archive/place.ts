import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Writable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { holdLock } from '../embedded/lock.ts'
import { syncDirectory, syncFile } from '../platform/files/durable.ts'
import { ShelfwireError } from '../platform/errors.ts'
import { tarEnd, tarHeader, tarPadding } from './tar.ts'

// Where an archive is written: a directory or a tar file. It gets its name only when it is complete.

export interface ArchivePlace {
  /** The path at which a file of the archive must be written before `keep`. */
  draftOf(path: string): Promise<string>
  /** The path of a temporary file that is not part of the archive and is removed at the end. */
  scratchOf(name: string): string
  /** Adds the finished file to the archive. */
  keep(path: string, bytes: number): Promise<void>
  /** Gives the archive its name. It is durable when the promise resolves. */
  finish(): Promise<void>
  /** Removes everything that was written. */
  abandon(): Promise<void>
}

/**
 * Begins an archive; removes what a killed export has left at the same place.
 * @param target ends with .tar, .tar.gz or .tgz, or is a directory; it must not exist yet
 * @throws ShelfwireError invalid-input
 */
export async function openPlace(target: string, at: Date): Promise<ArchivePlace> {
  const refuse = (why: string) => new ShelfwireError('invalid-input', `--to ${target}: ${why}`)
  if (!existsSync(dirname(target))) throw refuse(`there is no directory ${dirname(target)}`)
  const unfinished = `${target}.unfinished`
  const scratch = `${target}.scratch`
  // two exports that use the same temporary names would remove each other's files and finish incomplete archives
  const lock = `${target}.lock`
  const held = holdLock(lock)
  if (held === undefined)
    throw refuse(`another export is writing it; wait for it, or end it (${lock} names its process)`)
  try {
    if (existsSync(target)) throw refuse('exists already')
    for (const directory of [unfinished, scratch]) {
      await rm(directory, { recursive: true, force: true })
      await mkdir(directory, { mode: 0o700 })
    }
    const place = /\.(tar|tar\.gz|tgz)$/.test(target)
      ? openTar(target, unfinished, scratch, at)
      : openDirectory(target, unfinished, scratch)
    return releasingLock(place, held)
  } catch (error) {
    held[Symbol.dispose]()
    throw error
  }
}

/**
 * Releases the lock when the archive is finished or abandoned. If finishing fails, the caller abandons the archive,
 * which releases the lock, too.
 */
const releasingLock = (place: ArchivePlace, held: Disposable): ArchivePlace => ({
  ...place,
  async finish() {
    await place.finish()
    held[Symbol.dispose]()
  },
  async abandon() {
    using _held = held
    await place.abandon()
  },
})

function openDirectory(target: string, unfinished: string, scratch: string): ArchivePlace {
  const made = new Set<string>()
  const draftOf = async (path: string) => {
    const file = join(unfinished, path)
    if (!made.has(dirname(file))) await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    made.add(dirname(file))
    return file
  }
  return {
    draftOf,
    scratchOf: (name) => join(scratch, name),
    async keep(path) {
      await syncFile(await draftOf(path))
    },
    async finish() {
      for (const directory of made) await syncDirectory(directory)
      await syncDirectory(unfinished)
      await rm(scratch, { recursive: true })
      await rename(unfinished, target)
      await syncDirectory(dirname(target))
    },
    async abandon() {
      for (const directory of [unfinished, scratch]) await rm(directory, { recursive: true, force: true })
    },
  }
}

function openTar(target: string, unfinished: string, scratch: string, at: Date): ArchivePlace {
  const file = join(unfinished, 'archive')
  const draft = join(scratch, 'draft')
  const toFile = createWriteStream(file, { mode: 0o600 })
  const written = finished(toFile)
  // whoever writes gets the error
  written.catch(() => {})
  const gzip = target.endsWith('.tar') ? null : createGzip({ level: 6 })
  const packed = gzip === null ? null : pipeline(gzip, toFile)
  packed?.catch(() => {})
  const out: Writable = gzip ?? toFile
  // rejects if the stream has failed, also if it is the file behind gzip that failed
  const write = (chunk: Buffer) =>
    new Promise<void>((done, fail) => {
      out.write(chunk, (error) => (error ? fail(error) : done()))
    })
  return {
    draftOf: async () => draft,
    scratchOf: (name) => join(scratch, name),
    async keep(path, bytes) {
      await write(tarHeader(path, bytes, at))
      if (bytes > 0) for await (const chunk of createReadStream(draft)) await write(chunk as Buffer)
      await write(tarPadding(bytes))
      await rm(draft)
    },
    async finish() {
      out.end(tarEnd())
      await packed
      await written
      await syncFile(file)
      await rename(file, target)
      for (const directory of [unfinished, scratch]) await rm(directory, { recursive: true })
      await syncDirectory(dirname(target))
    },
    async abandon() {
      out.destroy()
      toFile.destroy()
      for (const directory of [unfinished, scratch]) await rm(directory, { recursive: true, force: true })
    },
  }
}
