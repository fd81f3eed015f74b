import type { Price } from '@shelfwire/client'
import { amountWith, type Listing } from '@shelfwire/client/shop'
import type { GroupPriceDetails, Id, PriceDetails } from '../shop/rows.ts'
import type { SoldStore, Terms } from './terms.ts'

// In Vendure a variant has one price per channel and currency, with or without tax as its channel says. Quantity prices, list prices and prices of
// customer groups are in custom fields of the plugin.

/** A variant's price in a channel. `amount` is in the smallest unit. */
export interface WantedPrice {
  channelId: Id
  currency: string
  amount: number
}

export interface WantedPrices {
  prices: WantedPrice[]
  details: PriceDetails[]
  groupDetails: GroupPriceDetails[]
}

/** The public price of a product in a store, if it has one. */
export const publicPrice = ({ product }: Listing, { publicGroupId }: Terms): Price | undefined =>
  product.prices.find(({ customer_group_id: id }) => id === publicGroupId)

/** The prices of a product in the shop. @param listings in the order of precedence: the first one in a channel and currency decides */
export function wantedPrices(listings: readonly Listing[], terms: Terms): WantedPrices {
  const wanted: WantedPrices = { prices: [], details: [], groupDetails: [] }
  const decided = new Set<string>()
  // a store that excludes the product decides only where no other store does
  for (const listing of listings.toSorted((a, b) => Number(a.product.excluded) - Number(b.product.excluded))) {
    const store = terms.stores.find((each) => each.store === listing.store)
    const price = publicPrice(listing, terms)
    if (store === undefined || price === undefined) continue
    const key = `${store.channel.id} ${store.currency}`
    if (decided.has(key)) continue
    decided.add(key)
    wanted.prices.push({
      channelId: store.channel.id,
      currency: store.currency,
      amount: minor(price.computed_price, price, store, terms),
    })
    // the details are needed only where there is more than the variant's own price
    const details = detailsOf(price, store, terms)
    if (details.length > 1 || price.compare_at_price !== undefined || price.lowest_price_30_days !== undefined)
      wanted.details.push(...details)
    for (const other of listing.product.prices) {
      const name = groupName(other, terms)
      if (name === null) continue
      for (const each of detailsOf(other, store, terms)) wanted.groupDetails.push({ customerGroup: name, ...each })
    }
  }
  return wanted
}

function groupName({ customer_group_id: id, customer_group: name }: Price, terms: Terms): string | null {
  if (id === terms.publicGroupId) return null
  const stated = terms.customerGroups.get(name)
  return stated === undefined ? name : stated
}

function detailsOf(price: Price, store: SoldStore, terms: Terms): PriceDetails[] {
  const details = (quantity: number, amount: number, compareAt: number | undefined): PriceDetails => ({
    channel: store.channel.code,
    currency: store.currency,
    quantity,
    price: minor(amount, price, store, terms),
    compareAtPrice: compareAt === undefined ? null : minor(compareAt, price, store, terms),
    lowestPrice:
      price.lowest_price_30_days === undefined ? null : minor(price.lowest_price_30_days, price, store, terms),
    isSale: price.is_sale === true,
  })
  return [
    details(1, price.computed_price, price.compare_at_price),
    ...(price.tiers ?? []).map((tier) => details(tier.quantity, tier.price, price.compare_at_price)),
  ]
}

/** An amount in the smallest unit, with or without tax as the channel's prices are. */
const minor = (amount: number, price: Price, { channel }: SoldStore, { moneyFactor }: Terms): number =>
  Math.round(Number((amountWith(channel.hasTax, price, amount) * moneyFactor).toFixed(4)))
