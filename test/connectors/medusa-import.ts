import type { Variant } from './medusa-rows.ts'
import type { MedusaShop } from './medusa-shop.ts'

// Medusa's own bulk import, for comparison with the connector's first fill: products with options, variants, prices, pictures,
// sales channels and customs data by its batch route, and stock by another. Categories and price lists have no such route.

const PRODUCTS = 50
const LEVELS = 200

/** @returns seconds */
export async function importIntoMedusa(shop: MedusaShop, rows: ReadonlyMap<number, Variant>): Promise<number> {
  const idsOf = async (path: string, member: string) =>
    new Map((await shop.all(path, member)).map(({ id, name }) => [String(name), String(id)]))
  const channels = await idsOf('/admin/sales-channels', 'sales_channels')
  const locations = await idsOf('/admin/stock-locations', 'stock_locations')
  const products = new Map<string, Variant[]>()
  for (const row of rows.values())
    products.set(String(row.product), [...(products.get(String(row.product)) ?? []), row])
  const create = [...products.values()].map((variants) => newProduct(variants, channels))

  const since = performance.now()
  const stock: object[] = []
  for (let at = 0; at < create.length; at += PRODUCTS) {
    const { created } = await shop.call<{ created: Created[] }>('POST', `/admin/products/batch?fields=${FIELDS}`, {
      create: create.slice(at, at + PRODUCTS),
    })
    for (const { sku, inventory_items: items } of created.flatMap(({ variants }) => variants))
      for (const [location, quantity] of Object.entries(rowOf(sku).stock))
        stock.push({
          inventory_item_id: items[0]?.inventory_item_id,
          location_id: locations.get(location),
          stocked_quantity: quantity,
        })
  }
  for (let at = 0; at < stock.length; at += LEVELS)
    await shop.call('POST', '/admin/inventory-items/location-levels/batch', { create: stock.slice(at, at + LEVELS) })
  return (performance.now() - since) / 1_000

  function rowOf(sku: string): Variant {
    const row = [...rows.values()].find((each) => each.sku === sku)
    if (row === undefined) throw new Error(`nothing is known of ${sku}`)
    return row
  }
}

const FIELDS = 'id,variants.sku,variants.inventory_items.inventory_item_id'

interface Created {
  variants: { sku: string; inventory_items: { inventory_item_id: string }[] }[]
}

function newProduct(variants: readonly Variant[], channels: ReadonlyMap<string, string>): object {
  const [first] = variants
  const titles = Object.keys(first?.options ?? {})
  return {
    title: first?.title,
    handle: first?.handle,
    description: first?.description,
    status: first?.status,
    images: first?.images.map((url) => ({ url })),
    sales_channels: first?.channels.map((name) => ({ id: channels.get(name) })),
    options: titles.map((title) => ({
      title,
      values: [...new Set(variants.map(({ options }) => options[title]))],
    })),
    variants: variants.map((variant) => ({
      title: variant.sku,
      sku: variant.sku,
      weight: variant.weight ?? undefined,
      manage_inventory: true,
      options: variant.options,
      prices: variant.price.map(([currency, amount, from, to]) => ({
        currency_code: currency,
        amount,
        ...(from === null ? {} : { min_quantity: from }),
        ...(to === null ? {} : { max_quantity: to }),
      })),
    })),
  }
}
