import type { Price, Product, Shelfwire } from '../../client/src/shelfwire.ts'
import { must } from '../../src/platform/must.ts'
import type { SeenPrice } from './medusa-shopper.ts'
import type { MedusaShop } from './medusa-shop.ts'

// The variants of a shop and those that its two stores want, read by code that shares nothing with the plugin. Texts are those
// of `main`, the first store of the options; `pl` adds prices in its currency, a channel and stock.

export interface Variant {
  product: string | undefined
  title: string | null
  handle: string
  description: string | null
  status: string
  channels: string[]
  categories: string[]
  images: string[]
  variant: number
  sku: string | null
  ean: string | null
  weight: number | null
  options: Record<string, string>
  ownImages: string[]
  /** Currency, amount, smallest and largest quantity. */
  price: (string | number | null)[][]
  /** By stock location. */
  stock: Record<string, number>
}

const FIELDS = [
  'title,handle,description,status,external_id,images.url,images.rank,categories.name,sales_channels.name',
  'variants.sku,variants.ean,variants.weight,variants.metadata',
  'variants.options.value,variants.options.option.title,variants.images.url',
  'variants.prices.currency_code,variants.prices.amount,variants.prices.min_quantity,variants.prices.max_quantity',
  'variants.inventory_items.inventory.location_levels.stocked_quantity',
  'variants.inventory_items.inventory.location_levels.location_id',
]

const byText = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)

/** The variants of the shop, by the Shelfwire id of their product. */
export async function shown(shop: MedusaShop): Promise<Map<number, Variant>> {
  const { stock_locations: locations } = await shop.call<{ stock_locations: { id: string; name: string }[] }>(
    'GET',
    '/admin/stock-locations',
  )
  const nameOf = new Map(locations.map(({ id, name }) => [id, name]))
  const found = new Map<number, Variant>()
  // oxlint-disable-next-line typescript/no-explicit-any
  for (const product of (await shop.all(`/admin/products?fields=${FIELDS.join()}`, 'products')) as any[])
    for (const each of product.variants) {
      if (found.has(each.metadata.shelfwire_id)) throw new Error(`the shop has ${each.metadata.shelfwire_id} twice`)
      found.set(each.metadata.shelfwire_id, {
        product: product.external_id,
        title: product.title,
        handle: product.handle,
        description: product.description,
        status: product.status,
        channels: product.sales_channels.map(({ name }: { name: string }) => name).toSorted(),
        categories: product.categories.map((category: { name: string }) => category.name).toSorted(),
        images: product.images
          .toSorted((a: { rank: number }, b: { rank: number }) => a.rank - b.rank)
          .map((image: { url: string }) => image.url),
        variant: each.metadata.shelfwire_id,
        sku: each.sku,
        ean: each.ean,
        weight: each.weight,
        options: Object.fromEntries(
          each.options.map((option: { value: string; option: { title: string } }) => [
            option.option.title,
            option.value,
          ]),
        ),
        ownImages: each.images.map((image: { url: string }) => image.url).toSorted(),
        price: each.prices
          .map((price: Record<string, string | number | null>) => [
            price['currency_code'],
            price['amount'],
            price['min_quantity'],
            price['max_quantity'],
          ])
          .toSorted(byText),
        stock: Object.fromEntries(
          each.inventory_items[0].inventory.location_levels
            .map((level: { location_id: string; stocked_quantity: number }) => [
              nameOf.get(level.location_id),
              level.stocked_quantity,
            ])
            .toSorted(byText),
        ),
      })
    }
  return found
}

const ownPrices = (prices: readonly Price[]) =>
  prices.flatMap((price) => {
    const currency = price.currency.toLowerCase()
    if (price.compare_at_price !== undefined) return [[currency, price.compare_at_price, null, null]]
    const tiers = (price.tiers ?? []).map(({ quantity, price: amount }, i, all) => {
      const next = all[i + 1]
      return [currency, amount, quantity, next === undefined ? null : next.quantity - 1]
    })
    return [[currency, price.computed_price, null, null], ...tiers]
  })

async function byId(shelf: Shelfwire, store: string): Promise<Map<number, Product>> {
  const found = new Map<number, Product>()
  for await (const product of shelf.products.walk({ store })) found.set(product.id, product)
  return found
}

/** The variants that the stores want, by product id. Every product of `pl` is also one of `main`. */
export async function expected(shelf: Shelfwire): Promise<Map<number, Variant>> {
  const groups = new Map<number, Product[]>()
  for await (const { id } of shelf.groups({ store: 'main' }))
    groups.set(id, (await shelf.group(id, { store: 'main' })).products)
  const names = new Map((await shelf.categories({ store: 'main' })).map(({ id, name }) => [id, name]))
  const publicId = (await shelf.customerGroups()).find(({ is_default: isDefault }) => isDefault)?.id
  const polish = await byId(shelf, 'pl')
  const isSoldIn = (of: Product | undefined) => of !== undefined && !of.excluded
  const found = new Map<number, Variant>()
  for (const product of (await byId(shelf, 'main')).values()) {
    const variants = product.group === undefined ? [product] : groups.get(product.group.id)!
    const first = must(variants[0])
    const images = [...new Set(variants.flatMap((each) => each.images))]
    const channels = [
      ...(variants.some((each) => isSoldIn(polish.get(each.id))) ? ['Poland'] : []),
      ...(variants.some(isSoldIn) ? ['Shelfwire'] : []),
    ]
    const pl = polish.get(product.id)
    found.set(product.id, {
      product: product.group === undefined ? `product:${product.id}` : `group:${product.group.id}`,
      title: product.group === undefined ? product.title : first.group!.title,
      handle:
        product.group === undefined ? product.slug! : `${product.group.title?.toLowerCase()}-group-${product.group.id}`,
      description: first.description,
      status: channels.length === 0 ? 'draft' : 'published',
      channels,
      categories: [
        ...new Set(variants.flatMap((each) => (each.categories ?? []).map(({ id }) => names.get(id)!))),
      ].toSorted(),
      images,
      variant: product.id,
      sku: product.sku,
      ean: product.ean,
      weight: product.weight === undefined ? null : Number(product.weight) * 1_000,
      options:
        product.group === undefined
          ? { Version: String(product.id) }
          : Object.fromEntries(product.group.options.map(({ label, value }) => [label, value])),
      ownImages: variants.length === 1 ? images.toSorted() : product.images.toSorted(),
      price: [...product.prices, ...(pl?.prices ?? [])]
        .filter(({ customer_group_id: of }) => of === publicId)
        .flatMap((price) => ownPrices([price]))
        .toSorted(byText),
      stock: {
        Magazyn: isSoldIn(pl) ? (pl?.stock ?? 0) : 0,
        Warehouse: isSoldIn(product) ? product.stock : 0,
      },
    })
  }
  return found
}

/** The prices of a customer group in `main`, as a shop shows them whose prices include tax. */
export async function payable(shelf: Shelfwire, groupName: string | null): Promise<Map<number, SeenPrice>> {
  const groups = await shelf.customerGroups()
  const group = groups.find(({ name, is_default: isDefault }) => (groupName === null ? isDefault : name === groupName))
  const publicId = groups.find(({ is_default: isDefault }) => isDefault)?.id
  const main = await byId(shelf, 'main')
  const found = new Map<number, SeenPrice>()
  for (const { id, prices, group: of, excluded } of main.values()) {
    const siblings =
      of === undefined ? excluded : [...main.values()].every((each) => each.group?.id !== of.id || each.excluded)
    // a single variant cannot be hidden, so it is out of stock instead
    if (siblings) continue
    const own = must(prices.find(({ customer_group_id: of }) => of === publicId))
    const price = must(prices.find(({ customer_group_id: of }) => of === group?.id))
    const rate = 1 + (price.tax_rate ?? 0) / 100
    const amount = price.tax_included === true ? price.computed_price : Number((price.computed_price * rate).toFixed(4))
    found.set(id, {
      amount,
      // a price list of the type override shows no struck-through price
      original: groupName === null ? (own.compare_at_price ?? own.computed_price) : amount,
      hasTax: true,
      list: groupName !== null ? 'override' : own.compare_at_price === undefined ? null : 'sale',
    })
  }
  return found
}
