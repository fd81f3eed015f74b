/** Why a price is not shown beside the list price that its rule makes. */
export const MADE_LIST_PRICES_LEFT_OUT = ['held', 'sale', 'not_above_price'] as const
export type MadeListPriceLeftOut = (typeof MADE_LIST_PRICES_LEFT_OUT)[number]
