import type { PricingRule } from './rules.ts'
import type { PricingSearch } from './search.ts'
import { NEW_RULE, type RuleValues } from './values.ts'

/**
 * The initial values of a new rule that gives one product a fixed price, from the page's address. Its priority is before all rules
 * that may apply to this product, and the same as of such fixed prices of other products. null if the address does not ask for one.
 */
export function fixedPrice(search: PricingSearch, rules: readonly PricingRule[]): RuleValues | null {
  const { product, store_id: store, group_id: group, price = '', currency = '', name = '' } = search
  if (product === undefined) return null
  const others = rules.filter(
    ({ is_default: isDefault, product_ids: ids }) => !isDefault && (ids === null || ids.includes(product)),
  )
  return {
    ...NEW_RULE,
    name,
    action: 'fixed',
    fixed_price: price,
    currency,
    over_price_lists: search.over_price_lists === true,
    product_ids: String(product),
    store_ids: store === undefined ? [] : [String(store)],
    group_ids: group === undefined ? [] : [String(group)],
    priority: others.length === 0 ? NEW_RULE.priority : String(Math.min(...others.map(({ priority }) => priority)) - 1),
  }
}
