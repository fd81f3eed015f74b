import { createReadStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import type { FileReaders } from '../../file-readers/readers.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { Mapping } from '../../supplier-files/mapping/mapping.ts'
import { readMappingDocument } from '../../supplier-files/mapping-document.ts'
import type { SourceRow } from '../sources/sources.sql.ts'
import { sizeShown } from './incoming-file.ts'
import type { Fetching } from './fetch-source.ts'

/** The result of trying a source. */
export interface SourceTrial {
  isOk: boolean
  fault: string | null
  /** What was found, or what failed and what to do about it. */
  detail: string
  fileName: string | null
  /** Bytes of the whole file; null if the server does not say. */
  bytes: number | null
  /** Recognized from the content; null if it was not. */
  format: string | null
  /** The preset that fits; null: none. */
  preset: string | null
  /** The fingerprint of the key that an SFTP server showed. */
  hostKey: string | null
}

/** Connects as a run would, reads the beginning of the file and reports what it found. Changes nothing. */
export async function trySource(
  { fetching, readers }: { fetching: Fetching; readers: FileReaders },
  accountId: number,
  source: SourceRow,
  signal: AbortSignal,
): Promise<SourceTrial> {
  let hostKey = source.hostKey
  const found = await fetching.fetchBeginning(source, accountId, signal, (fingerprint) => {
    hostKey = fingerprint
  })
  const nothing = { fileName: null, bytes: null, format: null, preset: null, hostKey }
  if ('kind' in found) return { ...nothing, isOk: false, ...shownFault(found) }
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
    const read = await readAs(readers, found.path, source, { accountId, signal })
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

/**
 * The failure as users see it. A name without an address and an address that is not allowed get the same answer:
 * otherwise users could find out which names exist in the networks behind this service. The log has the difference.
 */
function shownFault({ fault, detail }: { fault: string; detail: string }): { fault: string; detail: string } {
  if (fault !== 'dns' && fault !== 'blocked_address') return { fault, detail }
  return {
    fault: 'no_address',
    detail:
      'the host has no address that may be used: check the host in the URL; networks that are not public must be listed in the setting OUTBOUND_ALLOW',
  }
}

/** Recognizes the format of a file from its content; if that fails, takes the mapping's format. */
async function readAs(
  readers: FileReaders,
  path: string,
  source: SourceRow,
  options: { accountId: number; signal: AbortSignal },
): Promise<{ format: string | null; preset: string | null } | { reason: string }> {
  try {
    const { preset, mapping } = await readers.detect(createReadStream(path), options)
    return { format: mapping.format ?? null, preset }
  } catch (error) {
    if (!(error instanceof ShelfwireError)) throw error
    const mapping = readMappingDocument(source.mapping, 'stored')
    if (await hasRows(readers, path, mapping, options)) return { format: mapping.format ?? null, preset: null }
    return { reason: error.message }
  }
}

/** Whether a mapping reads an offer in the first rows of a file. */
async function hasRows(
  readers: FileReaders,
  path: string,
  mapping: Mapping,
  options: { accountId: number; signal: AbortSignal },
): Promise<boolean> {
  const bytes = createReadStream(path)
  try {
    const rows = await readers.preview(bytes, mapping, LIMITS.importPageRows, options)
    return rows.some(({ read }) => 'offer' in read)
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
