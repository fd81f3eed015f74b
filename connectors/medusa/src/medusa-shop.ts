import type { KeptDatabase, Logger } from '@shelfwire/client/shop'

// Types of a running shop: its container, and those functions of its modules that are called here.

/** The shop's container: `req.scope` of a request, `container` of a job. */
export interface Container {
  resolve<K extends keyof Registered>(name: K): Registered[K]
}

interface Registered {
  shelfwire: { options: unknown }
  logger: Logger
  query: Query
  __pg_connection__: KeptDatabase
  pricing: Pricing
  inventory: Inventory
  store: { listStores(filters: object, config: object): Promise<ShopStore[]> }
  sales_channel: { listSalesChannels(filters: object, config: object): Promise<NamedRow[]> }
  stock_location: { listStockLocations(filters: object, config: object): Promise<NamedRow[]> }
  customer: { listCustomerGroups(filters: object, config: object): Promise<NamedRow[]> }
  fulfillment: { listShippingProfiles(filters: object, config: object): Promise<NamedRow[]> }
  product: { listProductCategories(filters: object, config: object): Promise<CategoryRow[]> }
  event_bus: { emit(event: { name: string; data: object }): Promise<void> }
}

export interface NamedRow {
  id: string
  name: string
}

interface ShopStore {
  default_sales_channel_id: string | null
  supported_currencies: { currency_code: string }[]
}

export interface CategoryRow {
  id: string
  name: string
  parent_category_id: string | null
  rank: number
}

export interface Query {
  graph(of: {
    entity: string
    fields: readonly string[]
    filters?: object
    pagination?: { skip?: number; take?: number; order?: object }
  }): Promise<{ data: unknown[] }>
}

export interface PriceRow {
  id: string
  price_set_id: string
  price_list_id: string | null
  currency_code: string
  amount: number | string
  min_quantity: number | string | null
  max_quantity: number | string | null
  rules_count: number
}

interface NewPrice {
  currency_code: string
  amount: number
  min_quantity: number | null
  max_quantity: number | null
}

interface Pricing {
  listPrices(filters: object, config: object): Promise<PriceRow[]>
  addPrices(of: { priceSetId: string; prices: NewPrice[] }[]): Promise<unknown>
  addPriceListPrices(of: { price_list_id: string; prices: (NewPrice & { price_set_id: string })[] }[]): Promise<unknown>
  removePrices(ids: string[]): Promise<void>
  listPriceLists(filters: object, config: object): Promise<{ id: string; title: string }[]>
  listPricePreferences(
    filters: object,
    config: object,
  ): Promise<{ id: string; value: string; is_tax_inclusive: boolean }[]>
  upsertPricePreferences(of: object[]): Promise<unknown>
}

interface Inventory {
  listInventoryItems(filters: object, config: object): Promise<{ id: string; sku: string | null }[]>
  createInventoryLevels(of: Level[]): Promise<unknown>
  updateInventoryLevels(of: Level[]): Promise<unknown>
}

export interface Level {
  inventory_item_id: string
  location_id: string
  stocked_quantity: number
}
