import { say } from '../../../contract/remarks/remarks.ts'
import { NAME_FIELDS, TEXT_FIELDS, valuesOf, type NameField, type TextField } from '../../../contract/product-fields.ts'
import { isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'
import type { OfferRecord } from '../../model/offer.ts'
import type { Mapping } from '../mapping/mapping.ts'
import { must } from '../../platform/must.ts'

/** The characters to which windows-1252 and ISO 8859-1 decode the continuation bytes of UTF-8, each with its byte. */
const continued = new Map<string, number>()
for (let byte = 0x80; byte < 0xc0; byte++) {
  const sign = iconv.decode(Buffer.from([byte]), 'windows-1252')
  continued.set(String.fromCharCode(byte), byte)
  if (sign !== '\ufffd') continued.set(sign, byte)
}
const PAIR = new RegExp(`[\\u00c2-\\u00f4][${[...continued.keys()].join('')}]{1,3}`)

/** How many characters of a text are checked. */
const LENGTH_MAX = 2_000

const isSuspect = (text: string): boolean => PAIR.test(text.length > LENGTH_MAX ? text.slice(0, LENGTH_MAX) : text)

/** The first character of a text that was encoded twice, as it is written (`Ã¶`) and as it was meant (`ö`); null if there is none. */
export function twiceEncoded(text: string): { wrong: string; right: string } | null {
  const found = PAIR.exec(text.length > LENGTH_MAX ? text.slice(0, LENGTH_MAX) : text)?.[0]
  if (found === undefined) return null
  const first = found.charCodeAt(0)
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2
  const wrong = found.slice(0, length)
  const bytes = Buffer.from([first, ...Array.from(wrong.slice(1), (sign) => must(continued.get(sign)))])
  return bytes.length === length && isUtf8(bytes) ? { wrong, right: bytes.toString('utf8') } : null
}

interface Group {
  count: number
  line: number
  text: string
  wrong: string
  right: string
}

/**
 * Finds texts of offers that were encoded twice before the file was sent, by field. They are imported unchanged, because the original text would
 * be a guess.
 */
export class TwiceEncodedTexts {
  readonly #groups = new Map<string, Group>()
  readonly #names: readonly NameField[]
  readonly #texts: readonly TextField[]

  /** Checks only fields that the mapping fills, and no codes, because this runs for every row. */
  constructor({ fields }: Pick<Mapping, 'fields'>) {
    const mapped = new Set(Object.keys(fields).map((key) => key.split('.', 1)[0]))
    this.#names = NAME_FIELDS.filter((field) => mapped.has(field) && valuesOf(field) === 'text')
    this.#texts = TEXT_FIELDS.filter((field) => mapped.has(field))
  }

  take(line: number, record: OfferRecord): void {
    for (const field of this.#names) {
      const text = record[field]
      if (typeof text === 'string' && isSuspect(text)) this.#note(field, line, text)
    }
    for (const locale in record.texts) {
      const texts = record.texts[locale]
      if (texts === undefined) continue
      for (const field of this.#texts) {
        const text = texts[field]
        if (typeof text === 'string' && isSuspect(text)) this.#note(`${field}.${locale}`, line, text)
      }
    }
  }

  #note(field: string, line: number, text: string): void {
    const found = twiceEncoded(text)
    if (found === null) return
    const group = this.#groups.get(field)
    if (group !== undefined) group.count++
    else this.#groups.set(field, { count: 1, line, text: text.slice(0, 60), ...found })
  }

  warnings(): string[] {
    return Array.from(this.#groups, ([field, { count, line, text, wrong, right }]) =>
      say('encoded_twice', { field, texts: count, wrong, right, example: text, line }),
    )
  }
}
