import type { Id } from '../shop/rows.ts'

/** Where a store is sold, and how. */
export interface SoldStore {
  store: string
  /** As Vendure writes it, such as `de` or `pt_BR`. */
  language: string
  /** ISO 4217. */
  currency: string
  channel: { id: Id; code: string; hasTax: boolean; isDefault: boolean }
  stockLocationId: Id
}

/** What the shop's products are made by. */
export interface Terms {
  /** In the order of the options. */
  stores: readonly SoldStore[]
  /** The ID of the customer group whose price is the public one. */
  publicGroupId: number
  /** The names of Shelfwire's customer groups -> what the shop calls them; null: it does not have them. */
  customerGroups: ReadonlyMap<string, string | null>
  /** How many of the shop's smallest unit one of the currency has: 100, whichever it is. */
  moneyFactor: number
  /** The shop's tax category of a tax class; of none, its default one. */
  taxCategoryOf: (taxClass: string | undefined) => Id
}
