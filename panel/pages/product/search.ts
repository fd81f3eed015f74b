import { textIn } from '../../api/address.ts'

/** Tabs below the comparison; the first one is the default. */
const TABS = ['why', 'offers', 'prices', 'changes'] as const
export type ProductTab = (typeof TABS)[number]

export interface ProductSearch {
  /** Slugs of the stores that are shown side by side, separated by commas. */
  stores?: string | undefined
  /** Slug of the store whose explanation is shown. */
  why?: string | undefined
  tab?: ProductTab | undefined
  /** The value that is open beside the page, in the store of the explanation: a row of the comparison. */
  value?: string | undefined
  /** Whether deliveries of the product are shown as they arrive. */
  arrival?: true | undefined
}

export function productSearch(search: Record<string, unknown>): ProductSearch {
  return {
    stores: textIn(search['stores']),
    why: textIn(search['why']),
    tab: TABS.find((tab) => tab === search['tab']),
    value: textIn(search['value']),
    arrival: search['arrival'] === true ? true : undefined,
  }
}
