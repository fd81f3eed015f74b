const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`

/** A cell of CSV (RFC 4180). */
export const csvCell = (text: string): string => (/[",\r\n]/.test(text) ? quoted(text) : text)

/** A cell of a CSV file that people open: no spreadsheet reads it as a formula, or splits it at semicolons or tabs. */
export function spreadsheetCell(text: string): string {
  const shown = withoutFormula(text)
  return /[",;\t\r\n]/.test(shown) ? quoted(shown) : shown
}

const NUMBER = /^[+-]?\d+(?:[.,]\d+)?$/

/**
 * A text that no spreadsheet reads as a formula: if it begins with = + - @, a tab or a line break, an apostrophe is put in front. Numbers such
 * as -5 stay numbers. A cell may also begin inside the text: where the list separator is a semicolon, as in most of Europe, Excel splits a
 * comma-separated file at semicolons and reads a quote after a comma as a character. Full-width signs begin formulas in Japanese and Chinese
 * editions.
 */
export const withoutFormula = (text: string): string =>
  NUMBER.test(text) ? text : text.replaceAll(/(?<=^|[;\t\r\n])(?= *[=+\-@＝＋－＠])|^(?=[\t\r\n])/g, "'")
