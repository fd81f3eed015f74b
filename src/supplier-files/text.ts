import { isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'
import { unreadable } from './rows.ts'

const HEAD_BYTES = 4_096
/** Maximum length of a piece, whatever the chunks are: parsers may copy the rest of a piece for a malformed row. */
const PIECE_BYTES = 65_536
const BOM = Buffer.from([0xef, 0xbb, 0xbf])

/** First bytes (hex) of files that are sent by mistake, and what to do about each. */
const BINARY: readonly (readonly [string, string])[] = [
  ['504b0304', 'a zip archive or an Excel workbook (.xlsx): unpack it, or save the sheet as CSV'],
  ['d0cf11e0', 'an old Excel or Word document: save the sheet as CSV'],
  ['1f8b', 'gzip-compressed: unpack it first'],
  ['25504446', 'a PDF document: ask the supplier for CSV or JSON'],
]

/**
 * Decodes a file into text, in pieces that end at character boundaries; a BOM is dropped.
 * @throws ShelfwireError `source-unreadable` for bytes that are invalid in the encoding (naming the line), for binary files,
 *   for an empty file, and for one of more than `bytesMax` bytes
 */
export async function* readText(
  bytes: AsyncIterable<Uint8Array>,
  encoding: string,
  bytesMax: number,
): AsyncGenerator<string> {
  const decode = isUtf8Name(encoding) ? utf8Decoder() : otherDecoder(encoding)
  let total = 0
  // The kind of a file is detected by its first bytes, which may arrive in any number of chunks.
  let head: Buffer | undefined = Buffer.alloc(0)
  for await (const chunk of bytes) {
    total += chunk.byteLength
    if (total > bytesMax) throw unreadable(`the file is larger than ${bytesMax} bytes: split it`)
    let piece = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    if (head !== undefined) {
      head = Buffer.concat([head, piece])
      if (head.length < HEAD_BYTES) continue
      piece = startOf(head, encoding)
      head = undefined
    }
    for (let at = 0; at < piece.length; at += PIECE_BYTES) {
      const text = decode(piece.subarray(at, at + PIECE_BYTES), false)
      if (text !== '') yield text
    }
  }
  if (total === 0) throw unreadable('the file is empty (0 bytes)')
  const text = decode(head === undefined ? Buffer.alloc(0) : startOf(head, encoding), true)
  if (text !== '') yield text
}

function isUtf8Name(encoding: string): boolean {
  return /^utf-?8$/i.test(encoding)
}

/** Refuses files that are not text, and drops a UTF-8 BOM. */
function startOf(head: Buffer, encoding: string): Buffer {
  const magic = head.toString('hex', 0, 4)
  for (const [bytes, description] of BINARY) {
    if (magic.startsWith(bytes)) throw unreadable(`line 1: this is not a text file but ${description}`)
  }
  const wide = /^(utf-?(16|32)|ucs-?[24])/i.test(encoding)
  if (!wide && (magic.startsWith('fffe') || magic.startsWith('feff'))) {
    throw unreadable(`line 1: the file is UTF-16: give "encoding": "utf-16" in the mapping`)
  }
  if (!wide && controlShare(head) > 0.1) {
    throw unreadable('line 1: this is a binary file, or UTF-16 text: send text, or give its "encoding" in the mapping')
  }
  return head.subarray(0, 3).equals(BOM) ? head.subarray(3) : head
}

function controlShare(head: Buffer): number {
  let controls = 0
  for (const byte of head) if (byte < 9 || (byte > 13 && byte < 32)) controls++
  return controls / Math.max(head.length, 1)
}

type Decode = (chunk: Buffer, final: boolean) => string

function utf8Decoder(): Decode {
  let carried: Buffer = Buffer.alloc(0)
  let lines = 1
  return (chunk, final) => {
    const all = carried.length === 0 ? chunk : Buffer.concat([carried, chunk])
    const end = final ? all.length : wholeCharacters(all)
    const ready = all.subarray(0, end)
    if (!isUtf8(ready)) {
      throw unreadable(
        `line ${lines + invalidLine(ready)}: bytes that are not valid UTF-8: save the file as UTF-8, or give its "encoding" in the mapping (such as "windows-1250")`,
      )
    }
    // A copy: the rest must neither keep the caller's chunk in memory nor change with it.
    carried = Buffer.from(all.subarray(end))
    for (let at = ready.indexOf(10); at !== -1; at = ready.indexOf(10, at + 1)) lines++
    return ready.toString('utf8')
  }
}

/** Length of the buffer without an incomplete last character. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return bytes.length
    if (byte >= 0xc0) {
      const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return size > back ? bytes.length - back : bytes.length
    }
  }
  return bytes.length
}

/** The number of lines before the first that is not valid UTF-8. A line feed byte is never part of a longer character. */
function invalidLine(bytes: Buffer): number {
  let line = 0
  for (let from = 0; ; line++) {
    const end = bytes.indexOf(10, from)
    if (end === -1 || !isUtf8(bytes.subarray(from, end))) return line
    from = end + 1
  }
}

/** iconv-lite decodes invalid bytes to U+FFFD. They are refused like invalid UTF-8, because the encoding must be wrong. */
function otherDecoder(encoding: string): Decode {
  const decoder = iconv.getDecoder(encoding)
  let lines = 1
  return (chunk, final) => {
    const text = decoder.write(chunk) + (final ? (decoder.end() ?? '') : '')
    const bad = text.indexOf('\ufffd')
    const until = bad === -1 ? text.length : bad
    for (let at = text.indexOf('\n'); at !== -1 && at < until; at = text.indexOf('\n', at + 1)) lines++
    if (bad !== -1)
      throw unreadable(`line ${lines}: a byte without meaning in ${encoding}: is this the right "encoding"?`)
    return text
  }
}
