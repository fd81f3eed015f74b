import { crc32 } from 'node:zlib'
import { Unzip, UnzipInflate, type UnzipFile } from 'fflate'
import { Expansion } from '../expansion.ts'
import { unreadable, type ReadLimits } from '../rows.ts'
import { directoryOf } from './directory.ts'

/** So much is given to the inflater at once: it may become a thousand times as much. */
const PIECE_BYTES = 16_384
/** So much of the end of an archive is kept to read its directory. */
const TAIL_BYTES = 1_048_576

const STORED = 0
const DEFLATED = 8

/** Files of an archive that hold no catalog. */
const BESIDE =
  /(?:^|\/)(?:__MACOSX\/|\.)|\/$|\.(?:jpe?g|png|gif|webp|pdf|docx?|html?|xsd|dtd|md)$|(?:^|\/)(?:readme|license|liesmich)[^/]*$/i

/**
 * Expands the one catalog of a zip archive, front to back, or the file `wanted`, and checks at the end that it is what was packed. Folders, pictures and documents beside it are passed over.
 * @throws ShelfwireError `source-unreadable` for an archive without such a file or with several, one that is cut off or damaged, or
 *   expands beyond the limits
 */
export async function* unzip(
  bytes: AsyncIterable<Uint8Array>,
  wanted: string | undefined,
  limits: ReadLimits,
): AsyncGenerator<Uint8Array> {
  const expansion = new Expansion(limits)
  const expanded: Uint8Array[] = []
  const names: string[] = []
  let taken: string | undefined
  let isWhole = false
  let crc = 0
  let size = 0
  const archive = new Unzip((file: UnzipFile) => {
    if (names.length < 1_000) names.push(file.name)
    const isOne =
      wanted === undefined ? !BESIDE.test(file.name) : file.name === wanted || file.name.endsWith(`/${wanted}`)
    if (!isOne) return
    if (taken !== undefined) {
      throw unreadable(
        `the zip archive has several files (${JSON.stringify(taken)}, ${JSON.stringify(file.name)}): name one with "file" in the mapping`,
      )
    }
    taken = file.name
    if (file.compression !== STORED && file.compression !== DEFLATED)
      throw unreadable(
        `${taken} is packed by a method that is not read (${file.compression}): pack it with deflate, as usual`,
      )
    file.ondata = (error, data, isFinal) => {
      if (error !== null)
        throw unreadable(`${taken} in the zip archive is damaged: ${error.message}; fetch it again`, error)
      expansion.add(data.byteLength)
      crc = crc32(data, crc)
      size += data.byteLength
      if (data.byteLength > 0) expanded.push(data)
      if (isFinal) isWhole = true
    }
    file.start()
  })
  archive.register(UnzipInflate)
  const push = (piece: Uint8Array, isFinal: boolean) => {
    try {
      archive.push(piece, isFinal)
    } catch (error) {
      if (error instanceof Error && error.name === 'ShelfwireError') throw error
      const detail = error instanceof Error ? error.message : String(error)
      throw unreadable(
        isFinal
          ? 'the zip archive is cut off; fetch it again'
          : `the zip archive is damaged: ${detail}; fetch it again`,
        error,
      )
    }
  }
  const tail: Uint8Array[] = []
  let tailBytes = 0
  let total = 0
  for await (const chunk of expansion.count(bytes)) {
    total += chunk.byteLength
    tailBytes += chunk.byteLength
    tail.push(chunk)
    for (let first = tail[0]; first !== undefined && tailBytes - first.byteLength >= TAIL_BYTES; first = tail[0]) {
      tailBytes -= first.byteLength
      tail.shift()
    }
    for (let at = 0; at < chunk.byteLength; at += PIECE_BYTES) {
      // a copy: the inflater keeps what it has not used yet
      push(chunk.slice(at, at + PIECE_BYTES), false)
      yield* expanded.splice(0)
    }
  }
  push(new Uint8Array(0), true)
  yield* expanded.splice(0)
  if (taken === undefined) {
    const list =
      names.length === 0
        ? 'no files'
        : `only ${names
            .slice(0, 5)
            .map((name) => JSON.stringify(name))
            .join(', ')}`
    throw unreadable(
      `the zip archive has ${wanted === undefined ? 'no catalog' : `no ${JSON.stringify(wanted)}`}, but ${list}`,
    )
  }
  if (!isWhole) throw unreadable(`the zip archive is cut off within ${JSON.stringify(taken)}; fetch it again`)
  const entries = directoryOf(Buffer.concat(tail), total - tailBytes)
  if (entries === 'cut-off') throw unreadable('the zip archive is cut off; fetch it again')
  const entry = entries === 'damaged' ? undefined : entries.find(({ name }) => name === taken)
  // the inflater does not compare: a damaged archive may expand to something else
  if (entry === undefined || entry.crc !== crc || entry.size !== size % 2 ** 32)
    throw unreadable(`${JSON.stringify(taken)} in the zip archive is damaged; fetch it again`)
}

/** Whether the first file of an archive is protected by a password. */
export const isProtected = (head: Buffer): boolean => head.length >= 8 && (head.readUInt16LE(6) & 1) === 1

/** The name of the first file of an archive, by its first bytes. */
export function firstName(head: Buffer): string {
  return head.length < 30 ? '' : head.toString('utf8', 30, 30 + head.readUInt16LE(26))
}
