import { TAX_LIMITS } from './tax-limits.ts'

/** The limits of prices, of their tax and of price lists: a part of LIMITS (limits.ts). */
export const PRICE_LIMITS = {
  ...TAX_LIMITS,
  priceListsPerAccountMax: 100,
  priceListEntriesMax: 300_000,
  /** Of one request as JSON, and of a file. */
  priceListRowsAtOnceMax: 1_000,
  priceListFileRowsMax: 100_000,
  priceListFileBytesMax: 16_777_216,
  /** The largest jumps that a preview names. */
  priceListExamplesMax: 20,
  /** Products that a search in a price list looks at. */
  priceListProductsFound: 500,
  /** Prices from a quantity on, of one rule. */
  tiersPerRuleMax: 20,
  /** Pieces from which on a tier counts. */
  tierQuantityMax: 1_000_000,
  /** Products with a sale that is in force whose prices findings look at. */
  findingsSalesMax: 1_000,
  /** Payloads, and list prices, that findings compare with costs and prices. */
  findingsPricesMax: 20_000,
} as const
