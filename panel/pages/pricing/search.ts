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
}

const id = (value: unknown) => {
  const number = Number(value)
  return Number.isSafeInteger(number) && number > 0 ? number : undefined
}

export function pricingSearch(search: Record<string, unknown>): PricingSearch {
  const { tab } = search
  return {
    tab: tab === 'exclusion-rules' || tab === 'assortment-rules' ? tab : undefined,
    open: id(search['open']),
    new: search['new'] === true ? true : undefined,
    check: id(search['check']),
    saving: id(search['saving']),
  }
}
