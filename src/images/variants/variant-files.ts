/** The directory of variants: a cache with a size limit, which may be deleted at any time. Processes may share it. */
import { mkdir, open, opendir, readdir, rename, rm, stat, utimes, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { openUnfinished } from '../../objects/unfinished.ts'
import type { Variant } from './variant.ts'

const UNFINISHED = 'unfinished'
/** The precision of the time of last use: a more precise one would need a write per read. */
const USED_MS = 3_600_000
/** Share of the limit to which the cache is reduced, so that it does not exceed the limit again at once. */
const KEPT_SHARE = 0.9
/** Share of the limit that this process writes before it counts the files of all processes again. */
const COUNT_SHARE = 0.02

export interface VariantFiles {
  /** Opens the file; undefined if there is none. */
  open(variant: Variant): Promise<{ file: FileHandle; bytes: number } | undefined>
  /** A path for a file that is being made. */
  unfinished(): Promise<string>
  /** Moves a complete file to its place. */
  keep(variant: Variant, path: string): Promise<void>
}

/** @param bytesMax limit of all files together; each process may exceed it by a fiftieth. */
export function openVariantFiles(root: string, bytesMax: number, onError: (error: unknown) => void): VariantFiles {
  let uncounted = Infinity
  let counting: Promise<void> | undefined

  const unfinished = openUnfinished(join(root, UNFINISHED))
  const directoryOf = ({ hash }: Variant) => join(root, hash.slice(0, 2))

  const count = async (): Promise<void> => {
    const files: { path: string; bytes: number; usedAt: number }[] = []
    let bytes = 0
    for (const directory of await readdir(root)) {
      if (directory === UNFINISHED) continue
      for await (const entry of await opendir(join(root, directory))) {
        const path = join(root, directory, entry.name)
        const found = await stat(path).catch(() => undefined)
        if (found === undefined) continue
        bytes += found.size
        files.push({ path, bytes: found.size, usedAt: found.mtimeMs })
      }
    }
    if (bytes <= bytesMax) return
    files.sort((a, b) => a.usedAt - b.usedAt)
    for (const file of files) {
      if (bytes <= bytesMax * KEPT_SHARE) break
      await rm(file.path, { force: true })
      bytes -= file.bytes
    }
  }

  return {
    async open(variant) {
      const path = join(directoryOf(variant), variant.name)
      let file: FileHandle
      try {
        file = await open(path, 'r')
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw error
      }
      try {
        const { size, mtimeMs } = await file.stat()
        const now = Date.now()
        if (Math.abs(now - mtimeMs) > USED_MS) await utimes(path, now / 1_000, now / 1_000).catch(() => {})
        return { file, bytes: size }
      } catch (error) {
        await file.close()
        throw error
      }
    },
    unfinished: () => unfinished.path(),
    async keep(variant, path) {
      // synced before the rename: after a power failure an empty file would be served as the picture
      const file = await open(path, 'r+')
      let bytes: number
      try {
        await file.sync()
        bytes = (await file.stat()).size
      } finally {
        await file.close()
      }
      await mkdir(directoryOf(variant), { recursive: true })
      await rename(path, join(directoryOf(variant), variant.name))
      uncounted += bytes
      if (uncounted < bytesMax * COUNT_SHARE) return
      uncounted = 0
      counting ??= count()
        .catch(onError)
        .finally(() => (counting = undefined))
    },
  }
}

const directoryAt = (root: string, place: number): string => join(root, place.toString(16).padStart(2, '0'))

/** Hashes of the pictures that have variants, of those whose hash begins with a byte. @param place the byte */
export async function hashesOfVariants(root: string, place: number): Promise<string[]> {
  return [...new Set((await namesAt(root, place)).map((name) => name.slice(0, 64)))]
}

/** Removes all variants of pictures. @param hashes all begin with the byte `place` */
export async function variantsRemove(root: string, place: number, hashes: ReadonlySet<string>): Promise<void> {
  for (const name of await namesAt(root, place))
    if (hashes.has(name.slice(0, 64))) await rm(join(directoryAt(root, place), name), { force: true })
}

async function namesAt(root: string, place: number): Promise<string[]> {
  try {
    return (await readdir(directoryAt(root, place))).filter((name) => /^[0-9a-f]{64}-/.test(name))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
