import type { MadeListPriceLeftOut } from '../../../contract/list-prices.ts'
import { keptListPrice } from '../../model/list-price.ts'
import { exactOf, isBelow, toMinor, type Exact } from '../../model/money.ts'
import type { Price, PriceTax } from '../../model/payload.ts'
import { amountIn, AS_STATED, type AmountTax } from './amount.ts'
import type { CompiledAccount } from '../compile.ts'
import { isHeld, type Held } from './guard.ts'
import type { OfferInput, OverrideInput } from '../inputs.ts'
import { costOfPrices, madePrice, shownRate, type ComputedPrice, type Cost, type MadePrices } from './price.ts'
import { settle } from './rounding.ts'
import { offerOf, type Found, type Source } from '../sourcing/sources.ts'
import { NO_TAX, type TaxOf } from '../sourcing/sourcing.ts'
import { findName } from '../content/text.ts'

// The list price of a product, such as a supplier's recommended price, which a shop shows beside its own.
// docs/decisions/173-a-list-price-is-a-field.md says why it is a field, docs/decisions/182-amounts-say-whose-tax-is-in-them.md how tax
// applies to it, and docs/decisions/183-rules-make-list-prices-of-the-cost.md which list prices rules make if nobody states one.

/** A list price in the currency that it is stated in. */
export interface StatedListPrice {
  amount: Exact
  currency: string
  source: Source
  /** The source's value of `list_price_tax`. */
  statedTax: Found<string> | null
  /** The country whose tax it includes, or `none`, by its source or else its supplier; null: unknown, so it is shown as stated. */
  tax: string | null
}

/**
 * @param found the resolved field. @param overrides of the product. @param sources offers in source order.
 * @returns null if no source states one that can be read
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
 * Rates to take out of a list price and to add to it, so that it compares with prices. If the store's prices or the list price state no tax, the
 * amount is left as stated.
 * @param shown the tax of the price beside it; null: none stated.
 * @returns null if the country of the list price's tax has no rate today
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

/**
 * The list price as a price shows it: with or without tax like that price, and rounded once, to the currency's minor unit; null if an exchange rate
 * is missing.
 */
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
 * The prices of one store, each with the list price if that is higher; a lower one would look like a mistake. A sale price keeps the price that it
 * reduces beside it.
 */
export function withStatedListPrice<P extends Price>(
  prices: readonly P[],
  stated: StatedListPrice,
  taxOf: TaxOf,
  compiled: CompiledAccount,
): readonly P[] {
  // most groups have the same tax
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
 * For a product without a stated list price: the prices of one store, each with the list price that its rule makes. The same array if no rule makes
 * one. @param held the prices among them that are held. @param made cached prices of the same cost.
 */
export function withRuleListPrice(
  prices: readonly ComputedPrice[],
  cost: Cost | null,
  { money }: CompiledAccount,
  held: readonly Held[],
  made: MadePrices,
): readonly ComputedPrice[] {
  if (cost === null || prices.every(({ listPriceBy }) => listPriceBy === null)) return prices
  const amount = costOfPrices(prices, cost, money, made)
  if (amount === undefined) return prices
  return prices.map((price) => {
    if (price.listPriceBy === null) return price
    const listPrice = madePrice(price.listPriceBy, amount, price.currency, shownRate(price.tax), made)
    return listPriceOmission(listPrice, price, held) === null ? { ...price, compareAtPrice: listPrice } : price
  })
}

/** Why the list price that a rule makes is not shown beside a price; null: it is shown. */
export function listPriceOmission(
  listPrice: Exact,
  price: ComputedPrice,
  held: readonly Pick<Held, 'groupId'>[],
): MadeListPriceLeftOut | null {
  // the price is held because its cost is unconfirmed, and the list price is made from that cost
  if (isHeld(price, held)) return 'held'
  if (price.sale !== null) return 'sale'
  return isBelow(price.computedPrice, listPrice) ? null : 'not_above_price'
}
