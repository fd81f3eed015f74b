import { setOverrides } from '../catalog/products/products.ts'
import { entryChanges, writeEntries } from '../catalog/products/prices/price-list-entries.ts'
import { createPriceList } from '../catalog/settings/prices/price-lists.ts'
import type { Tx } from '../db/sql.ts'
import { Exact } from '../model/money.ts'
import type { Shelf } from '../shelf/shelf.ts'

const LIST = 'club'
/** How long the sale lasts, in milliseconds from the creation of the demo. */
const SALE = 30 * 24 * 3_600_000

/** An article that the merchant prices by hand. */
export interface PricedByHand {
  productId: number
  /** A decimal, in the account's currency. */
  cost: string
}

const times = (cost: string, factor: string) => new Exact(cost).times(factor).toDecimalPlaces(2).toFixed()

/** Creates a price list for one customer group, in stores of the account's currency. */
export async function openPriceList(tx: Tx, accountId: number, groupId: number): Promise<void> {
  await createPriceList(tx, accountId, {
    key: LIST,
    name: 'Club prices',
    currency: 'EUR',
    storeIds: null,
    groupId,
    validFrom: null,
    validTo: null,
    priority: 100,
    isActive: true,
  })
}

/** Sets recommended prices, a sale of some articles, and entries of the price list. Safe to repeat. */
export async function addPrices(shelf: Shelf, accountId: number, articles: readonly PricedByHand[]): Promise<void> {
  const inSale = articles.filter((_, i) => i % 4 === 1).slice(0, 12)
  const inList = articles.filter((_, i) => i % 4 === 2).slice(0, 12)
  const endsOn = new Date(Date.now() + SALE).toISOString().slice(0, 10)
  const own = (productId: number, field: 'list_price' | 'sale_price' | 'sale_ends_on', value: string) => ({
    productId,
    field,
    locale: '',
    value,
  })
  await shelf.write(accountId, (tx) =>
    setOverrides(tx, accountId, [
      ...articles.map(({ productId, cost }) => own(productId, 'list_price', times(cost, '2.4'))),
      ...inSale.flatMap(({ productId, cost }) => [
        own(productId, 'sale_price', times(cost, '1.55')),
        own(productId, 'sale_ends_on', endsOn),
      ]),
    ]),
  )
  await shelf.write(accountId, async (tx) => {
    const rows = inList.map(({ productId, cost }) => ({ productId, groupId: 0, amount: times(cost, '1.5') }))
    return writeEntries(tx, accountId, LIST, await entryChanges(tx, accountId, LIST, rows, true))
  })
}
