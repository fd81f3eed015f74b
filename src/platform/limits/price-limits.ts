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
  /** The European Central Bank's daily file has 2 kB. */
  bankRatesBytesMax: 65_536,
  bankRatesConnectTimeoutMs: 10_000,
  bankRatesTotalTimeoutMs: 30_000,
  /** Least time between two requests to the bank, by all processes together. */
  bankRatesAskMs: 3_600_000,
  /** Days whose rates are kept. */
  bankRatesDaysMax: 31,
  bankRatesAccountsPerStep: 200,
  bankRatesFailureLengthMax: 500,
} as const
