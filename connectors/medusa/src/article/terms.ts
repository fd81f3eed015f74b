/** Where a store is sold, and how. */
export interface SoldStore {
  store: string
  salesChannelId: string
  stockLocationId: string
}

/** What the shop's products are made by. */
export interface Terms {
  /** In the order of the options. */
  stores: readonly SoldStore[]
  /** The ID of the customer group whose price is the public one. */
  publicGroupId: number
  /** Whether prices of a currency, in lower case, have tax in them; not there: nobody says. */
  hasTax: ReadonlyMap<string, boolean>
  /** Customer groups, by name, that the shop does not have. */
  leftOutGroups: ReadonlySet<string>
}
