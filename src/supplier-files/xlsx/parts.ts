import { crc32, createInflateRaw } from 'node:zlib'
import { ShelfwireError } from '../../platform/errors.ts'
import { openYielding } from '../../platform/turns/yielding.ts'
import type { ReadLimits } from '../rows.ts'
import type { DirectoryEntry } from '../zip/directory.ts'
import { damaged, ElementReader, type PartHandlers } from './elements.ts'

const PIECE_BYTES = 65_536
/** How much is parsed at once: even a small piece of a sheet may have many rows of thousands of cells each. */
const PARSED_BYTES = 16_384
const LOCAL_HEADER_BYTES = 30
const DEFLATED = 8

/** The parts of a workbook, which is held in memory as it is, compressed. */
export class WorkbookParts {
  readonly #workbook: Buffer
  readonly #entries: ReadonlyMap<string, DirectoryEntry>
  readonly #limits: ReadLimits

  constructor(workbook: Buffer, entries: readonly DirectoryEntry[], limits: ReadLimits) {
    this.#workbook = workbook
    this.#entries = new Map(entries.map((entry) => [entry.name.replace(/^\//, ''), entry]))
    this.#limits = limits
  }

  has(name: string): boolean {
    return this.#entries.has(name)
  }

  names(): Iterable<string> {
    return this.#entries.keys()
  }

  /**
   * Reads a part piece by piece; the generator yields after each piece. A part that does not exist has no elements.
   * @throws ShelfwireError `source-unreadable` for a part that is damaged, is not XML, or is larger than the directory
   * states
   */
  async *read(name: string, handlers: PartHandlers): AsyncGenerator<void> {
    const entry = this.#entries.get(name)
    if (entry === undefined) return
    const reader = new ElementReader(name, handlers, this.#limits)
    const decoder = new TextDecoder('utf-8', { fatal: true })
    const yielding = openYielding()
    try {
      for await (const bytes of this.#expanded(entry))
        for (let at = 0; at < bytes.length; at += PARSED_BYTES) {
          reader.write(decoder.decode(bytes.subarray(at, at + PARSED_BYTES), { stream: true }))
          yield
          const pause = yielding()
          if (pause !== null) await pause
          if (handlers.read?.() === true) return
        }
      reader.close()
    } catch (error) {
      if (error instanceof ShelfwireError) throw error
      throw damaged(`${name} cannot be read: ${error instanceof Error ? error.message : String(error)}`, error)
    }
  }

  /** Reads a part to its end. */
  async readWhole(name: string, handlers: PartHandlers): Promise<void> {
    for await (const _ of this.read(name, handlers));
  }

  async *#expanded({ name, offset, method, compressedSize, size, crc }: DirectoryEntry): AsyncGenerator<Uint8Array> {
    const header = this.#workbook.subarray(offset, offset + LOCAL_HEADER_BYTES)
    if (header.length < LOCAL_HEADER_BYTES) throw damaged(`${name} is not there`)
    const from = offset + LOCAL_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28)
    const packed = this.#workbook.subarray(from, from + compressedSize)
    let bytes = 0
    let sum = 0
    for await (const piece of method === DEFLATED ? inflated(packed) : pieces(packed)) {
      bytes += piece.byteLength
      if (bytes > size) throw damaged(`${name} expands to more than its directory says`)
      sum = crc32(piece, sum)
      yield piece
    }
    if (bytes !== size || sum !== crc) throw damaged(`${name} is not what was packed`)
  }
}

async function* inflated(packed: Buffer): AsyncGenerator<Uint8Array> {
  const inflate = createInflateRaw({ chunkSize: PIECE_BYTES })
  inflate.end(packed)
  try {
    yield* inflate as AsyncIterable<Uint8Array>
  } finally {
    inflate.destroy()
  }
}

async function* pieces(stored: Buffer): AsyncGenerator<Uint8Array> {
  await Promise.resolve()
  for (let at = 0; at < stored.length; at += PIECE_BYTES) yield stored.subarray(at, at + PIECE_BYTES)
}
