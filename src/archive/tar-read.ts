import { archiveRefusal, inText } from './refused.ts'
import { TAR_BLOCK } from './tar.ts'
import { must } from '../platform/must.ts'

// Reads tar files as tar.ts writes them, and refuses everything else that tar files can contain: links, directories, devices, long and extended
// names. docs/decisions/169-an-account-is-imported-whole.md says why this is no library.

const TAR = 'the tar file'
const PACKED_ANEW = 'a tar file that was packed anew is unpacked, and the directory imported'

/** A file of the stream: its body must be read, or is skipped, before the next file is requested. */
export interface ReadFile {
  path: string
  bytes: number
  body: AsyncIterable<Buffer>
}

/** @throws ShelfwireError invalid-input if the tar file is truncated or altered, or contains anything but files */
export async function* tarFiles(chunks: AsyncIterable<Buffer>): AsyncGenerator<ReadFile> {
  const input = new Input(chunks)
  for (;;) {
    const header = await input.take(TAR_BLOCK, TAR)
    if (isEmpty(header)) break
    const { path, bytes } = readHeader(header)
    const body = input.pass(bytes, path)
    yield { path, bytes, body }
    // skip what the caller has not read
    for await (const _ of body);
    const padding = await input.take((TAR_BLOCK - (bytes % TAR_BLOCK)) % TAR_BLOCK, path)
    if (!isEmpty(padding)) throw archiveRefusal(path, 'has bytes behind its end')
  }
  // the second empty block of the end, and the padding of the last record
  if (!isEmpty(await input.take(TAR_BLOCK, TAR))) throw archiveRefusal(TAR, 'has bytes behind its end')
  for await (const chunk of input.rest()) if (!isEmpty(chunk)) throw archiveRefusal(TAR, 'has bytes behind its end')
}

const isEmpty = (bytes: Buffer): boolean => bytes.every((byte) => byte === 0)

function readHeader(header: Buffer): { path: string; bytes: number } {
  const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0x20 : byte), 0)
  if (octal(header, 148, 8) !== sum)
    throw archiveRefusal(TAR, 'is altered: a header does not have the sum that it states')
  const name = header.subarray(0, 100)
  const end = name.indexOf(0)
  const path = name.toString('latin1', 0, end < 0 ? 100 : end)
  const kind = String.fromCharCode(must(header[156]))
  if (kind !== '0' && kind !== '\0')
    throw archiveRefusal(TAR, `has ${inText(path)}, which is no file (kind ${inText(kind)}); ${PACKED_ANEW}`)
  if (!isEmpty(header.subarray(157, 257))) throw archiveRefusal(TAR, `has ${inText(path)}, which is a link`)
  if (!isEmpty(header.subarray(345, 500))) throw archiveRefusal(TAR, `has a name that is too long: ${inText(path)}`)
  const bytes = sizeOf(header)
  if (bytes === undefined) throw archiveRefusal(TAR, `states no size of ${inText(path)}`)
  return { path, bytes }
}

function octal(header: Buffer, at: number, length: number): number | undefined {
  const text = header.toString('latin1', at, at + length)
  const digits = /^ *([0-7]+)[\0 ]*$/.exec(text)?.[1]
  return digits === undefined ? undefined : Number.parseInt(digits, 8)
}

/** The size in octal, or in binary from 8 GiB on. */
function sizeOf(header: Buffer): number | undefined {
  if (header[124] !== 0x80) return octal(header, 124, 12)
  const bytes = Number(header.readBigUInt64BE(128))
  return isEmpty(header.subarray(125, 128)) && Number.isSafeInteger(bytes) ? bytes : undefined
}

class Input {
  readonly #chunks: AsyncIterator<Buffer>
  #left: Buffer = Buffer.alloc(0)

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  /** At least one byte and at most `most`; undefined at the end. */
  async #next(most: number): Promise<Buffer | undefined> {
    while (this.#left.length === 0) {
      const next = await this.#chunks.next()
      if (next.done === true) return undefined
      this.#left = next.value
    }
    const part = this.#left.subarray(0, most)
    this.#left = this.#left.subarray(part.length)
    return part
  }

  async *pass(bytes: number, path: string): AsyncGenerator<Buffer> {
    for (let missing = bytes; missing > 0;) {
      const part = await this.#next(missing)
      if (part === undefined) throw archiveRefusal(path, 'is cut off: the archive ends within it')
      missing -= part.length
      yield part
    }
  }

  async take(bytes: number, path: string): Promise<Buffer> {
    const parts: Buffer[] = []
    for await (const part of this.pass(bytes, path)) parts.push(part)
    return Buffer.concat(parts)
  }

  async *rest(): AsyncGenerator<Buffer> {
    for (;;) {
      const part = await this.#next(Infinity)
      if (part === undefined) return
      yield part
    }
  }
}
