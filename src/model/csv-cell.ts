const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`

/** A cell of CSV (RFC 4180). */
export const csvCell = (text: string): string => (/[",\r\n]/.test(text) ? quoted(text) : text)

/** A cell of CSV that people open: no spreadsheet takes it for a formula, nor cuts it where it cuts at semicolons or tabs, too. */
export function spreadsheetCell(text: string): string {
  const shown = withoutFormula(text)
  return /[",;\t\r\n]/.test(shown) ? quoted(shown) : shown
}

const NUMBER = /^[+-]?\d+(?:[.,]\d+)?$/

/**
 * A text that no spreadsheet takes for a formula: what begins with = + - @, a tab or a line end gets an apostrophe in front. Numbers such as -5
 * stay numbers. A cell may begin within the text, too: where the list separator is a semicolon, as in most of Europe, Excel cuts a file of
 * commas at semicolons, and takes a quote after a comma for a letter. Full-width signs begin formulas in Japanese and Chinese editions.
 */
export const withoutFormula = (text: string): string =>
  NUMBER.test(text) ? text : text.replaceAll(/(?<=^|[;\t\r\n])(?= *[=+\-@＝＋－＠])|^(?=[\t\r\n])/g, "'")
