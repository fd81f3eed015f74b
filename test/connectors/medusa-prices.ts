import type { Price, Product } from '../../client/src/shelfwire.ts'

// Prices of a store in a Medusa shop. Medusa says of a currency whether its prices have tax in them; a variant's own price is what everybody
// pays, or what is struck through; a price list of the type sale has what everybody pays then, one of the type override and a customer group
// what that group pays.

/** What the connector uses of a shop. */
export interface Shop {
  /** A request to the admin API. @throws Error with what the shop answered, where it refuses */
  call<T>(method: string, path: string, body?: unknown): Promise<T>
  salesChannelId: string
  stockLocationId: string
}

const SALE = 'sale'

interface List {
  id: string
}

export class MedusaPrices {
  readonly #shop: Shop
  /** By `sale` or the name of a group. */
  readonly #lists = new Map<string, Promise<List>>()
  /** Whether prices in a currency have tax in them, as the shop knows it. */
  readonly #withTax = new Map<string, boolean>()

  constructor(shop: Shop) {
    this.#shop = shop
  }

  /** A variant's own price: the public one, or the list price beside it. */
  own({ prices }: Product) {
    return prices.filter(isPublic).flatMap((price) =>
      // beside a list price what is paid is in a list, by quantity as well
      price.compare_at_price === undefined
        ? amountsOf(price, (amount) => amount)
        : amountOf(price, price.compare_at_price),
    )
  }

  /** Tells the shop whether prices have tax in them, as public prices say it; of those of stores without tax nothing is said. */
  async say(products: readonly Product[]): Promise<void> {
    for (const { currency, tax_included: isIncluded } of products.flatMap(({ prices }) => prices.filter(isPublic))) {
      const value = currency.toLowerCase()
      if (isIncluded === undefined || this.#withTax.get(value) === isIncluded) continue
      this.#withTax.set(value, isIncluded)
      const of = `/admin/price-preferences?attribute=currency_code&value=${value}`
      const [known] = (await this.#shop.call<{ price_preferences: List[] }>('GET', of)).price_preferences
      const body = { attribute: 'currency_code', value, is_tax_inclusive: isIncluded }
      await this.#shop.call('POST', `/admin/price-preferences${known === undefined ? '' : `/${known.id}`}`, body)
    }
  }

  /** Lists what is not a variant's own price. @param variants of Medusa, by the id of the product */
  async list(variants: ReadonlyMap<number, string>, products: readonly Product[]): Promise<void> {
    const create = new Map<string, object[]>()
    for (const product of products)
      for (const price of product.prices) {
        if (isPublic(price) && price.compare_at_price === undefined) continue
        const key = isPublic(price) ? SALE : price.customer_group
        const entries = amountsOf(price, (amount) => this.#asPublic(price, amount))
        const variant_id = variants.get(product.id)
        create.set(key, [...(create.get(key) ?? []), ...entries.map((entry) => ({ ...entry, variant_id }))])
      }
    for (const [key, entries] of create) {
      const { id } = await this.#list(key)
      await this.#shop.call('POST', `/admin/price-lists/${id}/prices/batch`, { create: entries })
    }
  }

  /** What a price is where it had tax in it, or had not, as all of its currency: Medusa knows no group that is shown it otherwise. */
  #asPublic({ currency, tax_included: isIncluded, tax_rate: rate = 0 }: Price, amount: number): number {
    const isPublicWith = this.#withTax.get(currency.toLowerCase())
    if (isIncluded === undefined || isPublicWith === undefined || isIncluded === isPublicWith) return amount
    const factor = 1 + rate / 100
    return Number((isPublicWith ? amount * factor : amount / factor).toFixed(4))
  }

  /** A list is made when the first price needs it. */
  #list(key: string): Promise<List> {
    const known = this.#lists.get(key) ?? this.#make(key)
    this.#lists.set(key, known)
    return known
  }

  async #make(key: string): Promise<List> {
    const body: Record<string, unknown> = { title: key, description: key, status: 'active', type: SALE }
    if (key !== SALE) {
      const { customer_group: group } = await this.#shop.call<{ customer_group: List }>(
        'POST',
        '/admin/customer-groups',
        {
          name: key,
        },
      )
      Object.assign(body, { type: 'override', rules: { 'customer.groups.id': [group.id] } })
    }
    return (await this.#shop.call<{ price_list: List }>('POST', '/admin/price-lists', body)).price_list
  }
}

const isPublic = ({ is_default: isDefault }: Price) => isDefault === true

const untilBefore = (next: { quantity: number } | undefined) => (next === undefined ? null : next.quantity - 1)

/** What is paid, and what from a quantity on. @param shown what an amount is in the shop */
const amountsOf = (price: Price, shown: (amount: number) => number) => [
  amountOf(price, shown(price.computed_price)),
  ...(price.tiers ?? []).map(({ quantity, price: amount }, i, tiers) => ({
    ...amountOf(price, shown(amount)),
    min_quantity: quantity,
    max_quantity: untilBefore(tiers[i + 1]),
  })),
]
const amountOf = ({ currency }: Price, amount: number) => ({ amount, currency_code: currency.toLowerCase() })
