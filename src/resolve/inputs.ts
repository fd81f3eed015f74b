import type { ExclusionKind } from '../../contract/exclusion-kinds.ts'
import type { NameField, OverrideField, SourceField, TextField } from '../../contract/product-fields.ts'

/** Everything `resolve` looks at. Read by shelf/inputs, made by hand in tests; plain values, no database types. */

export interface StoreInput {
  storeId: number
  slug: string
  locale: string
  currency: string
  /** Whether it lists a product that neither the hand nor an assortment rule decides. */
  listsByDefault: boolean
}

export interface GroupInput {
  groupId: number
  name: string
  /** The group whose price exclusion rules judge. */
  isDefault: boolean
}

/** How a price is brought to a step or an ending: to the next number k x step + ending in the direction. */
export interface RoundingInput {
  /** Decimal text above 0: 0.05, 1, 10. */
  step: string
  /** Decimal text, 0 or more and below the step: 0.99 with step 1 gives 12.99. */
  ending: string
  direction: 'up' | 'down' | 'nearest'
}

/** A pricing rule. Conditions are null when any value will do; all must match. Amounts are decimal texts. */
export interface RuleInput {
  ruleId: number
  name: string
  /** Lower is tried first, then the lower id; the default rule comes last whatever its priority. */
  priority: number
  isDefault: boolean
  isActive: boolean
  storeIds: readonly number[] | null
  groupIds: readonly number[] | null
  productIds: readonly number[] | null
  /** Of the offer whose cost the price is computed from; own cost has no supplier. */
  supplierIds: readonly number[] | null
  /** Letter case aside. */
  manufacturers: readonly string[] | null
  /** Paths; each stands for itself and all below it, letter case aside. */
  categories: readonly string[] | null
  /** The cost in the account's currency: at least this … */
  costMin: string | null
  /** … and less than this, so that tiers meet without a gap. */
  costBelow: string | null
  /** `YYYY-MM-DD`, first and last day in the account's time zone. */
  validFrom: string | null
  validTo: string | null
  action: 'markup' | 'margin' | 'fixed'
  /** markup: percent of the cost on top of it, from -100; margin: percent of the price that is not cost, below 100. */
  percent: string | null
  /** Of the action `fixed`. */
  fixedPrice: string | null
  /** Added to the price, or taken off when negative. */
  addition: string | null
  /** The lowest share of the price, in percent, that must not be cost. */
  floorMarginPercent: string | null
  /** The least that must be left over the cost. */
  floorProfit: string | null
  floorPrice: string | null
  ceilingPrice: string | null
  /** Of fixedPrice, addition, floorProfit, floorPrice and ceilingPrice; null: the account's. */
  currency: string | null
  /** By the store's currency; a currency without an entry rounds to its minor digits. */
  rounding: Readonly<Record<string, RoundingInput>>
}

export interface ExclusionRuleInput {
  ruleId: number
  name: string
  /** What a client reads. */
  reason: string
  /** Lower is tried first, then the lower id. */
  priority: number
  isActive: boolean
  /** null: every store. */
  storeIds: readonly number[] | null
  kind: ExclusionKind
  /** Manufacturers, or category paths that stand for all below them. */
  names: readonly string[] | null
  /** Of the best offer. */
  supplierIds: readonly number[] | null
  /** A price of the default group, or a margin in percent. */
  amount: string | null
  /** Of a price bound; null: the account's. */
  currency: string | null
}

/** Conditions are null when any value will do; all must match. */
export interface AssortmentRuleInput {
  ruleId: number
  storeId: number
  name: string
  /** Lower is tried first, then the lower id. */
  priority: number
  isActive: boolean
  /** What the rule decides. */
  isListed: boolean
  /** Any of these offers the product, in stock or not. */
  supplierIds: readonly number[] | null
  manufacturers: readonly string[] | null
  categories: readonly string[] | null
}

export interface SourceOrderInput {
  field: SourceField
  /** Asked first, in this order; the others follow by their priority. */
  supplierIds: readonly number[]
}

export interface SupplierInput {
  supplierId: number
  code: string
  /** Lower goes first. */
  priority: number
  /** Pieces taken off every reported quantity. */
  safetyBuffer: number
  isActive: boolean
}

export interface AttributeDefinitionInput {
  key: string
  /** For locales that `units` does not name. */
  unit: string | null
  /** locale -> unit. */
  units: Readonly<Record<string, string>>
  position: number
  /** locale -> label without the unit. */
  labels: Readonly<Record<string, string>>
  /** Value as stated -> locale -> text shown. */
  options: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** A category of the account's own, and the suppliers' paths that stand for it, each with all below it. */
export interface CategoryInput {
  categoryId: number
  path: string
  supplierPaths: readonly string[]
}

/** What all products of an account share. */
export interface AccountInputs {
  /** The account's currency: costs are compared in it. */
  currency: string
  /** The last locale a text falls back to. */
  locale: string
  /** As of which day in the account's time zone, `YYYY-MM-DD`. */
  day: string
  /** Template of the exported SKU (model/sku-pattern); null: the product's own key. */
  skuPattern: string | null
  /** A price that would rise or fall by more than this factor is held back; null: none is. */
  priceJumpFactor: string | null
  stores: readonly StoreInput[]
  groups: readonly GroupInput[]
  rules: readonly RuleInput[]
  /** Currency -> decimal text: how many units of it one unit of the account's currency buys. */
  rates: Readonly<Record<string, string>>
  suppliers: readonly SupplierInput[]
  attributes: readonly AttributeDefinitionInput[]
  categories: readonly CategoryInput[]
  exclusionRules: readonly ExclusionRuleInput[]
  assortmentRules: readonly AssortmentRuleInput[]
  sourceOrders: readonly SourceOrderInput[]
}

/** One offer. A name is null when the supplier has none; a category is a path, its levels joined by `/`. */
export interface OfferInput extends Readonly<Record<NameField, string | null>> {
  supplierId: number
  supplierSku: string
  /** Decimal text in `currency`; null when the supplier states none. */
  cost: string | null
  currency: string
  /** As reported, before the safety buffer. */
  quantity: number
  /** By locale. */
  texts: Readonly<Record<string, Readonly<Partial<Record<TextField, string | null>>>>>
  attributes: readonly { key: string; value: string }[]
  images: readonly string[]
}

export interface OverrideInput {
  field: OverrideField
  /** '' for a field that is the same in every locale. */
  locale: string
  /** Of images: a JSON array of URLs in their order; an empty one shows none. */
  value: string
}

export interface AttributeOverrideInput {
  key: string
  /** '' is every locale. */
  locale: string
  /** null hides the attribute. */
  value: string | null
}

export interface EanInput {
  ean: string
  /** Chosen by the owner. */
  isPrimary: boolean
  /** The offer that states it; supplier 0 is the owner. */
  supplierId: number
  supplierSku: string
  /** Among the EANs of one offer. */
  position: number
}

/**
 * What is known of one product. The order of every list here is without meaning but for images and attributes of an offer.
 * Offers of suppliers that the account does not have, or no more, do not count.
 */
export interface ProductInputs {
  productId: number
  sku: string | null
  isDeleted: boolean
  eans: readonly EanInput[]
  offers: readonly OfferInput[]
  /** Cost in the account's currency. */
  ownStock: { quantity: number; cost: string | null } | null
  overrides: readonly OverrideInput[]
  attributeOverrides: readonly AttributeOverrideInput[]
  /** By hand; goes before every assortment rule. */
  listings: readonly { storeId: number; isListed: boolean }[]
  /** By hand; store 0 is every store. */
  exclusions: readonly { storeId: number; reason: string }[]
  holds: readonly HoldInput[]
}

/** A price that jumped and waits to be confirmed; amounts in `currency`, which was the store's. */
export interface HoldInput {
  storeId: number
  groupId: number
  currency: string
  /** What is shown meanwhile. */
  shownCost: string
  shownPrice: string
  shownRuleId: number
}
