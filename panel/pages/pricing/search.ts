import { idIn, textIn } from '../../api/address.ts'
import type { RuleTab } from './rules.ts'

export interface PricingSearch {
  /** Left out: pricing rules. */
  tab?: RuleTab | undefined
  /** The rule that is open. */
  open?: number | undefined
  /** The form for a new one is open. */
  new?: boolean | undefined
  /** The preview over everything that is shown. */
  check?: number | undefined
  /** The operation that computes what was saved. */
  saving?: number | undefined
  /** A new rule begins as a fixed price of this product; the members below are about it. */
  product?: number | undefined
  /** In this store alone. */
  store_id?: number | undefined
  /** For this customer group alone. */
  group_id?: number | undefined
  price?: string | undefined
  /** The currency of the price; left out: the account's. */
  currency?: string | undefined
  name?: string | undefined
  /** A price list prices the product now, which the new rule is to win over. */
  over_price_lists?: boolean | undefined
}

export function pricingSearch(search: Record<string, unknown>): PricingSearch {
  const { tab } = search
  return {
    tab: tab === 'exclusion-rules' || tab === 'assortment-rules' ? tab : undefined,
    open: idIn(search['open']),
    new: search['new'] === true ? true : undefined,
    check: idIn(search['check']),
    saving: idIn(search['saving']),
    product: idIn(search['product']),
    store_id: idIn(search['store_id']),
    group_id: idIn(search['group_id']),
    price: textIn(search['price']),
    currency: textIn(search['currency']),
    name: textIn(search['name']),
    over_price_lists: search['over_price_lists'] === true ? true : undefined,
  }
}
