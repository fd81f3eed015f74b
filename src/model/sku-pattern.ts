import transliterate from 'any-ascii'
import { must } from '../platform/must.ts'

// The template of an account's exported SKU, such as `{supplier_code|upper}-{supplier_sku}`. It is parsed once and applied to up
// to a million products.

export interface SkuParts {
  /** Product id. */
  id: number
  /** The product's own SKU. */
  sku: string | null
  supplierCode: string | null
  supplierSku: string | null
  ean: string | null
  manufacturer: string | null
  /** Path, levels joined by `/`. */
  category: string | null
}

export interface SkuFault {
  /** Index into the pattern, from 0. */
  at: number
  reason: string
}

/** How a placeholder got its text, for `explain`. */
export interface SkuStep {
  placeholder: string
  /** Before transformations; for the checksum, the text that it is computed from. */
  value: string | null
  /** null: the placeholder has no text. */
  result: string | null
}

export interface BuiltSku {
  sku: string | null
  /** Why there is no SKU: the first placeholder without text, or `too_long`; null if there is one. */
  missing: string | null
  steps: readonly SkuStep[]
}

type Read = (parts: SkuParts) => string | null
type Transformation = (text: string | null) => string | null

type Piece =
  | { kind: 'text'; text: string }
  | { kind: 'part'; name: string; read: Read; transformations: readonly Transformation[] }
  | { kind: 'checksum' }

/** A parsed template without faults. */
export interface SkuPattern {
  readonly pieces: readonly Piece[]
}

/** The maximum length of a pattern and of a SKU, in code points. */
const LENGTH_MAX = 200
const PLACEHOLDERS_MAX = 20
const CHECKSUM = 'checksum'

const PARTS: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['id', (parts) => String(parts.id)],
  ['sku', (parts) => parts.sku],
  ['supplier_code', (parts) => parts.supplierCode],
  ['supplier_sku', (parts) => parts.supplierSku],
  ['ean', (parts) => parts.ean],
  ['manufacturer', (parts) => parts.manufacturer],
  ['category', (parts) => lastLevel(parts.category)],
  ['category_path', (parts) => parts.category],
])

/** The last level of a category path: `Hand tools` of `Tools/Hand tools`. Empty levels do not count. */
function lastLevel(path: string | null): string | null {
  if (path === null) return null
  let end = path.length
  while (end > 0) {
    const slash = path.lastIndexOf('/', end - 1)
    const level = path.slice(slash + 1, end).trim()
    if (level !== '') return level
    end = slash
  }
  return ''
}

/** Letters that Unicode does not decompose into a base letter and a combining mark. */
const LETTERS: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['ẞ', 'SS'],
  ['ł', 'l'],
  ['Ł', 'L'],
  ['ø', 'o'],
  ['Ø', 'O'],
  ['æ', 'ae'],
  ['Æ', 'AE'],
  ['œ', 'oe'],
  ['Œ', 'OE'],
  ['đ', 'd'],
  ['Đ', 'D'],
  ['ð', 'd'],
  ['Ð', 'D'],
  ['þ', 'th'],
  ['Þ', 'TH'],
  ['ħ', 'h'],
  ['Ħ', 'H'],
  ['ŧ', 't'],
  ['Ŧ', 'T'],
  ['ŋ', 'ng'],
  ['Ŋ', 'NG'],
  ['ı', 'i'],
  ['ȷ', 'j'],
  ['ĸ', 'k'],
])
const ANY_LETTER = new RegExp(`[${[...LETTERS.keys()].join('')}]`, 'g')
const NOT_ASCII = /\P{ASCII}/u

/** Decomposes the text and replaces LETTERS, in this order because ǿ decomposes into ø, which is one of LETTERS, and a mark. */
function fold(text: string): string {
  return text.normalize('NFKD').replace(ANY_LETTER, (letter) => must(LETTERS.get(letter)))
}

function toAscii(text: string): string {
  return NOT_ASCII.test(text) ? fold(text).replace(/\P{ASCII}+/gu, '') : text
}

/**
 * ASCII letters and digits only. Latin letters lose their marks, as with `ascii`; letters and digits of other scripts are
 * transliterated, dropping results that are neither (the Russian soft sign, tones).
 */
function toAlnum(text: string): string {
  if (!NOT_ASCII.test(text)) return onlyAlnum(text)
  const ascii = text
    .normalize('NFC')
    .replace(/[\p{L}\p{N}]\p{M}*/gu, (letter) => toAscii(letter) || transliterate(letter))
  return onlyAlnum(ascii)
}

const onlyAlnum = (text: string) => text.replace(/[^A-Za-z0-9]+/g, '')

/** Drops combining marks and invisible characters; any other run of characters outside a-z and 0-9 becomes a dash. */
function toSlug(text: string): string {
  const folded = NOT_ASCII.test(text) ? fold(text).replace(/[\p{M}\p{Cf}]+/gu, '') : text
  return folded
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

const SURROGATE = /[\ud800-\udfff]/

// A code point is one or two UTF-16 units, so 2 * count units always contain `count` of them. Most texts have no surrogate
// pairs, and slicing by units is far cheaper.
function first(text: string, count: number): string {
  if (text.length <= count) return text
  const head = text.slice(0, 2 * count)
  return SURROGATE.test(head) ? Array.from(head).slice(0, count).join('') : head.slice(0, count)
}

function last(text: string, count: number): string {
  if (text.length <= count) return text
  const tail = text.slice(-2 * count)
  return SURROGATE.test(tail) ? Array.from(tail).slice(-count).join('') : tail.slice(-count)
}

function pad(text: string, count: number): string {
  if (text.length >= 2 * count) return text
  const length = SURROGATE.test(text) ? Array.from(text).length : text.length
  return '0'.repeat(Math.max(0, count - length)) + text
}

const PLAIN: ReadonlyMap<string, (text: string) => string> = new Map<string, (text: string) => string>([
  ['upper', (text) => text.toUpperCase()],
  ['lower', (text) => text.toLowerCase()],
  ['trim', (text) => text.trim()],
  ['ascii', toAscii],
  ['alnum', toAlnum],
  ['az09', onlyAlnum],
  ['slug', toSlug],
  ['digits', (text) => text.replace(/[^0-9]+/g, '')],
])

const COUNTED: ReadonlyMap<string, { max: number; transform: (text: string, count: number) => string }> = new Map([
  ['first', { max: LENGTH_MAX, transform: first }],
  ['last', { max: LENGTH_MAX, transform: last }],
  ['pad', { max: 50, transform: pad }],
])

const KNOWN_PARTS = [...PARTS.keys()].join(', ')
const KNOWN_TRANSFORMATIONS = [
  ...PLAIN.keys(),
  ...Array.from(COUNTED.keys(), (name) => `${name}:N`),
  'default:TEXT',
].join(', ')

/** Parses a template. Reports all faults by position; for a template that is too long, those in its first 200 characters. */
export function parseSkuPattern(text: string): { pattern: SkuPattern } | { faults: SkuFault[] } {
  if (text === '') return { faults: [{ at: 0, reason: 'is empty' }] }
  const head = first(text, LENGTH_MAX)
  const isCut = head.length < text.length
  const { pieces, places, faults } = scan(head, isCut)
  if (isCut) faults.push({ at: head.length, reason: `has more than ${LENGTH_MAX} characters` })
  const broken = head.search(/[\p{Cc}\p{Cs}]/u)
  if (broken >= 0) faults.push({ at: broken, reason: 'contains a control character or half a surrogate pair' })

  const surplus = places[PLACEHOLDERS_MAX]
  if (surplus !== undefined) faults.push({ at: surplus.at, reason: `has more than ${PLACEHOLDERS_MAX} placeholders` })
  for (const { at } of places.filter(({ name }) => name === CHECKSUM).slice(1))
    faults.push({ at, reason: 'a second checksum; only one is allowed' })
  // only if there are no other faults: a misspelled or unclosed placeholder is reported itself, and the part cut off may contain
  // one
  if (faults.length === 0 && places.every(({ name }) => name === CHECKSUM)) {
    faults.push({
      at: 0,
      reason: `has no placeholder, so every product would have the same SKU; the placeholders are ${KNOWN_PARTS}`,
    })
  }
  faults.sort((a, b) => a.at - b.at)
  return faults.length > 0 ? { faults } : { pattern: { pieces } }
}

interface Scan {
  pieces: Piece[]
  /** Every closed placeholder, valid or not. */
  places: { at: number; name: string }[]
  faults: SkuFault[]
}

function scan(text: string, isCut: boolean): Scan {
  const made: Scan = { pieces: [], places: [], faults: [] }
  let plain = ''
  const endText = () => {
    if (plain !== '') made.pieces.push({ kind: 'text', text: plain })
    plain = ''
  }
  let at = 0
  while (at < text.length) {
    const sign = text.charAt(at)
    if (sign !== '{' && sign !== '}') {
      plain += sign
      at++
    } else if (text.charAt(at + 1) === sign) {
      plain += sign
      at += 2
    } else if (sign === '}') {
      // at the end of a cut text this may be the first half of }}
      if (!isCut || at + 1 < text.length)
        made.faults.push({ at, reason: 'a } without a {; a literal one is written }}' })
      at++
    } else {
      const end = text.indexOf('}', at)
      const next = text.indexOf('{', at + 1)
      if (end >= 0 && (next < 0 || end < next)) {
        endText()
        readPlaceholder(text.slice(at + 1, end), at + 1, made)
        at = end + 1
      } else {
        // in a cut text, the last placeholder may be closed after the cut
        if (!isCut || next >= 0) made.faults.push({ at, reason: 'a { without a }; a literal one is written {{' })
        at = next < 0 ? text.length : next
      }
    }
  }
  endText()
  return made
}

function readPlaceholder(inner: string, at: number, made: Scan): void {
  const [name = '', ...texts] = inner.split('|')
  made.places.push({ at, name })
  if (name === CHECKSUM) {
    if (texts.length > 0) made.faults.push({ at: at + name.length + 1, reason: 'the checksum takes no transformation' })
    made.pieces.push({ kind: 'checksum' })
    return
  }
  const read = PARTS.get(name)
  if (read === undefined)
    made.faults.push({ at, reason: `"${name}" is not a placeholder; the placeholders are ${KNOWN_PARTS}, ${CHECKSUM}` })
  const transformations: Transformation[] = []
  let place = at + name.length + 1
  for (const text of texts) {
    const parsed = parseTransformation(text)
    if (typeof parsed === 'string') made.faults.push({ at: place, reason: parsed })
    else transformations.push(parsed)
    place += text.length + 1
  }
  if (read !== undefined) made.pieces.push({ kind: 'part', name, read, transformations })
}

/**
 * Parses a transformation. @returns a text if it is invalid: the reason. Only `default` gives a missing or empty value a text.
 */
function parseTransformation(text: string): Transformation | string {
  const colon = text.indexOf(':')
  const name = colon < 0 ? text : text.slice(0, colon)
  const argument = colon < 0 ? null : text.slice(colon + 1)
  if (name === 'default') {
    if (argument === null || argument === '') return 'default takes a string, such as default:X'
    return (value) => (value === null || value === '' ? argument : value)
  }
  const counted = COUNTED.get(name)
  if (counted !== undefined) {
    const { max, transform } = counted
    const count = argument !== null && /^\d{1,3}$/.test(argument) ? Number(argument) : 0
    if (count < 1 || count > max) return `${name} takes a number from 1 to ${max}, such as ${name}:3`
    // an empty value is not padded: every product without the part would get the same zeros
    return (value) => (value === null || value === '' ? value : transform(value, count))
  }
  const transform = PLAIN.get(name)
  if (transform === undefined)
    return `"${name}" is not a transformation; the transformations are ${KNOWN_TRANSFORMATIONS}`
  if (argument !== null) return `${name} takes no argument`
  return (value) => (value === null ? null : transform(value))
}

const NO_STEPS: readonly SkuStep[] = Object.freeze([])

/**
 * Builds the SKU of one product. It is null if a part has no text after its transformations (`missing` names the first one), or
 * if it would be longer than 200 characters (`too_long`). Never throws. A SKU is well-formed and never empty: every pattern has
 * a part, and a part without text makes no SKU.
 * @param explain whether to fill `steps`
 */
export function buildSku(pattern: SkuPattern, parts: SkuParts, explain = false): BuiltSku {
  const steps: SkuStep[] = []
  let missing: string | null = null
  let before = ''
  /** The text after the checksum; null until the checksum is reached. */
  let after: string | null = null
  for (const piece of pattern.pieces) {
    if (piece.kind === 'checksum') {
      after = ''
      continue
    }
    let text: string | null
    if (piece.kind === 'text') text = piece.text
    else {
      // lone surrogates become U+FFFD here, so that transformations need not handle them
      const value = piece.read(parts)?.toWellFormed() ?? null
      text = value
      for (const transform of piece.transformations) text = transform(text)
      if (text === '') text = null
      if (explain) steps.push({ placeholder: piece.name, value, result: text })
      if (text === null) {
        if (!explain) return { sku: null, missing: piece.name, steps: NO_STEPS }
        missing ??= piece.name
        continue
      }
    }
    if (after === null) before += text
    else after += text
  }
  let sku = before
  if (after !== null) {
    const rest = missing === null ? before + after : null
    const check = rest === null ? null : checkCharacter(rest)
    if (explain) steps.push({ placeholder: CHECKSUM, value: rest, result: check })
    if (check === null) missing ??= CHECKSUM
    else sku = before + check + after
  }
  if (missing === null && first(sku, LENGTH_MAX).length < sku.length) missing = 'too_long'
  return { sku: missing === null ? sku : null, missing, steps: explain ? steps : NO_STEPS }
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/**
 * The check character of ISO/IEC 7064, MOD 37,36, over the characters 0-9 and A-Z; null if there are none. ASCII letters count
 * in either case. All other characters are skipped, including ß: a program that verifies a SKU would not read it as SS. It
 * detects every single wrong character, and a swap of two neighbouring characters, except for one of the 36 intermediate values
 * if the two are adjacent in the alphabet (3 and 4, or Z and 0).
 */
function checkCharacter(text: string): string | null {
  let product = 36
  let isEmpty = true
  for (let i = 0; i < text.length; i++) {
    const value = valueOf(text.charCodeAt(i))
    if (value < 0) continue
    isEmpty = false
    const sum = (product + value) % 36
    product = ((sum === 0 ? 36 : sum) * 2) % 37
  }
  return isEmpty ? null : ALPHABET.charAt((37 - product) % 36)
}

function valueOf(code: number): number {
  if (code >= 48 && code <= 57) return code - 48
  if (code >= 65 && code <= 90) return code - 55
  if (code >= 97 && code <= 122) return code - 87
  return -1
}
