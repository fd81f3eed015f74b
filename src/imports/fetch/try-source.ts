import { createReadStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { ShelfwireError } from '../../platform/errors.ts'
import { detectMapping } from '../../supplier-files/detect.ts'
import type { Mapping } from '../../supplier-files/mapping.ts'
import { readOfferPages } from '../../supplier-files/read-offers.ts'
import { readMappingDocument } from '../../supplier-files/mapping-document.ts'
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

/** Connects as a run would, reads the beginning of the file and says what it found. Changes nothing. */
export async function trySource(
  fetching: Fetching,
  accountId: number,
  source: SourceRow,
  signal: AbortSignal,
): Promise<SourceTrial> {
  let hostKey = source.hostKey
  const found = await fetching.fetchBeginning(source, accountId, signal, (fingerprint) => {
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
    const read = await readAs(found.path, source)
    if ('reason' in read) {
      const detail = `${found.name}, ${size}: ${read.reason}`
      return { ...nothing, ...about, isOk: false, fault: 'unreadable', detail }
    }
    const { format, preset } = read
    const fits = preset === null ? '' : `; the ready mapping ${preset} fits`
    const detail = `${found.name}, ${size}, ${format ?? 'in a format that the mapping reads'}${fits}`
    return { ...about, isOk: true, fault: null, detail, format, preset }
  } finally {
    await rm(found.path, { force: true })
  }
}

/** The format of a file by its content, or that of the mapping where the content proposes none. */
async function readAs(
  path: string,
  source: SourceRow,
): Promise<{ format: string | null; preset: string | null } | { reason: string }> {
  try {
    const { preset, mapping } = await detectMapping(createReadStream(path))
    return { format: mapping.format ?? null, preset }
  } catch (error) {
    if (!(error instanceof ShelfwireError)) throw error
    const mapping = readMappingDocument(source.mapping)
    if (await hasRows(path, mapping)) return { format: mapping.format ?? null, preset: null }
    return { reason: error.message }
  }
}

/** Whether a mapping reads an offer in the first rows of a file. */
async function hasRows(path: string, mapping: Mapping): Promise<boolean> {
  const bytes = createReadStream(path)
  try {
    for await (const rows of readOfferPages(bytes, mapping)) return rows.some((row) => 'offer' in row)
    return false
  } catch (error) {
    if (error instanceof ShelfwireError) return false
    throw error
  } finally {
    bytes.destroy()
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
