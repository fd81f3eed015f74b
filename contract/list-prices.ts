/** Why the list price that a rule computes is not shown beside the price. */
export const MADE_LIST_PRICES_LEFT_OUT = ['held', 'sale', 'not_above_price'] as const
export type MadeListPriceLeftOut = (typeof MADE_LIST_PRICES_LEFT_OUT)[number]
