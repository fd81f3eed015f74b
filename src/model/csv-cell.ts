/** A cell of CSV (RFC 4180). */
export const csvCell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const NUMBER = /^[+-]?\d+(?:[.,]\d+)?$/

/**
 * A text that no spreadsheet takes for a formula: what begins with = + - @, a tab or a line end gets an apostrophe in front. Numbers such as -5
 * stay numbers.
 */
export const withoutFormula = (text: string): string =>
  /^[=+\-@\t\r\n]/.test(text) && !NUMBER.test(text) ? `'${text}` : text
