import type { ListedProduct } from './columns.tsx'

const COLUMNS = [
  'id',
  'sku',
  'ean',
  'title',
  'manufacturer',
  'store',
  'stores',
  'excluded_in',
  'exclusion_reason',
  'price',
  'currency',
  'stock',
  'changed_at',
] as const satisfies readonly (keyof ListedProduct)[]

/**
 * Products as CSV (RFC 4180) with a byte order mark, by which spreadsheets know UTF-8. A text that a spreadsheet would take for
 * a formula gets an apostrophe in front.
 */
export function toCsv(rows: readonly ListedProduct[]): string {
  const lines = rows.map((row) => COLUMNS.map((name) => cell(row[name])).join(','))
  return `\u{feff}${[COLUMNS.join(','), ...lines].join('\r\n')}\r\n`
}

function cell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
