import type { Product } from '../answers.ts'
import type { Batch } from '../sync/target.ts'
import type { Held, VerifiableTarget } from '../verify/held.ts'
import { articleOf, type Article } from './article.ts'
import type { Keeper, Logger } from './keeper.ts'
import {
  articlesOf,
  begin,
  forgetStore,
  keptIds,
  keptOfArticles,
  keptPage,
  keptStores,
  positionOf,
  refusedArticles,
  saveRefused,
  saveStep,
  type KeptDatabase,
  type KeptProduct,
} from './kept.sql.ts'

/** How many products are read of the database at once. */
const PAGE = 500
/** How many refused articles are tried again at once. */
const REFUSED = 100

/** The shop as a target of `sync` and `verify`: what Shelfwire said last is kept in its database, and its products are made of that. */
export class ShopTarget implements VerifiableTarget {
  readonly #db: KeptDatabase
  readonly #keeper: Keeper
  readonly #stores: readonly string[]
  readonly #logger: Logger
  /** Stores share articles, and are read at the same time: one batch after another. */
  #last: Promise<unknown> = Promise.resolve()

  /** @param stores in the order of the options */
  constructor(db: KeptDatabase, keeper: Keeper, stores: readonly string[], logger: Logger) {
    this.#db = db
    this.#keeper = keeper
    this.#stores = stores
    this.#logger = logger
  }

  position(store: string): Promise<string | null> {
    return positionOf(this.#db, store)
  }

  ids(store: string, after: number, limit: number): Promise<number[]> {
    return keptIds(this.#db, store, after, limit)
  }

  async *held(store: string): AsyncGenerator<readonly Held[]> {
    for (let after = 0; ;) {
      const page = await keptPage(this.#db, store, after, PAGE)
      if (page.length === 0) return
      yield page.map(({ id, payload }) => ({ id, text: payload }))
      after = page.at(-1)?.id ?? after
    }
  }

  apply(batch: Batch): Promise<boolean> {
    const turn = this.#last.then(() => this.#apply(batch))
    this.#last = turn.catch(() => {})
    return turn
  }

  /** Articles as they are kept, listings in the order of the options. Those without a product are there, too. */
  async articles(keys: readonly string[]): Promise<Article[]> {
    return this.#articlesWith(keys, { store: '', products: [], removed: [] })
  }

  /** Writes articles again as they are kept. @returns what the shop has refused */
  async bring(keys: readonly string[]): Promise<Map<string, string>> {
    const refused = await this.#keeper.bring(await this.articles(keys))
    await saveRefused(this.#db, keys, refused)
    this.#tellRefused(refused)
    return refused
  }

  /** Tries once more what the shop has refused: the product that had a SKU may be gone since, or its other store's change may have come. */
  async bringRefused(): Promise<void> {
    for (let after = ''; ;) {
      const refused = (await refusedArticles(this.#db, REFUSED, after)).map(({ article }) => article)
      if (refused.length === 0) return
      await this.bring(refused)
      after = refused.at(-1) ?? after
    }
  }

  /** Takes away what is there of stores that the options name no more. */
  async forgetOthers(): Promise<void> {
    for (const store of await keptStores(this.#db)) {
      if (this.#stores.includes(store)) continue
      const keys = await begin(this.#db, await articlesOf(this.#db, store, null))
      await this.bring(keys)
      await forgetStore(this.#db, store)
      this.#logger.info(
        `Shelfwire: the store ${store} is no longer in the options; ${keys.length} products were looked at`,
      )
    }
  }

  async #apply(batch: Batch): Promise<boolean> {
    const { store, products, removed, position } = batch
    if ((await this.position(store)) !== batch.from) return false
    const ids = [...products.map(({ id }) => id), ...removed]
    const before = ids.length === 0 ? [] : await articlesOf(this.#db, store, ids)
    const made = products.map((product) => ({ product, article: articleOf(product) }))
    const keys = await begin(this.#db, [...new Set([...before, ...made.map(({ article }) => article)])])
    const refused = await this.#keeper.bring(await this.#articlesWith(keys, batch))
    this.#tellRefused(refused)
    await this.#db.transaction((transaction) =>
      saveStep(transaction, { store, position, products: made, removed, refused, articles: keys }),
    )
    return true
  }

  /** Articles as they are when a batch is written. */
  async #articlesWith(
    keys: readonly string[],
    { store, products, removed }: Pick<Batch, 'store' | 'products' | 'removed'>,
  ): Promise<Article[]> {
    const articles = new Map<string, Article>(keys.map((key) => [key, { key, listings: [] }]))
    const replaced = new Set([...products.map(({ id }) => id), ...removed])
    const kept = await keptOfArticles(this.#db, keys)
    const isKept = (row: KeptProduct) =>
      this.#stores.includes(row.store) && !(row.store === store && replaced.has(row.id))
    for (const row of kept.filter(isKept)) {
      const product = JSON.parse(row.payload) as Product
      articles.get(row.article)?.listings.push({ store: row.store, product })
    }
    for (const product of products) articles.get(articleOf(product))?.listings.push({ store, product })
    for (const { listings } of articles.values())
      listings.sort(
        (a, b) => this.#stores.indexOf(a.store) - this.#stores.indexOf(b.store) || a.product.id - b.product.id,
      )
    return [...articles.values()]
  }

  #tellRefused(refused: ReadonlyMap<string, string>): void {
    for (const [article, reason] of refused) this.#logger.error(`Shelfwire: the shop refuses ${article}: ${reason}`)
  }
}
