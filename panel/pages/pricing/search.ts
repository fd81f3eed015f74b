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
  /** Of the price; left out: the account's. */
  currency?: string | undefined
  name?: string | undefined
}

const id = (value: unknown) => {
  const number = Number(value)
  return Number.isSafeInteger(number) && number > 0 ? number : undefined
}

/** A price in an address comes as a number. */
const text = (value: unknown) => {
  const given = typeof value === 'number' ? String(value) : value
  return typeof given === 'string' && given !== '' ? given : undefined
}

export function pricingSearch(search: Record<string, unknown>): PricingSearch {
  const { tab } = search
  return {
    tab: tab === 'exclusion-rules' || tab === 'assortment-rules' ? tab : undefined,
    open: id(search['open']),
    new: search['new'] === true ? true : undefined,
    check: id(search['check']),
    saving: id(search['saving']),
    product: id(search['product']),
    store_id: id(search['store_id']),
    group_id: id(search['group_id']),
    price: text(search['price']),
    currency: text(search['currency']),
    name: text(search['name']),
  }
}
