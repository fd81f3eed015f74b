import { idIn, textIn } from '../../api/address.ts'
import type { RuleTab } from './rules.ts'

export interface PricingSearch {
  /** Left out: pricing rules. */
  tab?: RuleTab | undefined
  /** The open rule. */
  open?: number | undefined
  /** The form for a new one is open. */
  new?: boolean | undefined
  /** The shown preview over all products, by its operation. */
  check?: number | undefined
  /** The operation that computes payloads after a save. */
  saving?: number | undefined
  /** The new rule is a fixed price of this product; the members below are its values. */
  product?: number | undefined
  /** Only in this store. */
  store_id?: number | undefined
  /** Only for this customer group. */
  group_id?: number | undefined
  price?: string | undefined
  /** The currency of the price; by default the account's. */
  currency?: string | undefined
  name?: string | undefined
  /** The new rule takes precedence over price lists, because one of them prices the product now. */
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
