import { Readable } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { Unzip, type AsyncFlateStreamHandler, type UnzipFile } from 'fflate'
import { ShelfwireError } from '../../platform/errors.ts'
import { openYielding } from '../../platform/turns/yielding.ts'
import { Expansion } from '../expansion.ts'
import { unreadable, type ReadLimits } from '../rows.ts'
import { directoryOf } from './directory.ts'
import { shownName } from './shown-name.ts'

/** So much of an archive is looked at before others have their turn. */
const PIECE_BYTES = 65_536
/** So much of the end of an archive is kept to read its directory. */
const TAIL_BYTES = 1_048_576

const STORED = 0
const DEFLATED = 8

/** Files of an archive that hold no catalog. */
const BESIDE =
  /(?:^|\/)(?:__MACOSX\/|\.)|\/$|\.(?:jpe?g|png|gif|webp|pdf|docx?|html?|xsd|dtd|md)$|(?:^|\/)(?:readme|license|liesmich)[^/]*$/i

/** A file of an archive as it is packed: zlib expands it, piece by piece and beside other work, and not the library that finds it. */
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

/** What is known of the file that is taken out of an archive, once its first bytes are there. */
interface Taken {
  name: string
  /** As the library reads it: UTF-8 where the archive says so, else each byte by itself. */
  foundName: string
  method: number
  /** All of it has come. */
  isWhole: boolean
}

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

/** Finds the file in an archive that arrives front to back. */
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

  /** The packed bytes of the file, once it begins; at their end the archive has been read. */
  async *packed(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const yielding = openYielding()
    for await (const chunk of bytes) {
      this.#keepTail(chunk)
      for (let at = 0; at < chunk.byteLength; at += PIECE_BYTES) {
        // a copy: the library keeps what it has not passed on yet
        this.#push(chunk.slice(at, at + PIECE_BYTES), false)
        yield* this.#pieces.splice(0)
        const pause = yielding()
        if (pause !== null) await pause
      }
    }
    this.#push(new Uint8Array(0), true)
    yield* this.#pieces.splice(0)
  }

  /** @throws ShelfwireError `source-unreadable` where there was no file, or it is not what was packed */
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
    // a damaged archive may expand to something else
    if (entry === undefined || entry.crc !== crc || entry.size !== size % 2 ** 32)
      throw unreadable(`${JSON.stringify(taken.name)} in the zip archive is damaged; fetch it again`)
  }

  #found(file: UnzipFile): void {
    const { name: foundName, compression } = file
    const name = shownName(foundName)
    const wanted = this.#wanted
    if (this.#names.length < 1_000) this.#names.push(name)
    if (wanted === undefined ? BESIDE.test(name) : name !== wanted && !name.endsWith(`/${wanted}`)) return
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

/** Whether the first file of an archive is protected by a password. */
export const isProtected = (head: Buffer): boolean => head.length >= 8 && (head.readUInt16LE(6) & 1) === 1

/** The name of the first file of an archive, by its first bytes. */
export function firstName(head: Buffer): string {
  return head.length < 30 ? '' : head.toString('utf8', 30, 30 + head.readUInt16LE(26))
}
