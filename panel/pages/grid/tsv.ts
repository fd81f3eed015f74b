// Blocks of cells as spreadsheets put them on the clipboard: tabs between cells, lines between rows, quotes around what holds either.

/** What a spreadsheet would take for a formula: texts are other people's. Numbers are none. */
const FORMULA = /^[=+\-@](?![\d.,\s]*$)/
const GUARDED = /^'[=+\-@]/

/** A text that a spreadsheet would calculate gets an apostrophe in front, which `fromTsv` takes away. */
export function toTsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.map(cell).join('\t')).join('\r\n')
}

function cell(text: string): string {
  const plain = FORMULA.test(text) ? `'${text}` : text
  return /[\t\r\n"]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

/** The cells of a block, row by row. The line end at the end, which spreadsheets add, begins no row. */
export function fromTsv(text: string): string[][] {
  const rows: string[][] = [[]]
  let at = 0
  while (at <= text.length) {
    const [value, end] = text[at] === '"' ? quoted(text, at) : plain(text, at)
    rows.at(-1)?.push(GUARDED.test(value) ? value.slice(1) : value)
    if (end >= text.length) break
    if (text[end] === '\t') {
      at = end + 1
      continue
    }
    at = end + (text.startsWith('\r\n', end) ? 2 : 1)
    if (at >= text.length) break
    rows.push([])
  }
  return rows
}

/** @returns the text up to the next tab or line end, and where that is. */
function plain(text: string, from: number): [string, number] {
  const length = text.slice(from).search(/[\t\r\n]/)
  const end = length < 0 ? text.length : from + length
  return [text.slice(from, end), end]
}

/** The same of a text in quotes. Quotes that are not closed, or are followed by more, are part of the text. */
function quoted(text: string, from: number): [string, number] {
  let end = from + 1
  for (;;) {
    end = text.indexOf('"', end)
    if (end < 0) return plain(text, from)
    if (text[end + 1] !== '"') break
    end += 2
  }
  const next = text[end + 1]
  if (next !== undefined && !/[\t\r\n]/.test(next)) return plain(text, from)
  return [text.slice(from + 1, end).replaceAll('""', '"'), end + 1]
}
