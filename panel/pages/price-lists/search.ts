import { textIn } from '../../api/address.ts'

const WINDOWS = ['settings', 'entry', 'file'] as const

/** The window that is open on the page of a price list: its settings, a new price, or a file. */
export type PriceListWindow = (typeof WINDOWS)[number]

/** `search`: text by which products are found. */
export function priceListSearch(search: Record<string, unknown>): {
  open?: PriceListWindow | undefined
  search?: string | undefined
} {
  return { open: WINDOWS.find((name) => name === search['open']), search: textIn(search['search']) }
}
