import { analyse } from 'chardet'
import iconv from 'iconv-lite'
import { HTML_ROOT } from './html-root.ts'
import { must } from '../platform/must.ts'

/** An encoding that was found, and why. `isCertain`: the file says so itself. */
export interface FoundEncoding {
  encoding: string
  isCertain: boolean
}

/** What the first bytes say of the encoding: a byte order mark, the zeros of UTF-16, or the declaration of an XML document. */
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
  // a declaration of UTF-16 in bytes that are none was left behind by a conversion
  if (declared === undefined || /^utf-?(?:8|16|32)/i.test(declared) || !iconv.encodingExists(declared)) return undefined
  return { encoding: declared, isCertain: true }
}

/** What a page or a table in HTML says of itself; in a document of XML, it is a text of an element that says so of something else. */
const charsetOfHtml = (text: string): string | undefined =>
  HTML_ROOT.test(text) ? /<meta\s[^>]{0,200}?charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(text)?.[1] : undefined

/** UTF-16 without a mark: text of ASCII has a zero in every other byte. */
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

/** Whether bytes that are not valid UTF-8 are that all the same, but for some that were damaged. */
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

/** Encodings of one byte for languages in Latin letters. The first of equals is taken. */
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

/** What other scripts are taken for by the library that knows their languages. */
const OTHER_SCRIPTS = /^(?:windows-125[13568]|ISO-8859-[5678]|KOI8-R|Shift_JIS|EUC-(?:JP|KR)|Big5|GB18030)$/

/** So many bytes that are not ASCII tell the languages apart; more of them take time alone, up to half a second for 64 kB. */
const TELLING_BYTES = 4_000

/** The beginning of a text, up to so many bytes that are not ASCII. */
function telling(text: Buffer): Buffer {
  let count = 0
  for (let at = 0; at < text.length; at++)
    if (must(text[at]) >= 0x80 && ++count > TELLING_BYTES) return text.subarray(0, at)
  return text
}

/** The most likely encoding of text that is not UTF-8. */
export function likelyEncoding(text: Buffer): string {
  const sample = telling(text)
  const matches = analyse(sample)
  const [best] = matches
  const latin = LATIN.map((encoding) => ({ encoding, score: latinScore(sample, encoding) }))
  const family = matches.find(({ name }) => /^(?:ISO-8859-[12]|windows-125[02])$/.test(name))
  for (const candidate of latin) {
    const isCentral = LETTERS[candidate.encoding] === CENTRAL
    // the library knows the languages of both families by their syllables, but not which bytes Mac and DOS wrote
    if (family !== undefined && /2$|1250$/.test(family.name.replace('1252', '1')) === isCentral)
      candidate.score += 0.4 * (family.confidence / 100)
  }
  const first = latin.reduce((a, b) => (b.score > a.score + 1e-9 ? b : a))
  // a byte without meaning shows that a table of letters is another one; texts in signs of several bytes may be cut
  const isRead = (name: string) => !/^(?:ISO|windows)/.test(name) || !iconv.decode(sample, name).includes('\ufffd')
  if (best !== undefined && OTHER_SCRIPTS.test(best.name) && best.confidence >= 30 && first.score < 0.75)
    if (isRead(best.name)) return best.name.toLowerCase()
  // of Cyrillic texts the library knows Russian and Bulgarian ones by their syllables, and Ukrainian ones hardly
  if (best !== undefined && CYRILLIC.test(best.name) && cyrillicShare(iconv.decode(sample, best.name)) >= CYRILLIC_MIN)
    return best.name.toLowerCase()
  // short texts have too few syllables, and yet letters that are beside each other in no language of Latin letters
  if (first.score < 0.75 && cyrillicShare(iconv.decode(sample, 'windows-1251')) >= CYRILLIC_MIN) return 'windows-1251'
  return first.encoding
}

const CYRILLIC = /^(?:windows-1251|ISO-8859-5|KOI8-R)$/
const CYRILLIC_MIN = 0.9

/** How many of the signs that are not ASCII are letters of Cyrillic words: beside another one, and no capital behind a small letter. */
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

/** How much of what is not ASCII looks like words in the languages of an encoding: at most 1. */
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
      // a capital within a word of small letters is a wrong reading, and words without letters of ASCII are of another script
      score += isUpper && /\p{Ll}/u.test(before) ? -1 : /[a-z]/i.test(before + after) ? 1 : 0.3
    } else if (SIGNS.has(sign)) score += isWithin ? -0.5 : 0.7
    else if (/[\u0080-\u009f\ufffd]/.test(sign)) score -= 2
    else score -= /\p{L}/u.test(sign) ? 0.3 : 1
  }
  return count === 0 ? 0 : score / count
}
