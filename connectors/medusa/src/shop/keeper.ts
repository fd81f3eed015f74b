import type { Product } from '@shelfwire/client'
import { presence, type Article, type Deviation, type Keeper } from '@shelfwire/client/shop'
import type { Terms } from '../article/terms.ts'
import { wantedOf, type Wanted } from '../article/wanted.ts'
import type { Container } from '../medusa-shop.ts'
import type { Ownable } from '../options.ts'
import type { Categories } from './categories.ts'
import { foundOf, foundVariantsOf, type FoundProduct } from './found.ts'
import type { PriceLists } from './lists.ts'
import { planOf, type Known } from './plan.ts'
import type { TaxOfCurrencies } from './tax.ts'
import {
  deleteProducts,
  deleteVariants,
  hasStructure,
  makeProducts,
  writeDetails,
  writeStructure,
  type Planned,
} from './written.ts'

/** How many articles are written together. */
const TOGETHER = 50

/** Types of Medusa's errors for which the data of the shop or of the article is the reason: trying again helps when one of them has changed. */
const REFUSALS = new Set([
  'invalid_data',
  'invalid_argument',
  'duplicate_error',
  'not_allowed',
  'conflict',
  'not_found',
])

export interface KeeperOptions {
  terms: Terms
  shopOwns: ReadonlySet<Ownable>
  categories: Categories
  lists: PriceLists
  tax: TaxOfCurrencies
  /** The first store in each currency, which decides whether its prices include tax. */
  decidingStores: ReadonlySet<string>
  shippingProfileId: string | null
}

/** Brings articles into the shop, and compares them with the shop's products. However it ended, the same call again does the rest. */
export class MedusaKeeper implements Keeper {
  readonly #shop: Container
  readonly #options: KeeperOptions

  constructor(shop: Container, options: KeeperOptions) {
    this.#shop = shop
    this.#options = options
  }

  /** @returns the articles that the shop has refused: key -> reason */
  async bring(articles: readonly Article[]): Promise<Map<string, string>> {
    await this.#clear(articles)
    const refused = new Map<string, string>()
    for (let at = 0; at < articles.length; at += TOGETHER)
      await this.#bringSome(articles.slice(at, at + TOGETHER), refused)
    return refused
  }

  /** How the shop's products differ from the articles. Writes no product, but makes missing categories and price lists, and sets the tax of currencies. */
  async compare(articles: readonly Article[]): Promise<Deviation[]> {
    const known = await this.#known(articles)
    const found = await this.#found(articles)
    return articles.flatMap((article) => {
      const wanted = wantedOf(article, this.#options.terms)
      const product = found.get(article.key)
      const differences =
        presence(product !== undefined, wanted !== null) ??
        (wanted === null || product === undefined ? [] : planOf(wanted, product, known).differences)
      return differences.length === 0 ? [] : [{ article: article.key, differences }]
    })
  }

  #found(articles: readonly Article[]): Promise<Map<string, FoundProduct>> {
    return foundOf(
      this.#shop,
      articles.map(({ key }) => key),
    )
  }

  async #known(articles: readonly Article[]): Promise<Known> {
    const { lists, tax, terms, categories, shopOwns, decidingStores } = this.#options
    const listings = articles.flatMap((article) => article.listings)
    const products: Product[] = listings.map(({ product }) => product)
    const deciding = listings.filter(({ store }) => decidingStores.has(store)).map(({ product }) => product)
    await tax.say(deciding, terms.publicGroupId)
    await lists.make(products, terms)
    return {
      categories: await categories.idsFor(products),
      lists: await lists.ids(),
      shopOwns,
    }
  }

  /** Deletes products and variants that no longer exist, for all articles before any is written: a variant that moves to another product is refused while its SKU is taken. */
  async #clear(articles: readonly Article[]): Promise<void> {
    for (let at = 0; at < articles.length; at += TOGETHER) {
      const sourcesOf = new Map(
        articles
          .slice(at, at + TOGETHER)
          .map(({ key, listings }) => [key, new Set(listings.map(({ product: { id } }) => id))]),
      )
      const products: string[] = []
      const variants: string[] = []
      for (const found of await foundVariantsOf(this.#shop, [...sourcesOf.keys()])) {
        const sources = sourcesOf.get(found.external_id) ?? new Set()
        if (sources.size === 0) products.push(found.id)
        else
          for (const { id, metadata } of found.variants)
            if (metadata?.shelfwire_id !== undefined && !sources.has(metadata.shelfwire_id)) variants.push(id)
      }
      await deleteVariants(this.#shop, variants)
      await deleteProducts(this.#shop, products)
    }
  }

  async #bringSome(articles: readonly Article[], refused: Map<string, string>): Promise<void> {
    // first, because the prices of groups depend on whether public prices include tax
    const known = await this.#known(articles)
    const wanted = articles.flatMap((article) => wantedOf(article, this.#options.terms) ?? [])
    if (wanted.length === 0) return
    let found = await this.#found(articles)
    const planned = wanted.flatMap((each) => {
      const product = found.get(each.key)
      return product === undefined ? [] : [{ key: each.key, productId: product.id, plan: planOf(each, product, known) }]
    })
    // products with other options are deleted, and made anew below
    const others = planned.filter(({ plan }) => plan.isOther)
    await deleteProducts(
      this.#shop,
      others.map(({ productId }) => productId),
    )
    const changed = planned.filter(({ plan }) => !plan.isOther && hasStructure(plan))
    await this.#restructure(changed, refused)
    const isChanged = others.length + changed.length > 0
    const isMissing = ({ key }: Wanted) => !found.has(key)
    if (isChanged) found = await this.#found(articles)
    const missing = wanted.filter(isMissing)
    await this.#make(missing, known, refused)
    if (missing.length > 0) found = await this.#found(articles)
    const plans = wanted.flatMap((each) => {
      const product = found.get(each.key)
      return product === undefined || refused.has(each.key) ? [] : [planOf(each, product, known)]
    })
    await writeDetails(this.#shop, plans, known.lists)
  }

  async #restructure(changed: readonly (Planned & { key: string })[], refused: Map<string, string>): Promise<void> {
    if (changed.length === 0) return
    try {
      await writeStructure(this.#shop, changed)
    } catch (error) {
      if (!isRefusal(error)) throw error
      // a part may be written already, so that the same plan is refused: the article is planned anew when it is tried again
      for (const one of changed) await refusedInto(refused, one.key, () => writeStructure(this.#shop, [one]))
    }
  }

  async #make(wanted: readonly Wanted[], known: Known, refused: Map<string, string>): Promise<void> {
    const making = { categories: known.categories, shippingProfileId: this.#options.shippingProfileId }
    try {
      await makeProducts(this.#shop, wanted, making)
    } catch (error) {
      if (!isRefusal(error)) throw error
      // the shop refuses all of them because of one: each is tried alone
      for (const each of wanted) await refusedInto(refused, each.key, () => makeProducts(this.#shop, [each], making))
    }
  }
}

const isRefusal = (error: unknown): error is { message: string } =>
  typeof error === 'object' && error !== null && 'type' in error && REFUSALS.has(String(error.type))

async function refusedInto(refused: Map<string, string>, key: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!isRefusal(error)) throw error
    refused.set(key, error.message)
  }
}
