/** Everything `resolve` looks at. Read by shelf/inputs, made by hand in tests; plain values, no database types. */

export interface StoreInput {
  storeId: number
  slug: string
  locale: string
  currency: string
}

export interface GroupInput {
  groupId: number
  name: string
}

export interface RuleInput {
  ruleId: number
  /** Lower is tried first, then the lower id; the default rule comes last whatever its priority. */
  priority: number
  /** null: every store. */
  storeId: number | null
  /** null: every group. */
  groupId: number | null
  /** Decimal text: 25 is a quarter on top of the cost. */
  markupPercent: string
  isDefault: boolean
}

export interface SupplierInput {
  supplierId: number
  /** Lower goes first. */
  priority: number
  /** Pieces taken off every reported quantity. */
  safetyBuffer: number
  isActive: boolean
}

export interface AttributeDefinitionInput {
  key: string
  unit: string | null
  position: number
  /** locale -> label without the unit. */
  labels: Readonly<Record<string, string>>
}

/** What all products of an account share. */
export interface AccountInputs {
  /** The account's currency: costs are compared in it. */
  currency: string
  /** The last locale a text falls back to. */
  locale: string
  stores: readonly StoreInput[]
  groups: readonly GroupInput[]
  rules: readonly RuleInput[]
  /** Currency -> decimal text: how many units of it one unit of the account's currency buys. */
  rates: Readonly<Record<string, string>>
  suppliers: readonly SupplierInput[]
  attributes: readonly AttributeDefinitionInput[]
}

export interface OfferInput {
  supplierId: number
  supplierSku: string
  /** Decimal text in `currency`; null when the supplier states none. */
  cost: string | null
  currency: string
  /** As reported, before the safety buffer. */
  quantity: number
  manufacturer: string | null
  texts: Readonly<Record<string, { title?: string | null; description?: string | null }>>
  attributes: readonly { key: string; value: string }[]
  images: readonly string[]
}

export interface OverrideInput {
  field: 'title' | 'description' | 'manufacturer'
  /** '' for a field that is the same in every locale. */
  locale: string
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

/** What is known of one product. The order of every list here is without meaning but for images and attributes of an offer. */
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
  /** Stores that do not list the product. */
  unlistedStoreIds: readonly number[]
}
