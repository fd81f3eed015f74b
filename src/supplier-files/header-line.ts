import { isKnownName } from './column-names.ts'
import { memberText } from './rows.ts'
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
  const mostKnown = Math.max(0, ...candidates.map(({ known }) => known))
  if (mostKnown >= 2) return lastOf(candidates, mostKnown)
  const usual = candidates.map(({ filled }) => filled).toSorted((a, b) => a - b)[Math.floor(candidates.length / 2)] ?? 0
  const first = candidates[0]
  if (first === undefined || first.filled >= usual) return first?.line
  const widest = candidates.find(({ filled, hasNumbers }) => filled >= usual && !hasNumbers)
  const wide = widest ?? candidates.find(({ filled, hasNumbers }) => filled >= usual * NEARLY && !hasNumbers)
  return wide?.line ?? first.line
}

/** The share of the usual cells that a header has at least: some columns have no name. */
const NEARLY = 0.75

/** The least share of the known names of a header that a second line below it has, which names the columns once more. */
const AGAIN_SHARE = 0.4

/** Where columns are named in two lines, as with labels and technical names, the second one counts: what follows it is an article. */
function lastOf(candidates: readonly Candidate[], mostKnown: number): number | undefined {
  const first = candidates.findIndex(({ known }) => known === mostKnown)
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
  if (records.some(({ cells }) => knownNames(cells) >= 2) || first.some(isKnownName)) return false
  return first.some((text, place) =>
    VALUE_KINDS.some(
      (isOne) => isOne(text) && rest.filter((cells) => isOne(cells[place] ?? '')).length >= rest.length * VALUES_SHARE,
    ),
  )
}
