import type { Id } from '../shop/rows.ts'

/** Where in the shop a store's products are sold, and in which language and currency. */
export interface SoldStore {
  store: string
  /** As Vendure writes it, such as `de` or `pt_BR`. */
  language: string
  /** ISO 4217. */
  currency: string
  channel: { id: Id; code: string; hasTax: boolean; isDefault: boolean }
  stockLocationId: Id
}

/** The facts of shop and account by which the shop's products are made from articles. */
export interface Terms {
  /** In the order of the options. */
  stores: readonly SoldStore[]
  /** The ID of the customer group whose price is the public one. */
  publicGroupId: number
  /** Names of Shelfwire's customer groups -> the shop's; null: the group's prices are not written. */
  customerGroups: ReadonlyMap<string, string | null>
  /** How many smallest units of the shop one unit of any currency has: usually 100. */
  moneyFactor: number
  /** The shop's tax category for a tax class; undefined: the default one. */
  taxCategoryOf: (taxClass: string | undefined) => Id
}
