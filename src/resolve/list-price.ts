import { keptListPrice } from '../model/list-price.ts'
import { Exact, toMinor } from '../model/money.ts'
import type { Price } from '../model/payload.ts'
import type { CompiledAccount } from './compile.ts'
import type { OfferInput } from './inputs.ts'
import { settle } from './rounding.ts'
import { offerOf, type Found, type Source } from './sources.ts'

// The list price of a product, such as a supplier's recommended one, beside which a shop shows its own. docs/decisions/173-a-list-price-is-a-field.md
// says why it is one of the fields.

/** A list price in the currency in which it is stated. */
export interface StatedListPrice {
  amount: Exact
  currency: string
  source: Source
}

/**
 * @param found the field as it is found. @param sources the offers that fields come from.
 * @returns null where no source states one that can be read
 */
export function findListPrice(
  compiled: CompiledAccount,
  found: Found<string> | null,
  sources: readonly OfferInput[],
): StatedListPrice | null {
  const kept = found === null ? null : keptListPrice(found.value)
  if (found === null || kept === null) return null
  const { source } = found
  const offer = offerOf(source, sources)
  return {
    amount: new Exact(kept.amount),
    currency: kept.currency ?? offer?.currency ?? compiled.account.currency,
    source,
  }
}

/** As a store shows it: rounded once, to the minor digits of its currency; null without a rate. */
export function listPriceIn(stated: StatedListPrice, currency: string, { money }: CompiledAccount): Exact | null {
  const amount = money.convert(stated.amount, stated.currency, currency)
  return amount === null ? null : toMinor(settle(amount), currency)
}

/**
 * The prices that clients read, each with the list price where that is above it: below, it would be no offer but a mistake. Beside a price of a sale is
 * what it is reduced from.
 */
export function besideListPrice<P extends Price>(prices: readonly P[], listPrice: Exact | null): readonly P[] {
  if (listPrice === null) return prices
  return prices.map((price) =>
    price.sale === null && listPrice.greaterThan(price.computedPrice) ? { ...price, compareAtPrice: listPrice } : price,
  )
}
