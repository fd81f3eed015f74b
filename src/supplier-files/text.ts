import { say } from '../../contract/remarks/remarks.ts'
import { isAscii, isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'
import { openYielding } from '../platform/turns/yielding.ts'
import { isDamagedUtf8, likelyEncoding, statedEncoding } from './encoding.ts'
import { unreadable, type Warn } from './rows.ts'
import { isByteByByte, Utf8Evidence } from './utf8-evidence.ts'
import { must } from '../platform/must.ts'

const HEAD_BYTES = 4_096
/** The longest piece that is decoded at once, whatever the chunks are: for a malformed row, parsers may copy the rest of a piece. */
const PIECE_BYTES = 65_536
const BOM = Buffer.from([0xef, 0xbb, 0xbf])

/** First bytes (hex) of files that are sent by mistake, and the advice for each. */
const BINARY: readonly (readonly [string, string])[] = [
  ['d0cf11e0', 'an old Excel or Word document, or a workbook with a password: save the sheet as .xlsx or CSV'],
  ['09000400', 'a workbook of Excel 2: save the sheet as .xlsx or CSV'],
  ['09020600', 'a workbook of Excel 3: save the sheet as .xlsx or CSV'],
  ['09040600', 'a workbook of Excel 4: save the sheet as .xlsx or CSV'],
  ['09080800', 'an old workbook of Excel: save the sheet as .xlsx or CSV'],
  ['09081000', 'an old workbook of Excel: save the sheet as .xlsx or CSV'],
  ['25504446', 'a PDF document: ask the supplier for CSV or JSON'],
  ['ffd8ff', 'a picture'],
  ['89504e47', 'a picture'],
  ['377abcaf', 'a 7z archive: unpack it, or send it as zip or gzip'],
  ['52617221', 'a RAR archive: unpack it, or send it as zip or gzip'],
  ['fd377a58', 'an xz archive: unpack it, or send it as gzip'],
  ['425a68', 'a bzip2 archive: unpack it, or send it as gzip'],
  ['28b52ffd', 'a zstd archive: unpack it, or send it as gzip'],
]

/** The encoding is detected from this many bytes, counted from the first one that is not ASCII. */
const SAMPLE_BYTES = 65_536

/**
 * Decodes a file into text, in pieces that end at character boundaries; a BOM is dropped.
 * @param encoding if undefined, it is detected
 * @param onEvidence receives the evidence on whether the bytes are UTF-8 although a single-byte encoding is stated; it grows while the file
 * is read
 * @param onEncoding receives the detected encoding if it is not UTF-8
 * @throws ShelfwireError `source-unreadable` for bytes that are invalid in the encoding (naming the line), for binary files, for an empty
 * file, and for one of more than `bytesMax` bytes
 */
export async function* readText(
  bytes: AsyncIterable<Uint8Array>,
  encoding: string | undefined,
  bytesMax: number,
  warn: Warn = () => {},
  onEncoding: (encoding: string) => void = () => {},
  onEvidence: (evidence: Utf8Evidence) => void = () => {},
): AsyncGenerator<string> {
  let decode: Decode = asciiDecoder
  let total = 0
  let evidence: Utf8Evidence | undefined
  // The kind of a file is detected by its first bytes, which may arrive in any number of chunks.
  let head: Buffer | undefined = Buffer.alloc(0)
  const start = (whole: Buffer): Buffer => {
    const found = encoding === undefined ? statedEncoding(whole)?.encoding : undefined
    if (found !== undefined && !isUtf8Name(found)) onEncoding(found)
    const stated = encoding ?? found
    if (stated !== undefined && isByteByByte(stated)) onEvidence((evidence = new Utf8Evidence(stated)))
    decode = stated === undefined ? detectingDecoder(warn, onEncoding) : decoderOf(stated, 1)
    return startOf(whole, stated ?? 'utf-8')
  }
  const yielding = openYielding()
  for await (const chunk of bytes) {
    total += chunk.byteLength
    if (total > bytesMax) throw unreadable(`the file is larger than ${bytesMax} bytes: split it`)
    let piece = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    if (head !== undefined) {
      head = Buffer.concat([head, piece])
      if (head.length < HEAD_BYTES) continue
      piece = start(head)
      head = undefined
    }
    for (let at = 0; at < piece.length; at += PIECE_BYTES) {
      const part = piece.subarray(at, at + PIECE_BYTES)
      if (evidence !== undefined && !isAscii(part)) evidence.take(part)
      const text = decode(part, false)
      if (text !== '') yield text
      const pause = yielding()
      if (pause !== null) await pause
    }
  }
  if (total === 0) throw unreadable('the file is empty (0 bytes)')
  const rest = head === undefined ? Buffer.alloc(0) : start(head)
  evidence?.take(rest)
  const text = decode(rest, true)
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
  if (!wide && (magic.startsWith('fffe') || magic.startsWith('feff')))
    throw unreadable(`line 1: the file is UTF-16: leave out "encoding" in the mapping, or give "utf-16"`)
  if (!wide && controlShare(head) > 0.1)
    throw unreadable('line 1: this is a binary file: send text, a workbook (.xlsx), gzip or zip')
  return head.subarray(0, 3).equals(BOM) ? head.subarray(3) : head
}

function controlShare(head: Buffer): number {
  // a chunk may have a megabyte, and the first bytes of a binary file show that it is one
  const length = Math.min(head.length, HEAD_BYTES)
  let controls = 0
  for (let at = 0; at < length; at++) {
    const byte = must(head[at])
    if (byte < 9 || (byte > 13 && byte < 32)) controls++
  }
  return controls / Math.max(length, 1)
}

type Decode = (chunk: Buffer, final: boolean) => string

const decoderOf = (encoding: string, line: number): Decode =>
  isUtf8Name(encoding) ? utf8Decoder(line) : otherDecoder(encoding, line)

const asciiDecoder: Decode = (chunk) => chunk.toString('latin1')

/** Decodes ASCII, which is the same in all encodings that are detected, until the first other bytes decide which encoding it is. */
function detectingDecoder(warn: Warn, onEncoding: (encoding: string) => void): Decode {
  let decided: Decode | undefined
  let collected: Buffer[] = []
  let length = 0
  let lines = 1
  return (chunk, final) => {
    if (decided !== undefined) return decided(chunk, final)
    if (length === 0 && isAscii(chunk)) {
      lines += lineFeeds(chunk)
      return asciiDecoder(chunk, final)
    }
    // a copy: the caller's chunk may change
    collected.push(Buffer.from(chunk))
    length += chunk.length
    if (length < SAMPLE_BYTES && !final) return ''
    const sample = Buffer.concat(collected)
    collected = []
    const encoding = encodingOf(sample, final)
    if (!isUtf8Name(encoding)) {
      onEncoding(encoding)
      warn(say('encoding_guessed', { encoding }))
    }
    decided = decoderOf(encoding, lines)
    return decided(sample, final)
  }
}

function encodingOf(sample: Buffer, final: boolean): string {
  const whole = final ? sample : sample.subarray(0, wholeCharacters(sample))
  return isUtf8(whole) || isDamagedUtf8(sample) ? 'utf-8' : likelyEncoding(sample)
}

function lineFeeds(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) count++
  return count
}

function utf8Decoder(line: number): Decode {
  let carried: Buffer = Buffer.alloc(0)
  let lines = line
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
    lines += lineFeeds(ready)
    return ready.toString('utf8')
  }
}

/** Length of the buffer without an incomplete last character. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = must(bytes[bytes.length - back])
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
function otherDecoder(encoding: string, line: number): Decode {
  const decoder = iconv.getDecoder(encoding)
  let lines = line
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
