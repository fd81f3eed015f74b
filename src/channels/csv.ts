import type { Good } from './channel-product.ts'

// RFC 4180, UTF-8. Values stand as they are: what a spreadsheet would take for a formula («-10», «=A1») is not altered, because
// these files are read by programs, for which an apostrophe before a SKU would be another SKU.

/** What each column holds; images beyond the first are URLs separated by spaces, which no URL holds. */
const COLUMNS: Readonly<Record<string, (good: Good) => string | null>> = {
  id: (good) => good.id,
  sku: (good) => good.sku,
  ean: (good) => good.ean,
  title: (good) => good.title,
  description: (good) => good.description,
  manufacturer: (good) => good.manufacturer,
  price: (good) => good.price,
  currency: (good) => good.currency,
  stock: (good) => good.stock,
  link: (good) => good.link,
  image: (good) => good.images[0] ?? null,
  additional_images: (good) => good.images.slice(1).join(' '),
}
const VALUES = Object.values(COLUMNS)

/** The row of column names. */
export const CSV_HEAD = record(Object.keys(COLUMNS))

/** One record of the file, its line end included. */
export function csvRecord(good: Good): string {
  return record(VALUES.map((value) => value(good) ?? ''))
}

function record(values: readonly string[]): string {
  return `${values.map((value) => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)).join(',')}\r\n`
}
