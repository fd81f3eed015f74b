// The members of the shop's rows that are read here.

/** A number where the shop's ids are sequential, a text where they are UUIDs. */
export type Id = string | number

export interface IdRow {
  id: Id
}

export interface UserRow {
  id: Id
}

export interface NameRow {
  languageCode: string
  name: string
}

export interface ProductTextRow extends NameRow {
  slug: string
  description: string
}

export interface ChannelRow {
  id: Id
  code: string
  availableLanguageCodes: string[]
  availableCurrencyCodes: string[]
  defaultCurrencyCode: string
  defaultTaxZone: object | null
  pricesIncludeTax: boolean
}

export interface AssetRow {
  id: Id
  channels: IdRow[]
}

/** A picture of a product or variant, with its position. */
export interface PictureRow {
  position: number
  asset: AssetRow
}

export interface FacetValueRow {
  id: Id
  facetId: Id
  channels: IdRow[]
}

export interface OptionRow {
  id: Id
  code: string
  deletedAt: Date | null
  translations: NameRow[]
  channels: IdRow[]
}

export interface OptionGroupRow {
  id: Id
  code: string
  deletedAt: Date | null
  translations: NameRow[]
  channels: IdRow[]
  options: OptionRow[]
}

/** The price from a quantity on, for which Vendure's variants have no place. Money is in the smallest unit. */
export interface PriceDetails {
  channel: string
  currency: string
  quantity: number
  price: number
  compareAtPrice: number | null
  lowestPrice: number | null
  isSale: boolean
}

export interface GroupPriceDetails extends PriceDetails {
  customerGroup: string
}

export interface VariantFields {
  shelfwireId: number | null
  shelfwireEan: string | null
  /** In grams. */
  shelfwireWeight: number | null
  shelfwireHsCode: string | null
  shelfwireOrigin: string | null
  shelfwirePrices: PriceDetails[] | null
  shelfwireGroupPrices: GroupPriceDetails[] | null
}

export interface VariantRow {
  id: Id
  deletedAt: Date | null
  enabled: boolean
  sku: string
  translations: NameRow[]
  channels: IdRow[]
  options: IdRow[]
  assets: PictureRow[]
  taxCategory: IdRow
  productVariantPrices: { channelId: Id; currencyCode: string; price: number }[]
  /** Only those at the stock locations of stores. */
  stockLevels: StockLevelRow[]
  customFields: VariantFields
}

export interface StockLevelRow {
  productVariantId: Id
  stockLocationId: Id
  stockOnHand: number
}

export interface ProductRow {
  id: Id
  enabled: boolean
  translations: ProductTextRow[]
  channels: IdRow[]
  assets: PictureRow[]
  featuredAsset: IdRow | null
  facetValues: FacetValueRow[]
  optionGroups: OptionGroupRow[]
  variants: VariantRow[]
  customFields: { shelfwireKey: string | null }
}

export interface CollectionRow {
  id: Id
  translations: NameRow[]
  parent: IdRow | null
  channels: IdRow[]
  filters: { code: string; args: { name: string; value: string }[] }[]
}
