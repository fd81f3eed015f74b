/** Where in the shop a store's products are sold. */
export interface SoldStore {
  store: string
  salesChannelId: string
  stockLocationId: string
}

/** The facts of shop and account by which the shop's products are made from articles. */
export interface Terms {
  /** In the order of the options. */
  stores: readonly SoldStore[]
  /** The ID of the customer group whose price is the public one. */
  publicGroupId: number
  /** Whether prices in a currency, in lower case, include tax; no entry: unknown. */
  hasTax: ReadonlyMap<string, boolean>
  /** Names of customer groups whose prices are not written to the shop. */
  leftOutGroups: ReadonlySet<string>
}
