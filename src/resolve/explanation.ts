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

// The result of `explain`: plain values that go into JSON unchanged, member by member in snake case. Amounts are
// decimal texts, unrounded except where a step rounds.

type ExplainedTexts = Readonly<Record<TextField | NameField | 'ean', ExplainedValue<string>>>

export interface Explanation extends ExplainedTexts {
  productId: number
  storeId: number
  store: string
  /** The day in the account's time zone that rules are compared with. */
  day: string
  listing: ExplainedListing
  /** Every offer: those that compete best first, then those that do not. */
  offers: ExplainedOffer[]
  stock: ExplainedStock
  baseCost: ExplainedCost | null
  /** The list price; null where no source states one. */
  listPriceInStore: ExplainedTaxedListPrice | null
  /** The sale; null where no source states one. */
  saleInStore: ExplainedSale | null
  /** What prices say of tax unless their group says otherwise; null: the store says nothing of it. */
  tax: ExplainedTax | null
  prices: ExplainedPrice[]
  category: ExplainedCategory
  images: ExplainedImages
  sku: ExplainedSku
  /** null where the account does not read the member. */
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
  /** 1 is the best; null when the offer does not compete. */
  rank: number | null
  /** Why it does not compete. */
  ineligible: Ineligible | null
  /** The first criterion by which the best offer is better than this one. */
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
  /** From the cost in its own currency to the store's, unrounded; empty without a rate. */
  steps: PriceStep[]
  /** As shown, in the store's currency; null without a rate. */
  shown: string | null
}

export interface ExplainedListPrice {
  amount: string
  currency: string
  /** From the amount in its own currency to the store's, unrounded; empty without a rate. */
  steps: PriceStep[]
  /** As prices below it show it; null without a rate. */
  shown: string | null
}

/** A list price with or without tax, as the prices beside it. */
export interface ExplainedTaxedListPrice extends ExplainedListPrice {
  /** The country whose rate is not known today, without which nothing shows the list price; null: none is missing. */
  taxRateMissing: string | null
}

/** A sale, in force or not; its fields have who states them. */
export interface ExplainedSale extends ExplainedListPrice {
  state: 'in_force' | 'not_begun' | 'ended'
}

export interface ExplainedTax {
  /** The key of the product's class; null: it is in none. */
  class: string | null
  /** Who says so: the field `tax_class`, of the owner or of a supplier, a category, or the account by its default class. */
  by: 'override' | 'supplier' | 'category' | 'default' | null
  /** The path of the account's category that names it; null unless one does. */
  category: string | null
  country: string
  /** Percent; null: the class has none there today. */
  rate: string | null
  /** Whether prices have it in them. */
  isIncluded: boolean
  /** They would, for any customer group, but the rate is not known: there is no price for any. */
  isPriceless: boolean
}

export interface ExplainedUnitPrice {
  /** As shown; null: left out. */
  value: string | null
  unit: ContentUnit
  referenceQuantity: string
  leftOut: 'same_as_price' | 'zero' | null
  /** From the price as it is shown. */
  steps: PriceStep[]
}

/** What the price of one group says of tax. */
export type ExplainedPriceTax = Pick<ExplainedTax, 'country' | 'rate' | 'isIncluded'>

export interface ExplainedPrice {
  groupId: number
  group: string
  /** In the order in which they are tried. */
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
  /** As shown; null when no rule applies, or when the price of any group is a zero that no rule states. */
  price: string | null
  /** The list that says the price in place of the rule; null: none does. */
  priceList: { key: string; name: string } | null
  /** The rule makes a price of 0 without stating it: then the product has no price in the store, for any group. */
  isUnstatedZero: boolean
  currency: string
  /** null: the store says nothing of it. */
  tax: ExplainedPriceTax | null
  /** The list price as this group compares it, where tax makes it another one than in `listPriceInStore`; null: it is that one. */
  listPrice: ExplainedTaxedListPrice | null
  /** The list price that the applied rule makes of the cost, where nobody states one; null: it makes none. */
  madeListPrice: ExplainedMadeListPrice | null
  /** In a sale the price without it, else the list price where it is above `price`: shown beside it. */
  compareAtPrice: string | null
  /** The lowest price in the 30 days before the sale; null: there is none, or nothing is known of them. */
  lowestPrice30Days: string | null
  /** What became of the sale that is in force; null: none is, or its price is none in the store. */
  sale: SaleOutcome | null
  /** What the rule makes of `price` for quantities, by rising quantity, also what is left out. */
  tiers: ExplainedTier[]
  /** The unit price beside `price`; null where nothing states a content, and where there is no price. */
  unitPrice: ExplainedUnitPrice | null
  /** Set when the price jumped: `price` is the held one, shown until the wanted one is confirmed. */
  held: { wantedPrice: string; wantedRuleId: number; factor: string } | null
}

export interface ExplainedMadeListPrice {
  /** From the unrounded cost in the store's currency. */
  steps: PriceStep[]
  /** What the steps come to. */
  price: string
  /** Why the price is not shown beside it; null: it is. */
  leftOut: MadeListPriceLeftOut | null
}

export interface ExplainedTier {
  quantity: number
  /** From the price as it is shown, or from the price that the rule states for the tier. */
  steps: PriceStep[]
  /** What the steps come to. */
  price: string
  /** Why no client reads it; null: they do. */
  leftOut: TierLeftOut | null
}

export interface ExplainedValue<T> {
  value: T | null
  source: Source | null
  /** Suppliers in the order in which the field is taken from them. */
  asked: { field: SourceField; supplierIds: number[] }
}

export interface ExplainedCategory extends ExplainedValue<string> {
  /** As the source has it; `value` is the account's category that it is mapped to, if there is one. */
  stated: string | null
  /** The account's category that the product is in, as the payload shows it. */
  own: NonNullable<ContentBody['categories']>[number] | null
}

export interface ExplainedImages extends ExplainedValue<readonly string[]> {
  /** Every picture of the source in its order, also those that are left out. */
  states: readonly ExplainedPicture[]
}

export interface ExplainedPicture extends ResolvedImage {
  /** What it shows; null: nobody says it in a language that the store takes. */
  alt: Found<string> | null
}

export interface ExplainedSku {
  value: string | null
  /** null: the product's own key. */
  pattern: string | null
  /** The placeholder for which there is no value; `value` is null then. */
  missing: string | null
  steps: readonly { placeholder: string; value: string | null; result: string | null }[]
}

export interface ExplainedAttribute {
  key: string
  label: string
  value: string
  /** As the source has it, before options and notation. */
  stated: string
  /** What it is by the type of its definition; null where that states none. */
  typed: TypedValue | null
  source: Source
}

export interface ExplainedGroup {
  value: NonNullable<ContentBody['group']> | null
  /** The owner, or the first offer that states a group: it gives the key. */
  source: Source | null
  /** What the owner says: the group, or none; null: nothing, and suppliers decide. */
  own: { groupId: number | null } | null
  /** Every offer that states one, in the order in which they are asked; all of them are joined into one group. */
  stated: { supplierId: number; supplierSku: string; key: string }[]
}

export interface ExplainedExclusion {
  excluded: boolean
  /** The first of `found`. */
  reason: string | null
  /** All that excludes the product, in order. */
  found: Exclusion[]
  /** Rules of the store in the order in which they are tried. */
  rules: { ruleId: number; name: string; priority: number; kind: ExclusionKind; reason: string; isMatch: boolean }[]
}
