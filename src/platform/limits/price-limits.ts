import { TAX_LIMITS } from './tax-limits.ts'

/** The limits of prices, of their tax and of price lists: a part of LIMITS (limits.ts). */
export const PRICE_LIMITS = {
  ...TAX_LIMITS,
  priceListsPerAccountMax: 100,
  priceListEntriesMax: 300_000,
  /** Entries in one request as JSON, and rows in a file. */
  priceListRowsAtOnceMax: 1_000,
  priceListFileRowsMax: 100_000,
  priceListFileBytesMax: 16_777_216,
  /** The largest jumps that a preview names. */
  priceListExamplesMax: 20,
  /** Products that a search in a price list finds. */
  priceListProductsFound: 500,
  /** Tiers of one rule. */
  tiersPerRuleMax: 20,
  /** The largest quantity from which a tier may apply. */
  tierQuantityMax: 1_000_000,
  /** Products with a current sale whose prices findings check. */
  findingsSalesMax: 1_000,
  /** Payloads, and list prices, that findings compare with costs and prices. */
  findingsPricesMax: 20_000,
  /** The European Central Bank's daily file has 2 kB. */
  bankRatesBytesMax: 65_536,
  bankRatesConnectTimeoutMs: 10_000,
  bankRatesTotalTimeoutMs: 30_000,
  /** The shortest time between two requests to the bank, by all processes together. */
  bankRatesAskMs: 3_600_000,
  /** Days for which rates are kept. */
  bankRatesDaysMax: 31,
  bankRatesAccountsPerStep: 200,
  bankRatesFailureLengthMax: 500,
} as const
