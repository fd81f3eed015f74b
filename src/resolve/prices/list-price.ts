import type { MadeListPriceLeftOut } from '../../../contract/list-prices.ts'
import { keptListPrice } from '../../model/list-price.ts'
import { exactOf, isBelow, toMinor, type Exact } from '../../model/money.ts'
import type { Price, PriceTax } from '../../model/payload.ts'
import { amountIn, AS_STATED, type AmountTax } from './amount.ts'
import type { CompiledAccount } from '../compile.ts'
import { isHeld, type Held } from './guard.ts'
import type { OfferInput, OverrideInput } from '../inputs.ts'
import { costBehind, madePrice, shownRate, type ComputedPrice, type Cost, type MadePrices } from './price.ts'
import { settle } from './rounding.ts'
import { offerOf, type Found, type Source } from '../sourcing/sources.ts'
import { NO_TAX, type TaxOf } from '../sourcing/sourcing.ts'
import { findName } from '../content/text.ts'

// The list price of a product, such as a supplier's recommended one, beside which a shop shows its own. docs/decisions/173-a-list-price-is-a-field.md
// says why it is one of the fields, docs/decisions/182-amounts-say-whose-tax-is-in-them.md how it meets tax,
// docs/decisions/183-rules-make-list-prices-of-the-cost.md what rules make where nobody states one.

/** A list price in the currency in which it is stated. */
export interface StatedListPrice {
  amount: Exact
  currency: string
  source: Source
  /** What its source says of tax in it. */
  statedTax: Found<string> | null
  /** Whose tax is in it, by its source or else its supplier: a country, or `none`; null: nobody says, and it is shown as it is stated. */
  tax: string | null
}

/**
 * @param found the field as it is found. @param overrides of the product. @param sources the offers that fields come from.
 * @returns null where no source states one that can be read
 */
export function findListPrice(
  compiled: CompiledAccount,
  found: Found<string> | null,
  overrides: readonly OverrideInput[],
  sources: readonly OfferInput[],
): StatedListPrice | null {
  const kept = found === null ? null : keptListPrice(found.value)
  if (found === null || kept === null) return null
  const { source } = found
  const offer = offerOf(source, sources)
  const statedTax = findName('list_price_tax', offer === undefined ? overrides : [], offer === undefined ? [] : [offer])
  const ofSupplier =
    source.from === 'override' ? null : (compiled.suppliers.get(source.supplierId)?.listPriceTax ?? null)
  return {
    amount: exactOf(kept.amount),
    currency: kept.currency ?? offer?.currency ?? compiled.account.currency,
    source,
    statedTax,
    tax: statedTax?.value ?? ofSupplier,
  }
}

/**
 * How tax has to be taken out of a list price and added to it, so that prices can be compared with it. Where the store, or whoever states the list price,
 * says nothing of tax, the amount stays as it is stated.
 * @param shown what the price beside it says of tax; null: nothing.
 * @returns null: the rate of the country whose tax is in it is not known today
 */
export function listPriceTax(stated: string | null, shown: PriceTax | null, taxOf: TaxOf): AmountTax | null {
  if (stated === null || shown === null) return AS_STATED
  const into = shown.isIncluded ? shown.rate : null
  if (stated === NO_TAX) return { out: null, in: into }
  const out = taxOf(stated)
  if (out === null) return null
  // the same rate: taking it out and adding it again would change nothing
  return out === into ? AS_STATED : { out, in: into }
}

/** The list price as a price shows it: with or without tax, as that price is, and rounded once, to the minor digits of the currency; null without an exchange rate. */
export function listPriceIn(
  { amount, currency: from }: StatedListPrice,
  tax: AmountTax,
  currency: string,
  { money }: CompiledAccount,
): Exact | null {
  const converted = amountIn(amount, tax, [from, currency], money)
  return converted === null ? null : toMinor(settle(converted), currency)
}

/**
 * The prices that clients read in one store, each with the list price if that is above it; a lower one would look like a mistake. A price of a sale keeps
 * what it has beside it: the price from which it is reduced.
 */
export function besideListPrice<P extends Price>(
  prices: readonly P[],
  stated: StatedListPrice,
  taxOf: TaxOf,
  compiled: CompiledAccount,
): readonly P[] {
  // groups mostly share what they say of tax
  let known: { tax: PriceTax | null; listPrice: Exact | null } | undefined
  return prices.map((price) => {
    if (price.sale !== null) return price
    if (known === undefined || known.tax !== price.tax) {
      const tax = listPriceTax(stated.tax, price.tax, taxOf)
      known = { tax: price.tax, listPrice: tax === null ? null : listPriceIn(stated, tax, price.currency, compiled) }
    }
    const { listPrice } = known
    return listPrice !== null && isBelow(price.computedPrice, listPrice)
      ? { ...price, compareAtPrice: listPrice }
      : price
  })
}

/**
 * The prices that clients read in one store, of a product for which nobody states a list price, each with the list price that its rule makes; the same
 * array if no rule makes one. @param held the prices among them that are held. @param made prices that were made of the same cost.
 */
export function besideMadeListPrice(
  prices: readonly ComputedPrice[],
  cost: Cost | null,
  { money }: CompiledAccount,
  held: readonly Held[],
  made: MadePrices,
): readonly ComputedPrice[] {
  if (cost === null || prices.every(({ listPriceBy }) => listPriceBy === null)) return prices
  const amount = costBehind(prices, cost, money, made)
  if (amount === undefined) return prices
  return prices.map((price) => {
    if (price.listPriceBy === null) return price
    const listPrice = madePrice(price.listPriceBy, amount, price.currency, shownRate(price.tax), made)
    return whyNotBeside(listPrice, price, held) === null ? { ...price, compareAtPrice: listPrice } : price
  })
}

/** Why a price is not shown beside the list price that its rule makes; null: it is. */
export function whyNotBeside(
  listPrice: Exact,
  price: ComputedPrice,
  held: readonly Pick<Held, 'groupId'>[],
): MadeListPriceLeftOut | null {
  // a price is held because of a cost that nobody has confirmed yet, and the list price is made of that cost
  if (isHeld(price, held)) return 'held'
  if (price.sale !== null) return 'sale'
  return isBelow(price.computedPrice, listPrice) ? null : 'not_above_price'
}
