import { csvCell, spreadsheetCell } from '../model/csv-cell.ts'
import type { ChannelProduct, ChannelScope, LaterColumns } from './channel-product.ts'

// RFC 4180, UTF-8. Values are not altered, not even those that spreadsheets take for formulas ("+49", "=A1"): programs
// read these files, and to them a SKU with an apostrophe in front is another SKU. For spreadsheets there is
// ?spreadsheet=true.

/** The value of each column; images beyond the first are URLs separated by spaces, which no URL contains. */
const COLUMNS: Readonly<Record<string, (product: ChannelProduct) => string | null>> = {
  id: (product) => product.id,
  sku: (product) => product.sku,
  ean: (product) => product.ean,
  title: (product) => product.title,
  description: (product) => product.description,
  manufacturer: (product) => product.manufacturer,
  price: (product) => product.price,
  currency: (product) => product.currency,
  stock: (product) => product.stock,
  link: (product) => product.link,
  image: (product) => product.images[0] ?? null,
  additional_images: (product) => product.images.slice(1).join(' '),
}
/**
 * Columns that were added later. They are last, and existing files do not get them, because some readers count columns.
 */
const LATER: Readonly<Record<keyof LaterColumns, typeof COLUMNS>> = {
  listPrices: { compare_at_price: (product) => product.compareAtPrice },
  sales: {
    lowest_price_30_days: (product) => product.lowestPrice30Days,
    sale_begins_on: (product) => product.saleBeginsOn,
    sale_ends_on: (product) => product.saleEndsOn,
  },
  tiers: {
    tiers: ({ tiers }) => tiers.map(({ quantity, price }) => `${quantity}:${price}`).join(';'),
  },
  unitPrices: {
    net_content: (product) => product.netContent,
    unit_price: (product) => product.unitPrice?.value ?? null,
    unit_price_per: ({ unitPrice }) => (unitPrice === null ? null : `${unitPrice.quantity} ${unitPrice.unit}`),
  },
  tax: {
    tax_included: ({ isTaxIncluded }) => (isTaxIncluded === null ? null : String(isTaxIncluded)),
    tax_rate: (product) => product.taxRate,
    tax_class: (product) => product.taxClass,
  },
}
const LATER_NAMES = Object.keys(LATER) as (keyof LaterColumns)[]

type Scope = Pick<ChannelScope, 'columns'>
const columnsOf = ({ columns }: Scope): typeof COLUMNS =>
  LATER_NAMES.reduce((all, name) => (columns[name] ? { ...all, ...LATER[name] } : all), COLUMNS)

/** The row of column names. */
export const csvHead = (scope: Scope): string => record(Object.keys(columnsOf(scope)))

/** One record of the file, its line end included. */
export function csvRecord(product: ChannelProduct, scope: Scope, isForSpreadsheets = false): string {
  const values = Object.values(columnsOf(scope)).map((value) => value(product) ?? '')
  return record(values, isForSpreadsheets ? spreadsheetCell : csvCell)
}

function record(values: readonly string[], cell = csvCell): string {
  return `${values.map(cell).join(',')}\r\n`
}
