import { unreadable } from '../rows.ts'

/** The form of a CSV file, as its start shows it. */
export interface Dialect {
  delimiter: string
  /** Lines end in CR alone. */
  isCr: boolean
  /** How many characters precede the records, and the line at which these begin. */
  skip: number
  line: number
}

const DELIMITERS = [',', ';', '\t', '|'] as const
const SAMPLE_LINES = 30
const SEP = /^\ufeff?"?sep=(.)"?(?:\r\n|\n|\r|$)/i

/**
 * Detects the form of a CSV file from its start. A first line `sep=;` names the delimiter; otherwise it is `given`, or the sign that
 * splits most lines into the same number of pieces.
 * @param skipLines lines before the names of the columns
 * @throws ShelfwireError `source-unreadable` if the start has fewer lines than that
 */
export function dialectOf(head: string, quote: string, given: string | undefined, skipLines: number): Dialect {
  const isCr = !head.includes('\n') && head.includes('\r')
  const lineEnd = isCr ? '\r' : '\n'
  let skip = 0
  let line = 1
  const sep = SEP.exec(head)
  if (sep !== null) {
    skip = sep[0].length
    line++
  }
  for (let skipped = 0; skipped < skipLines; skipped++) {
    const end = head.indexOf(lineEnd, skip)
    if (end === -1)
      throw unreadable(
        `line ${line}: the file has no ${skipLines} lines before its header: check "skipLines" in the mapping`,
      )
    skip = end + 1
    line++
  }
  const delimiter = given ?? sep?.[1] ?? likelyDelimiter(head.slice(skip), quote, lineEnd)
  return { delimiter, isCr, skip, line }
}

function likelyDelimiter(text: string, quote: string, lineEnd: string): string {
  const lines = sampleLines(text, quote, lineEnd)
  let best: { sign: string; score: number } = { sign: ',', score: 0 }
  for (const sign of DELIMITERS) {
    const counts = lines.map((line) => countOutside(line, sign, quote))
    const usual = mostFrequent(counts.filter((count) => count > 0))
    // a sign that is equally often in each line is the delimiter; one that is only frequent is part of texts
    const score = (counts.filter((count) => count === usual).length / Math.max(lines.length, 1)) * Math.log2(1 + usual)
    if (usual > 0 && score > best.score + 1e-9) best = { sign, score }
  }
  return best.sign
}

/** The first records, split at line ends outside of quotes. */
function sampleLines(text: string, quote: string, lineEnd: string): string[] {
  const lines: string[] = []
  let from = 0
  let isQuoted = false
  for (let at = 0; at < text.length && lines.length < SAMPLE_LINES; at++) {
    if (quote !== '' && text[at] === quote) isQuoted = !isQuoted
    else if (text[at] === lineEnd && !isQuoted) {
      if (at > from + 1) lines.push(text.slice(from, at))
      from = at + 1
    }
  }
  if (lines.length === 0 && text !== '') lines.push(text)
  return lines
}

function countOutside(line: string, sign: string, quote: string): number {
  let count = 0
  let isQuoted = false
  for (const character of line) {
    if (quote !== '' && character === quote) isQuoted = !isQuoted
    else if (character === sign && !isQuoted) count++
  }
  return count
}

function mostFrequent(counts: readonly number[]): number {
  const times = new Map<number, number>()
  let best = 0
  for (const count of counts) {
    const time = (times.get(count) ?? 0) + 1
    times.set(count, time)
    if (time > (times.get(best) ?? 0)) best = count
  }
  return best
}

/** The text of the records, without the lines before them, and with LF if lines end in CR alone. */
export async function* inDialect(text: AsyncIterable<string>, { skip, isCr }: Dialect): AsyncGenerator<string> {
  let left = skip
  for await (const piece of text) {
    const rest = left === 0 ? piece : piece.slice(left)
    left = Math.max(0, left - piece.length)
    if (rest !== '') yield isCr ? rest.replaceAll('\r', '\n') : rest
  }
}
