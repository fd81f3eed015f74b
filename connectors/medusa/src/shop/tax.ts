import type { Product } from '@shelfwire/client'
import type { Container } from '../medusa-shop.ts'

// Whether prices of a currency have tax in them: Medusa says it of a currency, Shelfwire of each price.

const ATTRIBUTE = 'currency_code'

export class TaxOfCurrencies {
  readonly #shop: Container
  /** By currency in lower case. */
  readonly hasTax = new Map<string, boolean>()
  readonly #ids = new Map<string, string>()

  private constructor(shop: Container) {
    this.#shop = shop
  }

  static async open(shop: Container): Promise<TaxOfCurrencies> {
    const opened = new TaxOfCurrencies(shop)
    const known = await shop.resolve('pricing').listPricePreferences({ attribute: ATTRIBUTE }, { take: null })
    for (const { id, value, is_tax_inclusive: hasTax } of known) {
      opened.hasTax.set(value, hasTax)
      opened.#ids.set(value, id)
    }
    return opened
  }

  /** Tells the shop what public prices say. @param products of the first store of their currency; of stores without tax nothing is said */
  async say(products: readonly Product[], publicGroupId: number): Promise<void> {
    for (const { currency, tax_included: isIncluded, customer_group_id: group } of products.flatMap(
      ({ prices }) => prices,
    )) {
      const value = currency.toLowerCase()
      if (group !== publicGroupId || isIncluded === undefined || this.hasTax.get(value) === isIncluded) continue
      this.hasTax.set(value, isIncluded)
      const id = this.#ids.get(value)
      const preference = { attribute: ATTRIBUTE, value, is_tax_inclusive: isIncluded }
      await this.#shop
        .resolve('pricing')
        .upsertPricePreferences([id === undefined ? preference : { id, ...preference }])
      if (id === undefined) await this.#learnIds()
    }
  }

  async #learnIds(): Promise<void> {
    const known = await this.#shop.resolve('pricing').listPricePreferences({ attribute: ATTRIBUTE }, { take: null })
    for (const { id, value } of known) this.#ids.set(value, id)
  }
}
