import type { TierBy } from '../../contract/tiers.ts'
import type { AdditionalMember } from '../../contract/additional-members.ts'
import type { AttributeType } from '../../contract/attribute-types.ts'
import type { ExclusionKind } from '../../contract/exclusion-kinds.ts'
import type { ConditionsOf } from '../../contract/rule-conditions.ts'
import type { ImageAlts } from '../model/image-alts.ts'
import type { CostTier, OfferGroup } from '../model/offer.ts'
import type { NameField, OverrideField, SourceField, TextField } from '../../contract/product-fields.ts'

/** All inputs of `resolve`: plain values, no database types. Read by shelf/read-inputs.ts; tests make their own. */

export interface StoreInput {
  storeId: number
  slug: string
  locale: string
  currency: string
  /** Whether it lists a product for which there is neither a manual listing nor an assortment rule that matches. */
  listsByDefault: boolean
  /** ISO 3166-1: whose tax its prices say; null: they say nothing of tax. */
  taxCountry: string | null
  /** Whether its prices have tax in them; only with a country. */
  pricesIncludeTax: boolean
}

/** A tax class with its rates, one at most per country and day. */
export interface TaxClassInput {
  key: string
  isDefault: boolean
  /** How suppliers call it. */
  codes: readonly string[]
  /** `validFrom` is the first day, `YYYY-MM-DD`; `percent` a decimal text from 0 to 100. */
  rates: readonly { country: string; validFrom: string; percent: string }[]
}

/** A price list of the account's own; its entries are inputs of the products. */
export interface PriceListInput {
  key: string
  name: string
  /** It says something in stores of this currency alone. */
  currency: string
  /** null: every one of them. */
  storeIds: readonly number[] | null
  /** Whose prices entries are that name no group; null: every group's. */
  groupId: number | null
  /** The first and the last day, `YYYY-MM-DD`; null: it has none. */
  validFrom: string | null
  validTo: string | null
  /** Lower wins. */
  priority: number
  isActive: boolean
  /** A text that sorts by time: of lists of one priority the newest wins. */
  createdAt: string
}

/** A product's price in a list, as it is shown. */
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
  /** The group whose price exclusion rules look at. */
  isDefault: boolean
  /** ISO 3166-1: whose tax its prices say, in stores that have a country; null: the store's. */
  taxCountry: string | null
  /** Whether its prices have tax in them, in stores that have a country; null: as the store's. */
  pricesIncludeTax: boolean | null
}

/** Rounds a price to the next number k x step + ending in a direction, k being a whole number. */
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
  /** Lower is tried first, then the lower id; the default rule comes last whatever its priority. */
  priority: number
  isDefault: boolean
  isActive: boolean
  action: 'markup' | 'margin' | 'fixed'
  /** markup: percent of the cost on top of it, from -100; margin: percent of the price that is not cost, below 100. */
  percent: string | null
  /** The price of the action `fixed`. */
  fixedPrice: string | null
  /** Added to the price, or subtracted when negative. */
  addition: string | null
  /** The lowest share of the price, in percent, that must not be cost. */
  floorMarginPercent: string | null
  /** The lowest difference between price and cost. */
  floorProfit: string | null
  floorPrice: string | null
  ceilingPrice: string | null
  /** The currency of fixedPrice, addition, floorProfit, floorPrice, ceilingPrice and of tiers; null: the account's. */
  currency: string | null
  /** By the store's currency; a currency without an entry rounds to its minor digits. */
  rounding: Readonly<Record<string, RoundingInput>>
  /** Whether its price wins over price lists. */
  overPriceLists: boolean
  /** By rising quantity; null: none. */
  tiers: readonly TierInput[] | null
  /** Whether tiers need not be below the price. */
  tiersAbovePrice: boolean
  /** Whether they are made of those of the cost, in place of `tiers`. */
  tiersFromSupplier: boolean
  /** Percent of the cost on top of it, above 0: what it makes the list price of where nobody states one; null: it makes none. */
  listPricePercent: string | null
}

/** A price from a quantity on, of a rule. */
export interface TierInput {
  /** Pieces, 2 or more. */
  quantity: number
  /** What `amount` is: percent or an amount of money off the price as it is shown, or the price as it is shown. */
  by: TierBy
  /** Decimal text; money is in the rule's currency. */
  amount: string
}

export interface ExclusionRuleInput {
  ruleId: number
  name: string
  /** What a client reads as `exclusion_reason`. */
  reason: string
  /** Lower is tried first, then the lower id. */
  priority: number
  isActive: boolean
  /** null: every store. */
  storeIds: readonly number[] | null
  kind: ExclusionKind
  /** Manufacturers, or category paths that include all below them. */
  names: readonly string[] | null
  /** Suppliers of the best offer. */
  supplierIds: readonly number[] | null
  /** What the kind needs: see contract/exclusion-kinds.ts. */
  amount: string | null
  /** The currency of an amount of money; null: the account's. */
  currency: string | null
}

export interface AssortmentRuleInput extends ConditionsOf<'assortment'> {
  ruleId: number
  storeId: number
  name: string
  /** Lower is tried first, then the lower id. */
  priority: number
  isActive: boolean
  /** What the rule decides for products that it matches. */
  isListed: boolean
}

export interface SourceOrderInput {
  field: SourceField
  /** Come first, in this order; the others follow by their priority. */
  supplierIds: readonly number[]
}

export interface SupplierInput {
  supplierId: number
  code: string
  /** Lower comes first. */
  priority: number
  /** Pieces subtracted from every reported quantity. */
  safetyBuffer: number
  isActive: boolean
  /** ISO 3166-1: whose tax is in its costs; null: they are net. */
  costTaxCountry: string | null
  /** ISO 3166-1, whose tax is in its list prices, or `none`; null: they are shown as they are stated. */
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
  /** The supplier's value -> locale -> the text shown. */
  options: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** null: payloads have the value alone. */
  type: AttributeType | null
  /** Between the entries of a list; null: the usual ones. */
  separator: string | null
  /** Of its numbers; null: as far as they show it. */
  decimal: '.' | ',' | null
}

/** A category of the account, and the suppliers' paths that are mapped to it, each with all below it. */
export interface CategoryInput {
  categoryId: number
  path: string
  /** locale -> name; the last level of the path where there is none. */
  names: Readonly<Record<string, string>>
  /** The shop's own ID. */
  externalId: string | null
  supplierPaths: readonly string[]
  /** The key of the tax class that its products are in, and those below it; null: that of the nearest above which names one. */
  taxClass: string | null
}

/** What all products of an account share. */
export interface AccountInputs {
  /** The account's currency, in which costs are compared. */
  currency: string
  /** The locale that texts fall back to. */
  locale: string
  /** Whether a text that no locale of a store's chain has is taken from any other locale. */
  anyLocale: boolean
  /** The current day in the account's time zone, `YYYY-MM-DD`. */
  day: string
  /** Template of the exported SKU (model/sku-pattern); null: the product's own key. */
  skuPattern: string | null
  /** Decimal text. A price that would rise or fall by more than this factor is held; null: none is. */
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
  taxClasses: readonly TaxClassInput[]
  priceLists: readonly PriceListInput[]
  /** Where mirrored pictures are served, without a slash at the end; null: every picture is shown by its original URL. */
  imageBase: string | null
  /** Members that payloads have beside those of the first release, in their order. */
  additionalMembers: readonly AdditionalMember[]
}

/** What is known of an original picture. */
export interface ImageInput {
  state: 'pending' | 'mirrored' | 'dead'
  /** The path of our copy below `imageBase`, beginning with a slash; null unless there is a copy. */
  path: string | null
  /** Why it is dead, or why it could not be fetched the last time. */
  reason: string | null
  /** What is known of our copy; null unless there is one. */
  copy: ImageCopy | null
}

/** A stored picture: SHA-256 of its bytes in hexadecimal, its media type, and its size in pixels as it is shown. */
export interface ImageCopy {
  hash: string
  type: string
  width: number | null
  height: number | null
}

/** One offer. A name is null when the supplier has none; a category is a path, its levels joined by `/`. */
export interface OfferInput extends Readonly<Record<NameField, string | null>> {
  supplierId: number
  supplierSku: string
  /** Decimal text in `currency`; null when the supplier gives none. */
  cost: string | null
  /** Beside the cost, as it is stated; null: none. */
  costTiers: readonly CostTier[] | null
  currency: string
  /** As reported, before the safety buffer. */
  quantity: number
  /** By locale. */
  texts: Readonly<Record<string, Readonly<Partial<Record<TextField, string | null>>>>>
  attributes: readonly { key: string; value: string }[]
  images: readonly string[]
  /** Of these pictures; null: none. */
  imageAlts: ImageAlts | null
  /** The group of variants that it states. */
  group: OfferGroup | null
}

export interface OverrideInput {
  field: OverrideField
  /** '' for a field that is the same in every locale. */
  locale: string
  /** For images a JSON array of URLs in order; an empty array shows none. For their texts a JSON object by URL. */
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
  /** The offer it comes from; supplier 0 is the owner. */
  supplierId: number
  supplierSku: string
  /** Among the EANs of one offer. */
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
  /** A timestamp of the API; '' where only prices are resolved. */
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
  /** In any list of the account. */
  listEntries: readonly PriceListEntryInput[]
  /** What clients read before, the oldest first, store by store; only where a sale is in force, else empty. */
  priceHistory: readonly PriceHistoryInput[]
  /** By URL without fragment (resolve/images.ts). One that is not here has not been fetched yet. */
  images: Readonly<Record<string, ImageInput>>
  /** What its offers were last registered to say of its group of variants; empty where none of them stated one. */
  groups: readonly GroupPlace[]
  /** Its current slugs, as far as it has any. */
  slugs: readonly { storeId: number; slug: string }[]
  /** What the owner says of its group, which takes precedence over the offers; null: nothing. */
  ownGroup: OwnGroupInput | null
}

/** The prices of a product in a store from a moment on, up to the next of the store. */
export interface PriceHistoryInput {
  storeId: number
  /** Of the moment, the account's day: `YYYY-MM-DD`. */
  from: string
  /** As `shownPrices` of src/shelf/encode.ts writes them; null: it was not listed. */
  shown: string | null
}

/** A group of variants by hand, and where the product is in it. */
export interface OwnGroupInput {
  /** null: the product is in no group. */
  groupId: number | null
  position: number
  /** What the product has, by the key of the option. */
  values: Readonly<Record<string, string>>
  /** By locale. */
  title: Readonly<Record<string, string>>
  /** In what the variants differ, in order; none: as suppliers state it. */
  options: readonly { key: string; labels: Readonly<Record<string, string>> }[]
}

/** That a supplier puts the product into a group. All places of a product are in one group. */
export interface GroupPlace {
  /** 0: the owner does; the key is then the group's id. */
  supplierId: number
  key: string
  groupId: number
  position: number
}

/** A price that jumped and waits to be confirmed, a decimal text in `currency`, the store's at that time. */
export interface HoldInput {
  storeId: number
  groupId: number
  currency: string
  /** The old price, which is shown until then. */
  shownPrice: string
  shownRuleId: number
}
