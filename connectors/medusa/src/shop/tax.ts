import type { Product } from '@shelfwire/client'
import type { Container } from '../medusa-shop.ts'

// Whether prices include tax: in Medusa that is a setting of a currency, in Shelfwire a member of each price.

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

  /** Sets the currencies as the public prices say. Prices that do not say it change nothing. @param products of the first store in their currency */
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
