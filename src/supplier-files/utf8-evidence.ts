import iconv from 'iconv-lite'

/**
 * A file whose bytes are UTF-8 but were read in another encoding. `right` is one of its `characters`, `wrong` the text that this one
 * was read as.
 */
export interface DecodingMismatch {
  encoding: string
  characters: number
  /** How many bytes are not UTF-8: few, if the file was damaged. */
  broken: number
  right: string
  wrong: string
}

/**
 * A file with broken bytes is UTF-8 nevertheless if it has at least this many characters per broken byte, and at least this many in
 * all.
 */
const CHARACTERS_TO_BROKEN = 10
const DAMAGED_CHARACTERS_MIN = 5

/**
 * Checks whether the bytes of a file in a single-byte encoding are UTF-8: text in such an encoding is valid UTF-8 only by rare
 * chance.
 */
export class Utf8Evidence {
  readonly #encoding: string
  #valid = 0
  #invalid = 0
  #example: Buffer | undefined
  #open: number[] = []
  #missing = 0

  constructor(encoding: string) {
    this.#encoding = encoding
  }

  take(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (this.#missing > 0) {
        if ((byte & 0xc0) === 0x80) {
          this.#open.push(byte)
          if (--this.#missing > 0) continue
          this.#valid++
          this.#example ??= Buffer.from(this.#open)
          continue
        }
        this.#invalid++
        this.#missing = 0
      }
      if (byte < 0x80) continue
      const more = byte >= 0xf5 ? 0 : byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : byte >= 0xc2 ? 1 : 0
      if (more === 0) this.#invalid++
      this.#open = [byte]
      this.#missing = more
    }
  }

  /** The evidence that the file is UTF-8; null if the bytes are ASCII, or too many of them are not UTF-8. */
  misread(): DecodingMismatch | null {
    const example = this.#example
    const [encoding, characters, broken] = [this.#encoding, this.#valid, this.#invalid]
    const isDamaged = characters >= DAMAGED_CHARACTERS_MIN && characters >= broken * CHARACTERS_TO_BROKEN
    if (example === undefined || (broken > 0 && !isDamaged)) return null
    return { encoding, characters, broken, right: example.toString('utf8'), wrong: iconv.decode(example, encoding) }
  }
}

/** Whether an encoding decodes each byte of UTF-8 to a character of its own. */
export const isByteByByte = (encoding: string): boolean =>
  iconv.encodingExists(encoding) && iconv.decode(Buffer.from([0xc3, 0xa4, 0xc3, 0xb6]), encoding).length === 4
