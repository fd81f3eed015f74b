import type { TierBy } from '../../contract/tiers.ts'
import type { AdditionalMember } from '../../contract/additional-members.ts'
import type { AttributeType } from '../../contract/attribute-types.ts'
import type { ExclusionKind } from '../../contract/exclusion-kinds.ts'
import type { ConditionsOf } from '../../contract/rule-conditions.ts'
import type { ImageAlts } from '../model/image-alts.ts'
import type { CostTier, OfferGroup } from '../model/offer.ts'
import type { NameField, OverrideField, SourceField, TextField } from '../../contract/product-fields.ts'

/**
 * All inputs of `resolve`: plain values without database types. src/shelf/inputs/read-inputs.ts reads them; tests make their
 * own.
 */

export interface StoreInput {
  storeId: number
  slug: string
  locale: string
  currency: string
  /** Whether the store lists products that have no manual listing and match no assortment rule. */
  listsByDefault: boolean
  /** ISO 3166-1: the country whose tax prices state; null: prices state no tax. */
  taxCountry: string | null
  /** Whether prices include that tax; only with a country. */
  pricesIncludeTax: boolean
}

/** A tax class and its rates, at most one per country and first day. */
export interface TaxClassInput {
  key: string
  isDefault: boolean
  /** Suppliers' names for the class. */
  codes: readonly string[]
  /** `validFrom` is the first day, `YYYY-MM-DD`; `percent` is a decimal text from 0 to 100. */
  rates: readonly { country: string; validFrom: string; percent: string }[]
}

/** A price list. Its entries are inputs of the products. */
export interface PriceListInput {
  key: string
  name: string
  /** It applies only in stores of this currency. */
  currency: string
  /** null: every store of this currency. */
  storeIds: readonly number[] | null
  /** The group of entries that name none; null: every group. */
  groupId: number | null
  /** The first and the last day, `YYYY-MM-DD`; null: unlimited. */
  validFrom: string | null
  validTo: string | null
  /** The list with the lower number wins. */
  priority: number
  isActive: boolean
  /** A text that sorts by time: of lists with equal priority the newest wins. */
  createdAt: string
}

/** A product's price in a list, as it will be shown. */
export interface PriceListEntryInput {
  listKey: string
  /** 0: the list's group, or every group. */
  groupId: number
  /** Decimal text above 0. */
  amount: string
}

export interface GroupInput {
  groupId: number
  name: string
  /** The group whose price exclusion rules compare. */
  isDefault: boolean
  /** ISO 3166-1: the country whose tax this group's prices state, in stores that have a country; null: the store's country. */
  taxCountry: string | null
  /** Whether this group's prices include tax, in stores that have a country; null: as in the store. */
  pricesIncludeTax: boolean | null
}

/** Rounds a price in a direction to a number k x step + ending, where k is a whole number. */
export interface RoundingInput {
  /** Decimal text above 0: 0.05, 1, 10. */
  step: string
  /** Decimal text, 0 or more and below the step: 0.99 with step 1 gives 12.99. */
  ending: string
  direction: 'up' | 'down' | 'nearest'
}

/** A pricing rule. Amounts are decimal texts. */
export interface RuleInput extends ConditionsOf<'pricing'> {
  ruleId: number
  name: string
  /** Rules with a lower number are tried first, then by lower id; the default rule is always last. */
  priority: number
  isDefault: boolean
  isActive: boolean
  action: 'markup' | 'margin' | 'fixed'
  /** markup: percent of the cost to add, from -100; margin: percent of the price that is not cost, below 100. */
  percent: string | null
  /** The price of the action `fixed`. */
  fixedPrice: string | null
  /** Added to the price; negative to subtract. */
  addition: string | null
  /** The lowest share of the price, in percent, that is not cost. */
  floorMarginPercent: string | null
  /** The lowest difference between price and cost. */
  floorProfit: string | null
  floorPrice: string | null
  ceilingPrice: string | null
  /** The currency of fixedPrice, addition, floorProfit, floorPrice, ceilingPrice and of tiers; null: the account's. */
  currency: string | null
  /** By the store's currency; prices in a currency without an entry are rounded to its minor unit. */
  rounding: Readonly<Record<string, RoundingInput>>
  /** Whether the rule's price precedes prices of lists. */
  overPriceLists: boolean
  /** By ascending quantity; null: none. */
  tiers: readonly TierInput[] | null
  /** Whether tiers may be at or above the price. */
  tiersAbovePrice: boolean
  /** Whether tiers are made from the supplier's cost tiers instead of `tiers`. */
  tiersFromSupplier: boolean
  /** Percent above the cost that makes the list price if nobody states one, above 0; null: no list price is made. */
  listPricePercent: string | null
}

/** A rule's price from a quantity on. */
export interface TierInput {
  /** Pieces, 2 or more. */
  quantity: number
  /** What `amount` is: a percentage or an amount off the price as shown, or the price itself. */
  by: TierBy
  /** Decimal text; money is in the rule's currency. */
  amount: string
}

export interface ExclusionRuleInput {
  ruleId: number
  name: string
  /** The `exclusion_reason` that clients read. */
  reason: string
  /** Rules with a lower number are tried first, then by lower id. */
  priority: number
  isActive: boolean
  /** null: every store. */
  storeIds: readonly number[] | null
  kind: ExclusionKind
  /** Manufacturers, or category paths, which include all below them. */
  names: readonly string[] | null
  /** Suppliers of the best offer. */
  supplierIds: readonly number[] | null
  /** The amount that the kind needs: see contract/exclusion-kinds.ts. */
  amount: string | null
  /** The currency of an amount of money; null: the account's. */
  currency: string | null
}

export interface AssortmentRuleInput extends ConditionsOf<'assortment'> {
  ruleId: number
  storeId: number
  name: string
  /** Rules with a lower number are tried first, then by lower id. */
  priority: number
  isActive: boolean
  /** Whether matching products are listed or not. */
  isListed: boolean
}

export interface SourceOrderInput {
  field: SourceField
  /** These suppliers come first, in this order; the others follow by priority. */
  supplierIds: readonly number[]
}

export interface SupplierInput {
  supplierId: number
  code: string
  /** Suppliers with a lower number come first. */
  priority: number
  /** Pieces subtracted from every reported quantity. */
  safetyBuffer: number
  isActive: boolean
  /** ISO 3166-1: the country whose tax its costs include; null: costs are net. */
  costTaxCountry: string | null
  /** ISO 3166-1: the country whose tax its list prices include, or `none`; null: they are shown as stated. */
  listPriceTax: string | null
}

export interface AttributeDefinitionInput {
  key: string
  /** For locales without an entry in `units`. */
  unit: string | null
  /** locale -> unit. */
  units: Readonly<Record<string, string>>
  position: number
  /** locale -> label without the unit. */
  labels: Readonly<Record<string, string>>
  /** The supplier's value -> locale -> the text to show. */
  options: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** null: payloads have only `value`. */
  type: AttributeType | null
  /** Separates the entries of a list; null: the usual separators. */
  separator: string | null
  /** The decimal sign of its numbers; null: inferred where a number shows it. */
  decimal: '.' | ',' | null
}

/** A category of the account, with the supplier paths mapped to it; each mapping includes all paths below. */
export interface CategoryInput {
  categoryId: number
  path: string
  /** locale -> name. Without one, the last level of the path is the name. */
  names: Readonly<Record<string, string>>
  /** The shop's own id of the category. */
  externalId: string | null
  supplierPaths: readonly string[]
  /** The key of the tax class of products in it and below it; null: that of the nearest category above that has one. */
  taxClass: string | null
}

/** The inputs that all products of an account share. */
export interface AccountInputs {
  /** The account's currency, in which costs are compared. */
  currency: string
  /** The locale that texts fall back to last. */
  locale: string
  /** Whether a text that is missing in a store's whole chain is taken from any other locale. */
  anyLocale: boolean
  /** The current day in the account's time zone, `YYYY-MM-DD`. */
  day: string
  /** Template of the exported SKU (model/sku-pattern); null: the product's own SKU. */
  skuPattern: string | null
  /** Decimal text. A price that would rise or fall by more than this factor is held; null: no guard. */
  priceJumpFactor: string | null
  stores: readonly StoreInput[]
  groups: readonly GroupInput[]
  rules: readonly RuleInput[]
  /** Currency -> units of it that one unit of the account's currency buys, as decimal text. */
  rates: Readonly<Record<string, string>>
  suppliers: readonly SupplierInput[]
  attributes: readonly AttributeDefinitionInput[]
  categories: readonly CategoryInput[]
  exclusionRules: readonly ExclusionRuleInput[]
  assortmentRules: readonly AssortmentRuleInput[]
  sourceOrders: readonly SourceOrderInput[]
  taxClasses: readonly TaxClassInput[]
  priceLists: readonly PriceListInput[]
  /** The base URL of mirrored pictures, without a trailing slash; null: every picture is shown by its original URL. */
  imageBase: string | null
  /** Optional payload members that the account has enabled, in payload order. */
  additionalMembers: readonly AdditionalMember[]
}

/** The registered state of an original picture. */
export interface ImageInput {
  state: 'pending' | 'mirrored' | 'dead'
  /** The path of our copy below `imageBase`, with a leading slash; null without a copy. */
  path: string | null
  /** Why it is dead, or why the last fetch failed. */
  reason: string | null
  /** Our copy; null without one. */
  copy: ImageCopy | null
}

/** A stored picture: SHA-256 of its bytes in hexadecimal, media type, and size in pixels as displayed. */
export interface ImageCopy {
  hash: string
  type: string
  width: number | null
  height: number | null
}

/** One offer. A name is null if the supplier states none; a category is a path with levels joined by `/`. */
export interface OfferInput extends Readonly<Record<NameField, string | null>> {
  supplierId: number
  supplierSku: string
  /** Decimal text in `currency`; null if the supplier states none. */
  cost: string | null
  /** Costs from a quantity on, as stated beside the cost; null: none. */
  costTiers: readonly CostTier[] | null
  currency: string
  /** Pieces as reported, before the safety buffer is subtracted. */
  quantity: number
  /** Texts by locale. */
  texts: Readonly<Record<string, Readonly<Partial<Record<TextField, string | null>>>>>
  attributes: readonly { key: string; value: string }[]
  images: readonly string[]
  /** Alternative texts of these pictures; null: none. */
  imageAlts: ImageAlts | null
  /** The variant group that it states. */
  group: OfferGroup | null
}

export interface OverrideInput {
  field: OverrideField
  /** '' for a field that is the same in every locale. */
  locale: string
  /** For images, a JSON array of URLs in order (an empty array shows none); for alternative texts, a JSON object by URL. */
  value: string
}

export interface AttributeOverrideInput {
  key: string
  /** '' for every locale not named. */
  locale: string
  /** null hides the attribute. */
  value: string | null
}

export interface EanInput {
  ean: string
  /** Whether the owner chose it. */
  isPrimary: boolean
  /** The supplier of the offer that states it; 0: the owner. */
  supplierId: number
  supplierSku: string
  /** The position among the EANs of one offer. */
  position: number
}

/**
 * What is known about one product. The order of the lists has no meaning, except for the images, attributes and tiers
 * of an offer. Offers of suppliers that are not among the account's do not count.
 */
export interface ProductInputs {
  productId: number
  sku: string | null
  isDeleted: boolean
  /** As the API writes timestamps; '' if only prices are resolved. */
  createdAt: string
  eans: readonly EanInput[]
  offers: readonly OfferInput[]
  /** Cost in the account's currency. */
  ownStock: { quantity: number; cost: string | null } | null
  overrides: readonly OverrideInput[]
  attributeOverrides: readonly AttributeOverrideInput[]
  /** Manual listings; they take precedence over assortment rules. */
  listings: readonly { storeId: number; isListed: boolean }[]
  /** Manual exclusions; store 0 is every store. */
  exclusions: readonly { storeId: number; reason: string }[]
  holds: readonly HoldInput[]
  /** Entries in any of the account's lists. */
  listEntries: readonly PriceListEntryInput[]
  /**
   * The prices that clients read before, store by store, the oldest first; read only if a sale is in force, otherwise empty.
   */
  priceHistory: readonly PriceHistoryInput[]
  /** By imageKey (content/images.ts). A picture without an entry has not been fetched yet. */
  images: Readonly<Record<string, ImageInput>>
  /** Registered statements about its variant group; empty if there are none. */
  groups: readonly GroupPlace[]
  /** Current slugs, by store. */
  slugs: readonly { storeId: number; slug: string }[]
  /** The owner's statement about its group, which precedes the offers; null: none. */
  ownGroup: OwnGroupInput | null
}

/** The prices of a product in a store from a day on, until the store's next entry. */
export interface PriceHistoryInput {
  storeId: number
  /** In the account's time zone, `YYYY-MM-DD`. */
  from: string
  /** As `shownPrices` of src/shelf/encode.ts writes them; null: the store did not list the product. */
  shown: string | null
}

/** The owner's statement about a product's variant group. */
export interface OwnGroupInput {
  /** null: the product is in no group. */
  groupId: number | null
  position: number
  /** Values by option key. */
  values: Readonly<Record<string, string>>
  /** The group's title by locale. */
  title: Readonly<Record<string, string>>
  /** The options that distinguish the variants, in order; empty: as suppliers state them. */
  options: readonly { key: string; labels: Readonly<Record<string, string>> }[]
}

/** A registered statement that the product belongs to a group. All statements about a product lead to the same group. */
export interface GroupPlace {
  /** 0: the owner's statement, whose key is the group's id. */
  supplierId: number
  key: string
  groupId: number
  position: number
}

/**
 * A price that jumped and waits for confirmation. Amounts are decimal texts in `currency`, the store's currency at that time.
 */
export interface HoldInput {
  storeId: number
  groupId: number
  currency: string
  /** The old price, which is shown until then. */
  shownPrice: string
  shownRuleId: number
}
