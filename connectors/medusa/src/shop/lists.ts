import type { Price, Product } from '@shelfwire/client'
import { madeOf, noteMade } from '@shelfwire/client/shop'
import { createCustomerGroupsWorkflow, createPriceListsWorkflow } from '@medusajs/medusa/core-flows'
import type { Terms } from '../article/terms.ts'
import { listOf, SALE } from '../article/prices.ts'
import type { Container } from '../medusa-shop.ts'

// The shop's price lists: one for sales, and one for each customer group that has prices of its own.

export class PriceLists {
  readonly #shop: Container
  readonly #groups: ReadonlyMap<string, string | null>
  #ids: Map<string, string> | null = null

  /** @param groups the names of Shelfwire's customer groups -> Medusa's IDs */
  constructor(shop: Container, groups: ReadonlyMap<string, string | null>) {
    this.#shop = shop
    this.#groups = groups
  }

  /** Our keys of price lists -> Medusa's IDs, without lists that the shop has deleted. */
  async ids(): Promise<Map<string, string>> {
    if (this.#ids !== null) return this.#ids
    const made = await madeOf(this.#shop.resolve('__pg_connection__'), 'list')
    const there =
      made.size === 0
        ? []
        : await this.#shop.resolve('pricing').listPriceLists({ id: [...made.values()] }, { take: null })
    const ids = new Set(there.map(({ id }) => id))
    this.#ids = new Map([...made].filter(([, id]) => ids.has(id)))
    return this.#ids
  }

  /** Makes the lists that products need and the shop lacks. */
  async make(products: readonly Product[], terms: Terms): Promise<void> {
    const ids = await this.ids()
    for (const { prices } of products)
      for (const price of prices) {
        const isPublic = price.customer_group_id === terms.publicGroupId
        if (isPublic ? price.compare_at_price === undefined : terms.leftOutGroups.has(price.customer_group)) continue
        const key = isPublic ? SALE : listOf(price)
        if (!ids.has(key)) ids.set(key, await this.#make(key, isPublic ? null : price))
      }
  }

  async #make(key: string, price: Price | null): Promise<string> {
    const title = price === null ? 'Shelfwire: sale prices' : `Shelfwire: ${price.customer_group}`
    // a kill may have come between the creation of the list and our note of it
    const [there] = await this.#shop.resolve('pricing').listPriceLists({ title: [title] }, { take: 1 })
    const id = there?.id ?? (await this.#create(title, price))
    await noteMade(this.#shop.resolve('__pg_connection__'), 'list', key, id)
    return id
  }

  async #create(title: string, price: Price | null): Promise<string> {
    const list = { title, description: 'Kept by @shelfwire/medusa', status: 'active' }
    const rules = price === null ? {} : { 'customer.groups.id': [await this.#groupOf(price.customer_group)] }
    const input = { price_lists_data: [{ ...list, type: price === null ? 'sale' : 'override', rules, prices: [] }] }
    const { result } = await createPriceListsWorkflow(this.#shop).run({ input })
    return required(result[0]).id
  }

  /** The ID of a customer group: that of the options, or the shop's group of the same name, which is made where it is missing. */
  async #groupOf(name: string): Promise<string> {
    const stated = this.#groups.get(name)
    if (typeof stated === 'string') return stated
    const [there] = await this.#shop.resolve('customer').listCustomerGroups({ name }, { take: 1 })
    if (there !== undefined) return there.id
    const { result } = await createCustomerGroupsWorkflow(this.#shop).run({ input: { customersData: [{ name }] } })
    return required(result[0]).id
  }
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('Medusa has made nothing and said nothing')
  return value
}
