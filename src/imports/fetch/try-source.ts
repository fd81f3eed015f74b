import { createReadStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { ShelfwireError } from '../../platform/errors.ts'
import { detectMapping } from '../../supplier-files/detect.ts'
import type { SourceRow } from '../sources/sources.sql.ts'
import { sizeShown } from './incoming-file.ts'
import type { Fetching } from './fetch-source.ts'

/** What trying a source found. */
export interface SourceTrial {
  isOk: boolean
  fault: string | null
  /** What was found, or what failed and what to do. */
  detail: string
  fileName: string | null
  /** Of the whole file; null where the server does not say. */
  bytes: number | null
  /** By the content; null where it could not be told. */
  format: string | null
  /** The ready mapping that fits. */
  preset: string | null
  /** Fingerprint of the key that an SFTP server showed. */
  hostKey: string | null
}

/**
 * Connects as a run would, reads the beginning of the file and says what it found. Changes nothing.
 * @param directory for the temporary file
 */
export async function trySource(
  fetching: Fetching,
  accountId: number,
  source: SourceRow,
  directory: string,
  signal: AbortSignal,
): Promise<SourceTrial> {
  let hostKey = source.hostKey
  const found = await fetching.fetchBeginning(source, accountId, directory, signal, (fingerprint) => {
    hostKey = fingerprint
  })
  const nothing = { fileName: null, bytes: null, format: null, preset: null, hostKey }
  if ('kind' in found) return { ...nothing, isOk: false, fault: found.fault, detail: found.detail }
  try {
    const about = { fileName: found.name, bytes: found.size, hostKey }
    const size = found.size === null ? `more than ${sizeShown(await sizeOf(found.path))}` : sizeShown(found.size)
    if (found.isCut && (await isZip(found.path)))
      return {
        ...nothing,
        ...about,
        isOk: true,
        fault: null,
        detail: `${found.name}, ${size}: a zip archive or workbook; what is in it is known only when it is read in whole`,
      }
    try {
      const { preset, mapping } = await detectMapping(createReadStream(found.path))
      const format = mapping.format ?? null
      const fits = preset === null ? '' : `; the ready mapping ${preset} fits`
      return {
        ...about,
        isOk: true,
        fault: null,
        detail: `${found.name}, ${size}, ${format ?? 'unknown format'}${fits}`,
        format,
        preset,
      }
    } catch (error) {
      if (!(error instanceof ShelfwireError)) throw error
      return {
        ...nothing,
        ...about,
        isOk: false,
        fault: 'unreadable',
        detail: `${found.name}, ${size}: ${error.message}`,
      }
    }
  } finally {
    await rm(found.path, { force: true })
  }
}

async function sizeOf(path: string): Promise<number> {
  await using handle = await open(path)
  return (await handle.stat()).size
}

async function isZip(path: string): Promise<boolean> {
  await using handle = await open(path)
  const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0)
  return buffer.toString('latin1') === 'PK\x03\x04'
}
