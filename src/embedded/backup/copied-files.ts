import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, opendir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { CountedBytes } from '../../platform/files/counted-bytes.ts'

/**
 * An entry of a backup: a file with its digest (SHA-256, hexadecimal), or a directory, whose path ends with a slash. Paths are relative and use
 * slashes.
 */
export interface CopiedFile {
  path: string
  bytes: number
  sha256: string
}

/** The entry of a directory; needed because PostgreSQL does not start if its empty ones are missing. */
export const directoryEntry = (path: string): CopiedFile => ({ path: `${path}/`, bytes: 0, sha256: '' })

/** Copies a file durably. @returns its size and digest; undefined if the file no longer exists. */
export async function copyDurably(
  from: string,
  to: string,
  mode: number,
): Promise<Omit<CopiedFile, 'path'> | undefined> {
  const counted = new CountedBytes()
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  try {
    // flush: the file is on the disk when the pipeline ends
    await pipeline(createReadStream(from), counted, createWriteStream(to, { mode, flush: true }))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  return { bytes: counted.bytes, sha256: counted.sha256() }
}

/** Files and directories below `root`, parents first. Skips what is removed meanwhile, and what `isLeftOut` excludes. */
export async function* walk(
  root: string,
  isLeftOut: (path: string, isDirectory: boolean) => boolean,
  within = '',
): AsyncGenerator<{ path: string; isDirectory: boolean }> {
  const entries = await opendir(join(root, within)).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  })
  for await (const entry of entries) {
    const path = within === '' ? entry.name : `${within}/${entry.name}`
    const isDirectory = entry.isDirectory()
    if (isLeftOut(path, isDirectory) || !(isDirectory || entry.isFile())) continue
    yield { path, isDirectory }
    if (isDirectory) yield* walk(root, isLeftOut, path)
  }
}
