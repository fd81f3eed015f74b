import { isKnownName } from './column-names.ts'
import { memberText } from '../rows.ts'
import { tablesBeside } from '../side-by-side.ts'
import { isAmount, isGtin } from './value-kinds.ts'

/** So many cells of a record are looked at for known names. */
const CELLS_MAX = 300

interface Candidate {
  line: number
  filled: number
  known: number
  hasNumbers: boolean
}

/**
 * The line of the record that names the columns, among the first records of a table: the one with most known names; or else the first
 * one that is as wide as most others and has no numbers.
 * @returns undefined when there are no records
 */
export function headerAmong(records: readonly { line: number; cells: readonly unknown[] }[]): number | undefined {
  const candidates = records.map(({ line, cells }) => {
    const texts = cells.map(memberText).filter((text) => text !== '')
    return {
      line,
      filled: texts.length,
      known: texts.slice(0, CELLS_MAX).filter(isKnownName).length,
      hasNumbers: texts.some((text) => /^[\d.,\s%€$£-]+$/.test(text)),
    }
  })
  const usual = candidates.map(({ filled }) => filled).toSorted((a, b) => a - b)[Math.floor(candidates.length / 2)] ?? 0
  // a line that names a part of the columns stands above or below the one that names them
  for (const among of [candidates.filter(({ filled }) => filled >= usual * WIDE), candidates]) {
    const mostKnown = Math.max(0, ...among.map(({ known }) => known))
    if (mostKnown >= 2) return lastOf(candidates, among, mostKnown)
  }
  const first = candidates[0]
  if (first === undefined || first.filled >= usual) return first?.line
  const widest = candidates.find(({ filled, hasNumbers }) => filled >= usual && !hasNumbers)
  const wide = widest ?? candidates.find(({ filled, hasNumbers }) => filled >= usual * NEARLY && !hasNumbers)
  return wide?.line ?? first.line
}

/** The share of the usual cells that a header has at least: some columns have no name. */
const NEARLY = 0.75

/** The share of the usual cells from which a line may name all columns. */
const WIDE = 0.6

/** The least share of the known names of a header that a second line below it has, which names the columns once more. */
const AGAIN_SHARE = 0.4

/** Where columns are named in two lines, as with labels and technical names, the second one counts: what follows it is an article. */
function lastOf(candidates: readonly Candidate[], among: readonly Candidate[], mostKnown: number): number | undefined {
  const first = candidates.findIndex((one) => among.includes(one) && one.known === mostKnown)
  const next = candidates[first + 1]
  const isAgain = next !== undefined && next.known >= Math.max(3, mostKnown * AGAIN_SHARE) && !next.hasNumbers
  return (isAgain ? next : candidates[first])?.line
}

/** How many cells of a record are known names of columns: for a table more than two. */
export const knownNames = (cells: readonly unknown[]): number =>
  cells.slice(0, CELLS_MAX).filter((cell) => isKnownName(memberText(cell))).length

/** What a cell has that no name of a column is. Short numbers may be sizes, and four digits a year, which name columns. */
const VALUE_KINDS: readonly ((text: string) => boolean)[] = [
  (text) => /^https?:\/\//i.test(text),
  // numbers of articles
  (text) => /^(?=(?:\D*\d){4})[\p{L}\d./-]{5,20}$/u.test(text) || isGtin(text),
  (text) => /^\D{0,3}\d[\d .]*[.,]\d{1,4}\D{0,5}$/.test(text) && isAmount(text),
]
/** So many records show what a column has, and this share of them has it. */
const RECORDS_OF_VALUES_MIN = 3
const VALUES_SHARE = 0.8

/**
 * Whether a table has no line with the names of its columns: its first record has what the records below it have in the same places, such as
 * prices, addresses and numbers of articles, and no name that is known.
 */
export function hasNoHeader(records: readonly { line: number; cells: readonly unknown[] }[]): boolean {
  const [first, ...rest] = records.map(({ cells }) => cells.slice(0, CELLS_MAX).map(memberText))
  if (first === undefined || rest.length < RECORDS_OF_VALUES_MIN) return false
  if (records.some(({ cells }) => knownNames(cells) >= 2)) return false
  const isOfValues = (text: string, place: number) =>
    VALUE_KINDS.some(
      (isOne) => isOne(text) && rest.filter((cells) => isOne(cells[place] ?? '')).length >= rest.length * VALUES_SHARE,
    )
  // a place may be called like a column, as `Lager`: then more than one cell has to be a value
  if (first.some(isKnownName)) return first.filter(isOfValues).length >= 2
  return first.some(isOfValues) || isNameAndNumber([first, ...rest])
}

/** Whether each record is a text and a whole number, as in a list of articles and prices. Sizes, which name columns, are several. */
function isNameAndNumber(records: readonly (readonly string[])[]): boolean {
  if (records.length < RECORDS_OF_TWO_MIN || records[0]?.length !== 2) return false
  return [0, 1].some((place) =>
    records.every(
      (cells) => cells.length === 2 && /^\d{1,7}$/.test(cells[place] ?? '') && /\p{L}{2}/u.test(cells[1 - place] ?? ''),
    ),
  )
}
const RECORDS_OF_TWO_MIN = 5

/**
 * Whether the names of columns are in two records, one above the other: texts alone, which name more columns together than each of them, and as many as most
 * records have cells.
 * @param line that of the record that was taken for the header
 * @returns the line of the upper one of them
 */
export function upperHeader(
  records: readonly { line: number; cells: readonly unknown[] }[],
  line: number,
): number | undefined {
  const at = records.findIndex((record) => record.line === line)
  const texts = records.map(({ cells }) => cells.slice(0, CELLS_MAX).map(memberText))
  const filled = (place: number) => texts[place]?.filter((text) => text !== '').length ?? 0
  const isNames = (place: number) => filled(place) >= 2 && texts[place]?.some(isOfArticle) === false
  for (const upper of [at, at - 1]) {
    const rest = texts.slice(upper + 2).map((_, i) => filled(upper + 2 + i))
    if (upper < 0 || !isNames(upper) || !isNames(upper + 1) || rest.length === 0) continue
    // what stands above tables side by side is the title of each
    const below = texts[upper + 1]?.map((text, place) => text || `#${place + 1}`) ?? []
    if (tablesBeside(below) !== undefined || new Set(below).size < below.length - 1) continue
    if (isBelowEachName(texts[upper] ?? [], texts[upper + 1] ?? [])) continue
    const width = Math.max(texts[upper]?.length ?? 0, texts[upper + 1]?.length ?? 0)
    const isNamed = (row: number, place: number) => (texts[row]?.[place] ?? '') !== ''
    const both = Array.from({ length: width }, (_, i) => isNamed(upper, i) || isNamed(upper + 1, i)).filter(
      Boolean,
    ).length
    const usual = rest.toSorted((a, b) => a - b)[Math.floor(rest.length / 2)] ?? 0
    // one of them alone would name too few
    const alone = Math.max(filled(upper), filled(upper + 1))
    if (both > alone && usual > alone * NEARLY && usual >= both * WIDE) return records[upper]?.line
  }
  return undefined
}

/** What the cells of an article have, and no name of a column that is to be there in the next file, too. */
const isOfArticle = (text: string) =>
  text !== '' &&
  (/^[\d.,\s%€$£-]+$/.test(text) ||
    /\d{1,4}[./-]\d{1,2}[./-]\d{1,4}/.test(text) ||
    isNumber(text) ||
    VALUE_KINDS.some((isOne) => isOne(text)))

/**
 * Whether the lower one of two lines has cells below names that stand above one column, as an article has: below `Price` there are `net` and `gross`. A line
 * of known names is none.
 */
function isBelowEachName(upper: readonly string[], lower: readonly string[]): boolean {
  const isMerged = (place: number) => (upper[place + 1] ?? '') === '' && (lower[place + 1] ?? '') !== ''
  const below = lower.filter((text, place) => text !== '' && (upper[place] ?? '') !== '' && !isMerged(place))
  const known = lower.filter(isKnownName).length
  return below.length > 0 && known * 2 < lower.filter((text) => text !== '').length
}

const isNumber = (text: string) => /\d/.test(text) && isAmount(text)

/**
 * Whether records that are shorter than the header lack empty cells at their end, and are not broken: what is a number in most records is one, or empty, in
 * each of them.
 * @param records the header and what follows it
 */
export function hasShortRows(records: readonly { cells: readonly unknown[] }[]): boolean {
  const [header = [], ...rows] = records.map(({ cells }) => cells.slice(0, CELLS_MAX).map(memberText))
  const short = rows.filter(({ length }) => length < header.length)
  if (short.length < SHORT_ROWS_MIN || rows.some(({ length }) => length > header.length)) return false
  // where no row has all columns, the header has to be that of a wide export
  if (short.length === rows.length && header.length < WIDE_HEADER) return false
  const least = Math.min(...short.map(({ length }) => length))
  const full = rows.filter(({ length }) => length === header.length)
  const shown = full.length >= SHORT_ROWS_MIN ? full : rows
  /** The share of numbers in a column; undefined where most rows have nothing in it. */
  const numbersAt = (place: number) => {
    const values = shown.map((row) => row[place] ?? '').filter((text) => text !== '')
    return values.length < shown.length * 0.5 ? undefined : values.filter(isNumber).length / values.length
  }
  const shares = header.map((_, place) => numbersAt(place))
  const isWhole = (row: readonly string[]) =>
    row.every((text, place) => {
      const numbers = shares[place]
      if (text === '' || numbers === undefined) return true
      return isNumber(text) ? numbers > 1 - NUMBERS_SHARE : numbers < NUMBERS_SHARE
    }) && row.some((text, place) => isNumber(text) && (shares[place] ?? 0) >= NUMBERS_SHARE)
  return least >= 2 && short.every(isWhole)
}
const SHORT_ROWS_MIN = 2
const WIDE_HEADER = 8
const NUMBERS_SHARE = 0.9
