import type { Price } from '@shelfwire/client'
import { amountWith, type Listing } from '@shelfwire/client/shop'
import type { Terms } from './terms.ts'

// In Medusa it is a setting of a currency whether its prices include tax. A variant's own price is what everybody pays, or, in a sale, the price that
// is struck through: then a price list of the type sale has what everybody pays. A list of the type override has the prices of one customer group.

/** The key of the list of sale prices. */
export const SALE = 'sale'

export interface WantedPrice {
  /** Null: the variant's own; otherwise SALE or the key of a customer group. */
  list: string | null
  /** ISO 4217 in lower case, as Medusa has it. */
  currency: string
  amount: number
  from: number | null
  to: number | null
}

/** The key of the list of a customer group, by its ID in Shelfwire. */
export const listOf = ({ customer_group_id: id }: Price): string => `group:${id}`

/** The prices of a product in the shop. @param listings in the order of precedence: the first one in a currency decides */
export function wantedPrices(listings: readonly Listing[], terms: Terms): WantedPrice[] {
  const wanted = new Map<string, WantedPrice[]>()
  // a store that excludes the product decides only where no other store has the currency
  const counting = listings.toSorted((a, b) => Number(a.product.excluded) - Number(b.product.excluded))
  for (const { product } of counting)
    for (const prices of [ownAndSale(product.prices, terms), ofGroups(product.prices, terms)].flat()) {
      const [first] = prices
      if (first === undefined) continue
      const key = `${first.list} ${first.currency}`
      if (!wanted.has(key)) wanted.set(key, prices)
    }
  return [...wanted.values()].flat()
}

function ownAndSale(prices: readonly Price[], { publicGroupId }: Terms): WantedPrice[][] {
  return prices
    .filter(({ customer_group_id: id }) => id === publicGroupId)
    .flatMap((price) => {
      const asIs = (amount: number) => amount
      if (price.compare_at_price === undefined) return [amountsOf(price, null, asIs)]
      // beside a list price, the actual prices are in the sale list, quantity prices too
      return [[amountOf(price, null, price.compare_at_price)], amountsOf(price, SALE, asIs)]
    })
}

function ofGroups(prices: readonly Price[], terms: Terms): WantedPrice[][] {
  return (
    prices
      .filter(
        ({ customer_group_id: id, customer_group: name }) =>
          id !== terms.publicGroupId && !terms.leftOutGroups.has(name),
      )
      // with or without tax as the currency's setting says: Medusa has no such setting per group
      .map((price) =>
        amountsOf(price, listOf(price), (amount) =>
          amountWith(terms.hasTax.get(price.currency.toLowerCase()), price, amount),
        ),
      )
  )
}

const untilBefore = (next: { quantity: number } | undefined) => (next === undefined ? null : next.quantity - 1)

/** The price of one piece and the quantity prices. @param shown converts an amount to that of the shop */
const amountsOf = (price: Price, list: string | null, shown: (amount: number) => number): WantedPrice[] => [
  amountOf(price, list, shown(price.computed_price)),
  ...(price.tiers ?? []).map(({ quantity, price: amount }, i, tiers) => ({
    ...amountOf(price, list, shown(amount)),
    from: quantity,
    to: untilBefore(tiers[i + 1]),
  })),
]

const amountOf = ({ currency }: Price, list: string | null, amount: number): WantedPrice => ({
  list,
  currency: currency.toLowerCase(),
  amount,
  from: null,
  to: null,
})
