import type { ContentUnit } from '../../contract/content-units.ts'
import type { ExclusionKind } from '../../contract/exclusion-kinds.ts'
import type { ContentBody } from '../../contract/schemas.ts'
import type { NameField, SourceField, TextField } from '../../contract/product-fields.ts'
import type { Exclusion } from './rules/exclusion.ts'
import type { MadeListPriceLeftOut } from '../../contract/list-prices.ts'
import type { TierLeftOut } from '../../contract/tiers.ts'
import type { TypedValue } from './content/typed-value.ts'
import type { ResolvedImage } from './content/images.ts'
import type { ExplainedSlug } from './explain/explain-slug.ts'
import type { PriceCondition } from './prices/price-rules.ts'
import type { Cost, PriceStep } from './prices/price.ts'
import type { SaleOutcome } from './prices/sale-price.ts'
import type { Ineligible, SourcingCriterion } from './sourcing/sourcing.ts'
import type { Found, Source } from './sourcing/sources.ts'

// The result of `explain`: plain values that are written to JSON unchanged, with member names in snake case. Amounts are decimal
// texts, rounded only where a step rounds.

type ExplainedTexts = Readonly<Record<TextField | NameField | 'ean', ExplainedValue<string>>>

export interface Explanation extends ExplainedTexts {
  productId: number
  storeId: number
  store: string
  /** The day that rules are compared with, in the account's time zone, `YYYY-MM-DD`. */
  day: string
  listing: ExplainedListing
  /** All offers: competing ones best first, then the others. */
  offers: ExplainedOffer[]
  stock: ExplainedStock
  baseCost: ExplainedCost | null
  /** null if no source states a list price. */
  listPriceInStore: ExplainedTaxedListPrice | null
  /** null if no source states a sale. */
  saleInStore: ExplainedSale | null
  /** The tax of prices, unless their group has its own; null: the store has no tax country. */
  tax: ExplainedTax | null
  prices: ExplainedPrice[]
  category: ExplainedCategory
  images: ExplainedImages
  sku: ExplainedSku
  /** null if the account has not enabled the member. */
  slug: ExplainedSlug | null
  attributes: ExplainedAttribute[]
  group: ExplainedGroup
  exclusion: ExplainedExclusion
}

export interface ExplainedListing {
  isListed: boolean
  by: 'deleted' | 'hand' | 'rule' | 'default'
  rules: { ruleId: number; name: string; priority: number; lists: boolean; isApplied: boolean; unmet: string[] }[]
}

export interface ExplainedOffer {
  supplierId: number
  supplierCode: string | null
  supplierSku: string
  /** 1 is the best; null if the offer does not compete. */
  rank: number | null
  /** Why it does not compete. */
  ineligible: Ineligible | null
  /** The first criterion by which the best offer precedes this one. */
  behindBestBy: SourcingCriterion | null
  cost: string | null
  currency: string
  /** In the account's currency. */
  comparableCost: string | null
  reportedQuantity: number
  safetyBuffer: number
  /** max(0, reported - safety buffer). */
  quantity: number
}

export interface ExplainedStock {
  own: number
  bestSupplier: number
  total: number
}

export interface ExplainedCost {
  source: Cost['source']
  supplierId: number | null
  amount: string
  currency: string
  /** From the cost in its own currency to the store's, unrounded; empty if a rate is missing. */
  steps: PriceStep[]
  /** As shown, in the store's currency; null if a rate is missing. */
  shown: string | null
}

export interface ExplainedListPrice {
  amount: string
  currency: string
  /** From the amount in its own currency to the store's, unrounded; empty if a rate is missing. */
  steps: PriceStep[]
  /** As shown beside lower prices; null if a rate is missing. */
  shown: string | null
}

/** A list price converted to include or exclude tax like the prices beside it. */
export interface ExplainedTaxedListPrice extends ExplainedListPrice {
  /** The country whose rate is missing today, which hides the list price; null: none is missing. */
  taxRateMissing: string | null
}

/** A sale, in force or not. The explained fields `sale_price`, `sale_begins_on` and `sale_ends_on` have its source. */
export interface ExplainedSale extends ExplainedListPrice {
  state: 'in_force' | 'not_begun' | 'ended'
}

export interface ExplainedTax {
  /** The key of the product's class; null: none. */
  class: string | null
  /** The origin of the class: the field `tax_class` of the owner or a supplier, a category, or the account's default class. */
  by: 'override' | 'supplier' | 'category' | 'default' | null
  /** The path of the category that has the class; null if it is from elsewhere. */
  category: string | null
  country: string
  /** Percent; null: the class has no rate in the country today. */
  rate: string | null
  /** Whether prices include it. */
  isIncluded: boolean
  /** Whether a missing rate leaves the product without prices, for every group. True if prices of any group include tax. */
  isPriceless: boolean
}

export interface ExplainedUnitPrice {
  /** As shown; null: left out. */
  value: string | null
  unit: ContentUnit
  referenceQuantity: string
  leftOut: 'same_as_price' | 'zero' | null
  /** From the price as shown. */
  steps: PriceStep[]
}

/** The tax of one group's price. */
export type ExplainedPriceTax = Pick<ExplainedTax, 'country' | 'rate' | 'isIncluded'>

export interface ExplainedPrice {
  groupId: number
  group: string
  /** In the order in which rules are tried. */
  rules: {
    ruleId: number
    name: string
    priority: number
    isDefault: boolean
    isApplied: boolean
    unmet: PriceCondition[]
  }[]
  appliedRuleId: number | null
  /** From the unrounded cost in the store's currency to the price. */
  steps: PriceStep[]
  /** As shown; null if no rule applies, or if any group's price is a zero that no rule states. */
  price: string | null
  /** The price list that overrides the rule's price; null: none. */
  priceList: { key: string; name: string } | null
  /** The rule makes a price of 0 without stating it. The product then has no price in the store, for any group. */
  isUnstatedZero: boolean
  currency: string
  /** null: the store has no tax country. */
  tax: ExplainedPriceTax | null
  /** The list price for this group, if tax makes it different from `listPriceInStore`; null: it is the same. */
  listPrice: ExplainedTaxedListPrice | null
  /** The list price that the applied rule makes from the cost if nobody states one; null: none. */
  madeListPrice: ExplainedMadeListPrice | null
  /** The amount shown beside `price`: in a sale, the price without it, otherwise the list price if that is above `price`. */
  compareAtPrice: string | null
  /** The lowest price in the 30 days before the sale; null: no sale, or no known prices. */
  lowestPrice30Days: string | null
  /** The outcome of a sale in force; null: none is, or its price has no exchange rate to the store's currency. */
  sale: SaleOutcome | null
  /** The rule's tiers for this price by ascending quantity, including those left out. */
  tiers: ExplainedTier[]
  /** The unit price of `price`; null if there is no price or no content is stated. */
  unitPrice: ExplainedUnitPrice | null
  /** Set if the price jumped: `price` is the held one, shown until the wanted one is confirmed. */
  held: { wantedPrice: string; wantedRuleId: number; factor: string } | null
}

export interface ExplainedMadeListPrice {
  /** From the unrounded cost in the store's currency. */
  steps: PriceStep[]
  /** The result of the steps. */
  price: string
  /** Why it is not shown beside the price; null: it is. */
  leftOut: MadeListPriceLeftOut | null
}

export interface ExplainedTier {
  quantity: number
  /** From the price as shown, or from the price that the rule states for the tier. */
  steps: PriceStep[]
  /** The result of the steps. */
  price: string
  /** Why clients do not read it; null: they do. */
  leftOut: TierLeftOut | null
}

export interface ExplainedValue<T> {
  value: T | null
  source: Source | null
  /** Suppliers in source order for the field. */
  asked: { field: SourceField; supplierIds: number[] }
}

export interface ExplainedCategory extends ExplainedValue<string> {
  /** The source's path; `value` is the account's category that it is mapped to, if any. */
  stated: string | null
  /** The account's category of the product, as the payload shows it. */
  own: NonNullable<ContentBody['categories']>[number] | null
}

export interface ExplainedImages extends ExplainedValue<readonly string[]> {
  /** All pictures of the source in order, including those left out. */
  states: readonly ExplainedPicture[]
}

export interface ExplainedPicture extends ResolvedImage {
  /** The alternative text; null: nobody states one in a locale of the store. */
  alt: Found<string> | null
}

export interface ExplainedSku {
  value: string | null
  /** null: the product's own SKU is used. */
  pattern: string | null
  /** The placeholder without a value, in which case `value` is null; null: none. */
  missing: string | null
  steps: readonly { placeholder: string; value: string | null; result: string | null }[]
}

export interface ExplainedAttribute {
  key: string
  label: string
  value: string
  /** The source's value, before options and notation are applied. */
  stated: string
  /** The value read by the definition's type; null without a type. */
  typed: TypedValue | null
  source: Source
}

export interface ExplainedGroup {
  value: NonNullable<ContentBody['group']> | null
  /** The owner, or the first offer that states a group and so gives the key. */
  source: Source | null
  /** The owner's statement: a group, or none (`groupId` null); null: the owner states nothing, so suppliers decide. */
  own: { groupId: number | null } | null
  /** Every offer that states a group, in source order. Shelving joins all of them into one group. */
  stated: { supplierId: number; supplierSku: string; key: string }[]
}

export interface ExplainedExclusion {
  excluded: boolean
  /** The first of `found`. */
  reason: string | null
  /** All reasons to exclude the product, in order. */
  found: Exclusion[]
  /** The store's rules in the order in which they are tried. */
  rules: { ruleId: number; name: string; priority: number; kind: ExclusionKind; reason: string; isMatch: boolean }[]
}
