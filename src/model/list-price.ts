/** A list price in canonical form: an amount, with a currency if the source names one. */
export interface ListPrice {
  /** Plain decimal text above 0. */
  amount: string
  /** ISO 4217; null: the currency of the offer, or the account's if the owner states the price. */
  currency: string | null
}

const KEPT = /^(\d{1,15}(?:\.\d{1,6})?)(?: ([A-Z]{3}))?$/

/** Parses a list price in canonical form, `129.9` or `129.9 EUR`; null for any other text. */
export function keptListPrice(text: string): ListPrice | null {
  const [, amount, currency = null] = KEPT.exec(text) ?? []
  return amount === undefined || !/[1-9]/.test(amount) ? null : { amount, currency }
}
