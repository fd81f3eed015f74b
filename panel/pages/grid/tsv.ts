// Blocks of cells in the clipboard format of spreadsheets: tabs between cells, line ends between rows, and quotes around cells that
// contain either.

/** Texts that a spreadsheet would run as a formula: they may be written by strangers. Numbers are harmless. */
const FORMULA = /^[=+\-@](?![\d.,\s]*$)/
const GUARDED = /^'[=+\-@]/

/**
 * Writes a block. An apostrophe is put before a text that a spreadsheet would run as a formula; `fromTsv` removes it.
 */
export function toTsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.map(cell).join('\t')).join('\r\n')
}

function cell(text: string): string {
  const plain = FORMULA.test(text) ? `'${text}` : text
  return /[\t\r\n"]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

/** Parses a block into rows of cells. The final line end, which spreadsheets add, does not begin a row. */
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

/** @returns the text up to the next tab or line end, and the index of that. */
function plain(text: string, from: number): [string, number] {
  const length = text.slice(from).search(/[\t\r\n]/)
  const end = length < 0 ? text.length : from + length
  return [text.slice(from, end), end]
}

/** The same for a quoted text. If the quotes are not closed, or more text follows them, they are part of the text. */
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
