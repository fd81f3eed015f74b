import type { Cursor, Product, Shelfwire } from '../../client/src/shelfwire.ts'
import { MedusaPrices, type Shop } from './medusa-prices.ts'

// A connector for a Medusa 2 shop that keeps it as the store is, from the answers of /v1 alone. A Medusa product is made of a group of
// variants, or of a product that is in none; its `external_id` says of which.

interface MedusaProduct {
  id: string
  images: { id: string; url: string }[]
  variants: { id: string; metadata: { shelfwire_id: number }; inventory_items: { inventory_item_id: string }[] }[]
}
const FIELDS = 'fields=images.id,images.url,variants.id,variants.metadata,variants.inventory_items.inventory_item_id'

const keyOf = ({ id, group }: Product) => (group === undefined ? `product:${id}` : `group:${group.id}`)
const distinct = <T>(values: readonly T[]) => [...new Set(values)]

export class MedusaConnector {
  /** Shelfwire's id of a category -> Medusa's. */
  readonly #categories = new Map<number, string>()
  /** The id of each product -> the external id of the Medusa product that it is a variant of. */
  readonly #keys = new Map<number, string>()
  readonly #shelf: Shelfwire
  readonly #shop: Shop
  readonly #store: string
  readonly #prices: MedusaPrices

  constructor(shelf: Shelfwire, shop: Shop, store: string) {
    this.#shelf = shelf
    this.#shop = shop
    this.#store = store
    this.#prices = new MedusaPrices(shop)
  }

  /** Makes the whole store in the shop. @returns the cursor from which `follow` goes on */
  async fill(): Promise<Cursor> {
    for (const category of await this.#shelf.categories({ store: this.#store })) {
      const { product_category: made } = await this.#shop.call<{ product_category: { id: string } }>(
        'POST',
        '/admin/product-categories',
        {
          name: category.name,
          handle: `c${category.id}`,
          external_id: category.external_id ?? String(category.id),
          parent_category_id: category.parent_id === null ? null : this.#categories.get(category.parent_id),
          rank: category.position,
          is_active: true,
        },
      )
      this.#categories.set(category.id, made.id)
    }
    const { products, cursor } = await this.#shelf.export({ store: this.#store })
    const articles = new Map<string, Product[]>()
    for await (const product of products) {
      const key = keyOf(product)
      this.#keys.set(product.id, key)
      articles.set(key, [...(articles.get(key) ?? []), product])
    }
    await this.#prices.say([...articles.values()].flat())
    const create = [...articles].map(([key, variants]) => this.#productOf(key, variants))
    for (let at = 0; at < create.length; at += 50)
      await this.#shop.call('POST', '/admin/products/batch', { create: create.slice(at, at + 50) })
    for (const [key, variants] of articles) await this.#finish(key, variants)
    return cursor
  }

  /** Brings one window of changes into the shop: each article that one of them touches is made anew. @returns the next cursor */
  async follow(cursor: Cursor): Promise<Cursor> {
    const window = await this.#shelf.changes({ store: this.#store, cursor, expand: true })
    const ids = window.changes.map(({ product_id: id }) => id)
    const now = new Map((window.products ?? []).map((product) => [product.id, keyOf(product)]))
    // of a product that changes its group, the article that it leaves and the one that it joins
    const touched = distinct(ids.flatMap((id) => [this.#keys.get(id) ?? [], now.get(id) ?? []].flat()))
    for (const id of ids) this.#keys.delete(id)
    for (const [id, key] of now) this.#keys.set(id, key)
    for (const key of touched) {
      const old = await this.#find(key)
      if (old !== undefined) await this.#shop.call('DELETE', `/admin/products/${old.id}`)
      const of = [...this.#keys].flatMap(([id, each]) => (each === key ? [id] : []))
      const { data: variants } = await this.#shelf.products.list({ store: this.#store, ids: of })
      if (variants.length === 0) continue
      await this.#prices.say(variants)
      await this.#shop.call('POST', '/admin/products', this.#productOf(key, variants))
      await this.#finish(key, variants)
    }
    return { since: window.next_since, since_id: window.next_id }
  }

  #productOf(key: string, unordered: readonly Product[]) {
    const variants = unordered.toSorted((a, b) => (a.group?.position ?? 0) - (b.group?.position ?? 0) || a.id - b.id)
    const [first] = variants as [Product]
    const labels = distinct(variants.flatMap(({ group }) => group?.options.map(({ label }) => label) ?? []))
    // a shop knows no variants without an option
    const titles = labels.length === 0 ? ['Version'] : labels
    const valueOf = ({ id, group }: Product, title: string) =>
      group?.options.find(({ label }) => label === title)?.value ?? String(id)
    const categories = distinct(variants.flatMap((each) => each.categories?.map(({ id }) => id) ?? []))
    return {
      title: first.group?.title ?? first.title ?? key,
      // Medusa takes Latin letters and digits alone
      handle: first.group === undefined && /^[a-z\d-]+$/.test(first.slug ?? '') ? first.slug : key.replace(':', '-'),
      description: first.description,
      external_id: key,
      status: variants.some(({ excluded }) => !excluded) ? 'published' : 'draft',
      images: distinct(variants.flatMap(({ images }) => images)).map((url) => ({ url })),
      categories: categories.flatMap((id) => this.#categories.get(id) ?? []).map((id) => ({ id })),
      sales_channels: [{ id: this.#shop.salesChannelId }],
      options: titles.map((title) => ({ title, values: distinct(variants.map((each) => valueOf(each, title))) })),
      variants: variants.map((each, rank) => ({
        title: each.title ?? String(each.id),
        sku: each.sku,
        ean: each.ean,
        variant_rank: rank,
        weight: each.weight === undefined ? null : Math.round(Number(each.weight) * 1_000),
        hs_code: each.hs_code ?? null,
        origin_country: each.country_of_origin?.toLowerCase() ?? null,
        options: Object.fromEntries(titles.map((title) => [title, valueOf(each, title)])),
        prices: this.#prices.own(each),
        metadata: { shelfwire_id: each.id },
      })),
    }
  }

  async #find(key: string): Promise<MedusaProduct | undefined> {
    const path = `/admin/products?external_id=${encodeURIComponent(key)}&${FIELDS}`
    return (await this.#shop.call<{ products: MedusaProduct[] }>('GET', path)).products[0]
  }

  /** What needs the ids that Medusa has given: the pictures of each variant, and its stock. */
  async #finish(key: string, from: readonly Product[]): Promise<void> {
    const { id: productId, images, variants } = (await this.#find(key)) as MedusaProduct
    await this.#prices.list(new Map(variants.map(({ id, metadata }) => [metadata.shelfwire_id, id])), from)
    for (const { id, metadata, inventory_items: items } of variants) {
      const source = from.find((each) => each.id === metadata.shelfwire_id)
      const add = images.flatMap((image) => (source?.images.includes(image.url) === true ? [image.id] : []))
      if (from.length > 1 && add.length > 0)
        await this.#shop.call('POST', `/admin/products/${productId}/variants/${id}/images/batch`, { add })
      const level = { location_id: this.#shop.stockLocationId, stocked_quantity: source?.stock ?? 0 }
      for (const { inventory_item_id: item } of items)
        await this.#shop.call('POST', `/admin/inventory-items/${item}/location-levels`, level)
    }
  }
}
