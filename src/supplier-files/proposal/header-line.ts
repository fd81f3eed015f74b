import { isKnownName } from './column-names.ts'
import { memberText } from '../rows.ts'
import { sideBySideTables } from '../side-by-side.ts'
import { isAmount, isGtin } from './value-kinds.ts'

/** How many cells of a record are examined. */
const CELLS_MAX = 300

interface Candidate {
  line: number
  filled: number
  known: number
  hasNumbers: boolean
}

/**
 * The line of the record with the column names, among the first records of a table: the one with most known names; without any, the first one that is
 * as wide as most others and has no numbers.
 * @returns undefined if there are no records
 */
export function findHeaderLine(records: readonly { line: number; cells: readonly unknown[] }[]): number | undefined {
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
  // a line that names only some of the columns is above or below the one that names all
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

/** The least share of the usual number of cells that a header has. Some columns have no name. */
const NEARLY = 0.75

/** The share of the usual number of cells from which a line may name all columns. */
const WIDE = 0.6

/** The least share of a header's known names that a second line below has if it names the columns again. */
const AGAIN_SHARE = 0.4

/** The second of two lines that name the columns, as with labels and technical names, because articles follow it; otherwise the first. */
function lastOf(candidates: readonly Candidate[], among: readonly Candidate[], mostKnown: number): number | undefined {
  const first = candidates.findIndex((one) => among.includes(one) && one.known === mostKnown)
  const next = candidates[first + 1]
  const isAgain = next !== undefined && next.known >= Math.max(3, mostKnown * AGAIN_SHARE) && !next.hasNumbers
  return (isAgain ? next : candidates[first])?.line
}

/** How many cells of a record are known column names. */
export const knownNames = (cells: readonly unknown[]): number =>
  cells.slice(0, CELLS_MAX).filter((cell) => isKnownName(memberText(cell))).length

/** Kinds of values that no column name has. Short numbers are left out because sizes, and years, name columns. */
const VALUE_KINDS: readonly ((text: string) => boolean)[] = [
  (text) => /^https?:\/\//i.test(text),
  // article numbers
  (text) => /^(?=(?:\D*\d){4})[\p{L}\d./-]{5,20}$/u.test(text) || isGtin(text),
  (text) => /^\D{0,3}\d[\d .]*[.,]\d{1,4}\D{0,5}$/.test(text) && isAmount(text),
]
/** The least number of records that show the kind of a column's values, and the least share of them that has it. */
const RECORDS_OF_VALUES_MIN = 3
const VALUES_SHARE = 0.8

/**
 * Whether a table has no line with column names: its first record has the same kinds of values as the records below it, such as prices, addresses and
 * article numbers, and no record has several known names.
 */
export function hasNoHeader(records: readonly { line: number; cells: readonly unknown[] }[]): boolean {
  const [first, ...rest] = records.map(({ cells }) => cells.slice(0, CELLS_MAX).map(memberText))
  if (first === undefined || rest.length < RECORDS_OF_VALUES_MIN) return false
  if (records.some(({ cells }) => knownNames(cells) >= 2)) return false
  const isOfValues = (text: string, place: number) =>
    VALUE_KINDS.some(
      (isOne) => isOne(text) && rest.filter((cells) => isOne(cells[place] ?? '')).length >= rest.length * VALUES_SHARE,
    )
  // a value may be a known name, as the place `Lager`: then at least two cells must be of a kind
  if (first.some(isKnownName)) return first.filter(isOfValues).length >= 2
  return first.some(isOfValues) || isNameAndNumber([first, ...rest])
}

/** Whether each record is a text and a whole number, as in a list of articles and prices. A header with sizes would have several numbers. */
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
 * Finds column names in two records, one above the other: only texts, which together name more columns than either alone, and about as many as most
 * records have cells.
 * @param line of the record that was taken for the header
 * @returns the line of the upper one; undefined if there are not two
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
    // texts above tables side by side are their titles
    const below = texts[upper + 1]?.map((text, place) => text || `#${place + 1}`) ?? []
    if (sideBySideTables(below) !== undefined || new Set(below).size < below.length - 1) continue
    if (isBelowEachName(texts[upper] ?? [], texts[upper + 1] ?? [])) continue
    const width = Math.max(texts[upper]?.length ?? 0, texts[upper + 1]?.length ?? 0)
    const isNamed = (row: number, place: number) => (texts[row]?.[place] ?? '') !== ''
    const both = Array.from({ length: width }, (_, i) => isNamed(upper, i) || isNamed(upper + 1, i)).filter(
      Boolean,
    ).length
    const usual = rest.toSorted((a, b) => a - b)[Math.floor(rest.length / 2)] ?? 0
    // either of them alone would name too few columns
    const alone = Math.max(filled(upper), filled(upper + 1))
    if (both > alone && usual > alone * NEARLY && usual >= both * WIDE) return records[upper]?.line
  }
  return undefined
}

/** Whether a text is a value of an article, and no column name that would be in the next file, too. */
const isOfArticle = (text: string) =>
  text !== '' &&
  (/^[\d.,\s%€$£-]+$/.test(text) ||
    /\d{1,4}[./-]\d{1,2}[./-]\d{1,4}/.test(text) ||
    isNumber(text) ||
    VALUE_KINDS.some((isOne) => isOne(text)))

/**
 * Whether the lower of two lines has cells below names that span a single column, as an article has; in a header, `net` and `gross` are below a
 * `Price` that spans both. Lines with many known names are headers.
 */
function isBelowEachName(upper: readonly string[], lower: readonly string[]): boolean {
  const isMerged = (place: number) => (upper[place + 1] ?? '') === '' && (lower[place + 1] ?? '') !== ''
  const below = lower.filter((text, place) => text !== '' && (upper[place] ?? '') !== '' && !isMerged(place))
  const known = lower.filter(isKnownName).length
  return below.length > 0 && known * 2 < lower.filter((text) => text !== '').length
}

const isNumber = (text: string) => /\d/.test(text) && isAmount(text)

/**
 * Whether records that are shorter than the header lack empty cells at their end, and are not broken: columns of numbers in most records have a
 * number or nothing in each.
 * @param records the header and the records after it
 */
export function hasShortRows(records: readonly { cells: readonly unknown[] }[]): boolean {
  const [header = [], ...rows] = records.map(({ cells }) => cells.slice(0, CELLS_MAX).map(memberText))
  const short = rows.filter(({ length }) => length < header.length)
  if (short.length < SHORT_ROWS_MIN || rows.some(({ length }) => length > header.length)) return false
  // if no row has all columns, only the wide header of an export is plausible
  if (short.length === rows.length && header.length < WIDE_HEADER) return false
  const least = Math.min(...short.map(({ length }) => length))
  const full = rows.filter(({ length }) => length === header.length)
  const shown = full.length >= SHORT_ROWS_MIN ? full : rows
  /** The share of numbers in a column; undefined if most rows have no value in it, or if each has the value of another feature. */
  const numbersAt = (place: number) => {
    if (header.indexOf(header[place] ?? '') !== header.lastIndexOf(header[place] ?? '')) return undefined
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
