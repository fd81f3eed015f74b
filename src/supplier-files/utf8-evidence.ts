import iconv from 'iconv-lite'

/** A file that was read in another encoding, although its bytes are UTF-8; `right` is one of `characters`, `wrong` what it became. */
export interface Misread {
  encoding: string
  characters: number
  /** Bytes that are not UTF-8: few, where something has damaged the file. */
  broken: number
  right: string
  wrong: string
}

/** So many more characters than broken bytes show that a file is UTF-8 all the same, and at least so many of them. */
const CHARACTERS_TO_BROKEN = 10
const DAMAGED_CHARACTERS_MIN = 5

/** Looks whether bytes that are decoded one by one are UTF-8: text in an encoding of one byte is that by rare chance only. */
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

  /** Null where the bytes are ASCII, or not UTF-8, not even with some damaged. */
  misread(): Misread | null {
    const example = this.#example
    const [encoding, characters, broken] = [this.#encoding, this.#valid, this.#invalid]
    const isDamaged = characters >= DAMAGED_CHARACTERS_MIN && characters >= broken * CHARACTERS_TO_BROKEN
    if (example === undefined || (broken > 0 && !isDamaged)) return null
    return { encoding, characters, broken, right: example.toString('utf8'), wrong: iconv.decode(example, encoding) }
  }
}

/** Whether an encoding reads each byte of UTF-8 as a character. */
export const isByteByByte = (encoding: string): boolean =>
  iconv.encodingExists(encoding) && iconv.decode(Buffer.from([0xc3, 0xa4, 0xc3, 0xb6]), encoding).length === 4
