/** A list price as it is kept: an amount, and its currency where whoever states it names one. */
export interface ListPrice {
  /** Plain decimal text above 0. */
  amount: string
  /** ISO 4217; null: that of the offer which states it, or the account's where the owner does. */
  currency: string | null
}

const KEPT = /^(\d{1,15}(?:\.\d{1,6})?)(?: ([A-Z]{3}))?$/

/** Reads the text of a list price as it is kept, `129.9` or `129.9 EUR`; null for any other text. */
export function keptListPrice(text: string): ListPrice | null {
  const [, amount, currency = null] = KEPT.exec(text) ?? []
  return amount === undefined || !/[1-9]/.test(amount) ? null : { amount, currency }
}
