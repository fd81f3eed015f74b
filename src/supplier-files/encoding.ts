import { analyse } from 'chardet'
import iconv from 'iconv-lite'
import { HTML_ROOT } from './html-root.ts'
import { must } from '../platform/must.ts'

/** A detected encoding. `isCertain`: the file states it. */
export interface FoundEncoding {
  encoding: string
  isCertain: boolean
}

/**
 * The encoding that the first bytes show: by a byte order mark, the zeros of UTF-16, or the declaration of an XML or HTML document.
 * Undefined if they show none.
 */
export function statedEncoding(head: Buffer): FoundEncoding | undefined {
  const mark = head.toString('hex', 0, 4)
  if (mark.startsWith('efbbbf')) return { encoding: 'utf-8', isCertain: true }
  if (mark === 'fffe0000') return { encoding: 'utf-32le', isCertain: true }
  if (mark === '0000feff') return { encoding: 'utf-32be', isCertain: true }
  if (mark.startsWith('fffe')) return { encoding: 'utf-16le', isCertain: true }
  if (mark.startsWith('feff')) return { encoding: 'utf-16be', isCertain: true }
  const wide = wideEncoding(head)
  if (wide !== undefined) return { encoding: wide, isCertain: false }
  const declared =
    /^\s*<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(head.toString('latin1', 0, 400))?.[1] ??
    charsetOfHtml(head.toString('latin1', 0, 2_048))
  // UTF-8 is found without it; one of UTF-16 in bytes that are not UTF-16 was left behind by a conversion
  if (declared === undefined || /^utf-?(?:8|16|32)/i.test(declared) || !iconv.encodingExists(declared)) return undefined
  return { encoding: declared, isCertain: true }
}

/** The charset that an HTML page or table declares. In an XML document such an element may be about something else. */
const charsetOfHtml = (text: string): string | undefined =>
  HTML_ROOT.test(text) ? /<meta\s[^>]{0,200}?charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(text)?.[1] : undefined

/** UTF-16 without a byte order mark: ASCII text in it has a zero in every other byte. */
function wideEncoding(head: Buffer): string | undefined {
  const pairs = Math.floor(head.length / 2)
  if (pairs < 4) return undefined
  let first = 0
  let second = 0
  for (let pair = 0; pair < pairs; pair++) {
    if (head[2 * pair] === 0) first++
    if (head[2 * pair + 1] === 0) second++
  }
  if (second > pairs * 0.6 && first < pairs * 0.05) return 'utf-16le'
  if (first > pairs * 0.6 && second < pairs * 0.05) return 'utf-16be'
  return undefined
}

/** Whether bytes that are not valid UTF-8 are UTF-8 in which a few characters were damaged. */
export function isDamagedUtf8(sample: Buffer): boolean {
  let valid = 0
  let invalid = 0
  for (let at = 0; at < sample.length;) {
    const byte = must(sample[at])
    const more = byte < 0x80 ? 0 : byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : byte >= 0xc2 ? 1 : -1
    let isWhole = more >= 0
    for (let i = 1; i <= more && isWhole; i++) isWhole = ((sample[at + i] ?? 0) & 0xc0) === 0x80
    if (byte >= 0x80) {
      if (isWhole) valid++
      else invalid++
    }
    at += isWhole ? more + 1 : 1
  }
  return valid >= 3 && valid >= invalid * 4
}

/** Single-byte encodings for languages in Latin letters. Of equal scores, the first wins. */
const LATIN = [
  'windows-1252',
  'windows-1250',
  'iso-8859-2',
  'macintosh',
  'windows-1257',
  'windows-1254',
  'cp852',
] as const
const WESTERN = 'äöüßéèêëàâçîïôûùñáíóúãõåøæœýìòÄÖÜÉÈÊÀÂÇÎÔÛÑÁÍÓÚÃÕÅØÆŒÝ'
const CENTRAL = 'äöüßéáíóúâçîôąćęłńśźżčďěňřšťůýžľĺŕőűășțşţëđĄĆĘŁŃŚŹŻČĎĚŇŘŠŤŮÝŽĽŐŰĂŞŢÉÁÍÓÚÄÖÜÂÎÓ'
const LETTERS: Readonly<Record<(typeof LATIN)[number], string>> = {
  'windows-1252': WESTERN,
  macintosh: WESTERN,
  'windows-1250': CENTRAL,
  'iso-8859-2': CENTRAL,
  cp852: CENTRAL,
  'windows-1257': 'äöüõåéóąčęėįšųūžāēģīķļņĄČĘĖĮŠŲŪŽĀĒĢĪĶĻŅÄÖÜÕ',
  'windows-1254': 'ğışçöüâîûĞİŞÇÖÜ',
}
const SIGNS = new Set('–—„“”‘’‚…•®™©°€²³½¼¾×±µ§«»·¡ \u00a0')

/** The encodings of other scripts, as chardet names them. */
const OTHER_SCRIPTS = /^(?:windows-125[13568]|ISO-8859-[5678]|KOI8-R|Shift_JIS|EUC-(?:JP|KR)|Big5|GB18030)$/

/** This many bytes that are not ASCII suffice to detect the language; more only take time, up to half a second for 64 kB. */
const DETECTION_BYTES = 4_000

/** The beginning of a text, up to TELLING_BYTES bytes that are not ASCII. */
function detectionSample(text: Buffer): Buffer {
  let count = 0
  for (let at = 0; at < text.length; at++)
    if (must(text[at]) >= 0x80 && ++count > DETECTION_BYTES) return text.subarray(0, at)
  return text
}

/** The most likely encoding of text that is not UTF-8. */
export function likelyEncoding(text: Buffer): string {
  const sample = detectionSample(text)
  const matches = analyse(sample)
  const [best] = matches
  const latin = LATIN.map((encoding) => ({ encoding, score: latinScore(sample, encoding) }))
  const family = matches.find(({ name }) => /^(?:ISO-8859-[12]|windows-125[02])$/.test(name))
  for (const candidate of latin) {
    const isCentral = LETTERS[candidate.encoding] === CENTRAL
    // chardet recognizes the languages of both families by their syllables, but cannot tell that bytes are those of Mac or DOS
    if (family !== undefined && /2$|1250$/.test(family.name.replace('1252', '1')) === isCentral)
      candidate.score += 0.4 * (family.confidence / 100)
  }
  const first = latin.reduce((a, b) => (b.score > a.score + 1e-9 ? b : a))
  // a byte without a meaning rules out a single-byte encoding; in multi-byte ones the sample may end within a character
  const isRead = (name: string) => !/^(?:ISO|windows)/.test(name) || !iconv.decode(sample, name).includes('\ufffd')
  if (best !== undefined && OTHER_SCRIPTS.test(best.name) && best.confidence >= 30 && first.score < 0.75)
    if (isRead(best.name)) return best.name.toLowerCase()
  // chardet recognizes Russian and Bulgarian by their syllables, and hardly Ukrainian
  if (best !== undefined && CYRILLIC.test(best.name) && cyrillicShare(iconv.decode(sample, best.name)) >= CYRILLIC_MIN)
    return best.name.toLowerCase()
  // short texts have too few syllables, but read as Latin letters, theirs would stand side by side as in no language
  if (first.score < 0.75 && cyrillicShare(iconv.decode(sample, 'windows-1251')) >= CYRILLIC_MIN) return 'windows-1251'
  return first.encoding
}

const CYRILLIC = /^(?:windows-1251|ISO-8859-5|KOI8-R)$/
const CYRILLIC_MIN = 0.9

/**
 * The share, 0 to 1, of the characters that are not ASCII and stand in Cyrillic words: next to another Cyrillic letter, and not as a
 * capital after a small letter.
 */
function cyrillicShare(text: string): number {
  const isCyrillic = (sign: string | undefined) => sign !== undefined && sign >= '\u0400' && sign <= '\u04ff'
  let count = 0
  let inWords = 0
  for (let i = 0; i < text.length; i++) {
    const sign = text.charAt(i)
    if (sign < '\x80' || SIGNS.has(sign)) continue
    count++
    const before = text[i - 1]
    const isWrongCase = sign !== sign.toLowerCase() && before !== undefined && before !== before.toUpperCase()
    if (isCyrillic(sign) && (isCyrillic(before) || isCyrillic(text[i + 1])) && !isWrongCase) inWords++
  }
  return count === 0 ? 0 : inWords / count
}

/** How much of the text that is not ASCII looks like words in the languages of an encoding: at most 1, and below 0 if it does not. */
function latinScore(sample: Buffer, encoding: (typeof LATIN)[number]): number {
  const text = iconv.decode(sample, encoding)
  const letters = LETTERS[encoding]
  let count = 0
  let score = 0
  for (let i = 0; i < text.length; i++) {
    const sign = text.charAt(i)
    if (sign < '\x80') continue
    count++
    const [before, after] = [text[i - 1] ?? ' ', text[i + 1] ?? ' ']
    const isWithin = /\p{L}/u.test(before) && /\p{L}/u.test(after)
    if (letters.includes(sign)) {
      const isUpper = sign !== sign.toLowerCase()
      // a capital after a small letter shows a wrong encoding, and words without ASCII letters another script
      score += isUpper && /\p{Ll}/u.test(before) ? -1 : /[a-z]/i.test(before + after) ? 1 : 0.3
    } else if (SIGNS.has(sign)) score += isWithin ? -0.5 : 0.7
    else if (/[\u0080-\u009f\ufffd]/.test(sign)) score -= 2
    else score -= /\p{L}/u.test(sign) ? 0.3 : 1
  }
  return count === 0 ? 0 : score / count
}
