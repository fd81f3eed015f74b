import { Readable } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { Unzip, type AsyncFlateStreamHandler, type UnzipFile } from 'fflate'
import { ShelfwireError } from '../../platform/errors.ts'
import { openYielding } from '../../platform/turns/yielding.ts'
import { Expansion } from '../expansion.ts'
import { unreadable, type ReadLimits } from '../rows.ts'
import { directoryOf } from './directory.ts'
import { shownName } from './shown-name.ts'

/** How much of an archive is unpacked before other work gets its turn. */
const PIECE_BYTES = 65_536
/** How much of the end of an archive is kept to read its directory. */
const TAIL_BYTES = 1_048_576

const STORED = 0
const DEFLATED = 8

/** Files of an archive that are no catalogs. */
const NO_CATALOG =
  /(?:^|\/)(?:__MACOSX\/|\.)|\/$|\.(?:jpe?g|png|gif|webp|pdf|docx?|html?|xsd|dtd|md)$|(?:^|\/)(?:readme|license|liesmich)[^/]*$/i

/**
 * Passes the packed bytes of a file on unchanged. zlib inflates them piece by piece and outside of the event loop's thread, instead of fflate, which
 * only finds the file.
 */
class Packed {
  ondata: AsyncFlateStreamHandler = () => {}
  push(data: Uint8Array<ArrayBuffer>, isFinal: boolean): void {
    this.ondata(null, data, isFinal)
  }
}
const methods = [
  class extends Packed {
    static readonly compression = STORED
  },
  class extends Packed {
    static readonly compression = DEFLATED
  },
]

/** The file that is being unpacked, from its header in the archive. */
interface Taken {
  name: string
  /** As fflate reads it: as UTF-8 if the archive has the flag for it, otherwise each byte as a character. */
  foundName: string
  method: number
  /** All its bytes have been read. */
  isWhole: boolean
}

/**
 * Unpacks the only catalog of a zip archive, or the file `wanted`, front to back, and compares its size and CRC-32 with the directory at the end.
 * Folders, pictures and documents beside it are skipped.
 * @throws ShelfwireError `source-unreadable` for an archive without such a file or with several, for one that is cut off or damaged, and for one that
 * expands beyond the limits
 */
export async function* unzip(
  bytes: AsyncIterable<Uint8Array>,
  wanted: string | undefined,
  limits: ReadLimits,
): AsyncGenerator<Uint8Array> {
  const expansion = new Expansion(limits)
  const archive = new Archive(wanted)
  const packed = archive.packed(expansion.count(bytes))
  const first = await packed.next()
  let crc = 0
  let size = 0
  const { taken } = archive
  if (first.done !== true && taken !== undefined) {
    const whole = continued(first.value, packed)
    for await (const piece of taken.method === DEFLATED ? inflated(whole, taken.name) : whole) {
      expansion.add(piece.byteLength)
      crc = crc32(piece, crc)
      size += piece.byteLength
      if (piece.byteLength > 0) yield piece
    }
  }
  archive.end(crc, size)
}

/** Finds the wanted file in an archive that is read front to back. */
class Archive {
  readonly #wanted: string | undefined
  readonly #names: string[] = []
  readonly #unzip = new Unzip((file) => this.#found(file))
  #pieces: Uint8Array[] = []
  readonly #tail: Uint8Array[] = []
  #tailBytes = 0
  #total = 0
  taken: Taken | undefined

  constructor(wanted: string | undefined) {
    this.#wanted = wanted?.normalize('NFC')
    for (const method of methods) this.#unzip.register(method)
  }

  /** The packed bytes of the wanted file. When they end, the whole archive has been read. */
  async *packed(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const yielding = openYielding()
    for await (const chunk of bytes) {
      this.#keepTail(chunk)
      for (let at = 0; at < chunk.byteLength; at += PIECE_BYTES) {
        // a copy: fflate keeps the bytes that it has not passed on yet
        this.#push(chunk.slice(at, at + PIECE_BYTES), false)
        yield* this.#pieces.splice(0)
        const pause = yielding()
        if (pause !== null) await pause
      }
    }
    this.#push(new Uint8Array(0), true)
    yield* this.#pieces.splice(0)
  }

  /** @throws ShelfwireError `source-unreadable` if no file was found, or its CRC-32 or size is not what the directory states */
  end(crc: number, size: number): void {
    const { taken } = this
    if (taken === undefined) throw this.#nothing()
    if (!taken.isWhole)
      throw unreadable(`the zip archive is cut off within ${JSON.stringify(taken.name)}; fetch it again`)
    const entries = directoryOf(Buffer.concat(this.#tail), this.#total - this.#tailBytes)
    if (entries === 'cut-off') throw unreadable('the zip archive is cut off; fetch it again')
    const { foundName } = taken
    const entry =
      entries === 'damaged'
        ? undefined
        : entries.find(({ name, nameBytes }) => name === foundName || nameBytes === foundName)
    // bytes of a damaged archive may still be inflated, to a different text
    if (entry === undefined || entry.crc !== crc || entry.size !== size % 2 ** 32)
      throw unreadable(`${JSON.stringify(taken.name)} in the zip archive is damaged; fetch it again`)
  }

  #found(file: UnzipFile): void {
    const { name: foundName, compression } = file
    const name = shownName(foundName)
    const wanted = this.#wanted
    if (this.#names.length < 1_000) this.#names.push(name)
    if (wanted === undefined ? NO_CATALOG.test(name) : name !== wanted && !name.endsWith(`/${wanted}`)) return
    if (this.taken !== undefined)
      throw unreadable(
        `the zip archive has several files (${JSON.stringify(this.taken.name)}, ${JSON.stringify(name)}): name one with "file" in the mapping`,
      )
    if (compression !== STORED && compression !== DEFLATED)
      throw unreadable(
        `${name} is packed by a method that is not read (${compression}): pack it with deflate, as usual`,
      )
    const taken = { name, foundName, method: compression, isWhole: false }
    this.taken = taken
    file.ondata = (_error, data, isFinal) => {
      this.#pieces.push(data)
      if (isFinal) taken.isWhole = true
    }
    file.start()
  }

  #push(piece: Uint8Array, isFinal: boolean): void {
    try {
      this.#unzip.push(piece, isFinal)
    } catch (error) {
      if (error instanceof ShelfwireError) throw error
      const detail = error instanceof Error ? error.message : String(error)
      throw unreadable(
        isFinal
          ? 'the zip archive is cut off; fetch it again'
          : `the zip archive is damaged: ${detail}; fetch it again`,
        error,
      )
    }
  }

  #keepTail(chunk: Uint8Array): void {
    const tail = this.#tail
    this.#total += chunk.byteLength
    this.#tailBytes += chunk.byteLength
    tail.push(chunk)
    for (
      let first = tail[0];
      first !== undefined && this.#tailBytes - first.byteLength >= TAIL_BYTES;
      first = tail[0]
    ) {
      this.#tailBytes -= first.byteLength
      tail.shift()
    }
  }

  #nothing(): Error {
    const names = this.#names.slice(0, 5).map((name) => JSON.stringify(name))
    const list = names.length === 0 ? 'no files' : `only ${names.join(', ')}`
    const wanted = this.#wanted
    return unreadable(
      `the zip archive has ${wanted === undefined ? 'no catalog' : `no ${JSON.stringify(wanted)}`}, but ${list}`,
    )
  }
}

async function* continued(first: Uint8Array, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first
  yield* rest
}

async function* inflated(packed: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const source = Readable.from(packed, { objectMode: false })
  const inflate = createInflateRaw({ chunkSize: 65_536 })
  source.on('error', (error) => inflate.destroy(error))
  source.pipe(inflate)
  try {
    yield* inflate as AsyncIterable<Uint8Array>
  } catch (error) {
    if (error instanceof ShelfwireError || !(error instanceof Error) || !('code' in error)) throw error
    if (error.code === 'Z_BUF_ERROR')
      throw unreadable(`the zip archive is cut off within ${JSON.stringify(name)}; fetch it again`, error)
    if (String(error.code).startsWith('Z_'))
      throw unreadable(`${name} in the zip archive is damaged: ${error.message}; fetch it again`, error)
    throw error
  } finally {
    source.destroy()
    inflate.destroy()
  }
}

/** Whether the first file of an archive is protected by a password. @param head the first bytes of the archive */
export const isProtected = (head: Buffer): boolean => head.length >= 8 && (head.readUInt16LE(6) & 1) === 1

/** The name of the first file of an archive. @param head the first bytes of the archive */
export function firstName(head: Buffer): string {
  return head.length < 30 ? '' : head.toString('utf8', 30, 30 + head.readUInt16LE(26))
}
