import type { Product } from '../answers.ts'
import { isFilling } from '../sync/position.ts'
import type { Batch } from '../sync/target.ts'
import type { Held, VerifiableTarget } from '../verify/held.ts'
import { articleOf, type Article } from './article.ts'
import type { Keeper, Logger } from './keeper.ts'
import {
  articlesOf,
  begin,
  dueRefused,
  begunArticlesDelete,
  forgetStore,
  keptIds,
  keptOfArticles,
  keptPage,
  keptStores,
  positionOf,
  saveRefused,
  saveStep,
  type KeptDatabase,
} from './kept.sql.ts'

/** How many products are read from the database at once. */
const PAGE = 500
/** How many articles are written at once where they are not of a batch. */
const ARTICLES = 200
/** How many refused articles a run tries again. They are expensive: where a write of several fails, each is written alone, to learn which one is refused and why. */
const REFUSED = 200
/** How many refusals of a batch are logged. */
const LOGGED = 20
/** How long a batch waits for the next batches of other stores that are being filled. */
const TOGETHER_MS = 3_000
/** How long a batch waits at most for stores whose fill is behind it. Its export is not read meanwhile, and the service ends an export that nobody reads for a minute. */
const AHEAD_MS = 20_000

/** A batch that waits to be written, with the functions that settle the promise of its `apply`. */
interface Waiting {
  batch: Batch
  /** By the clock of `performance`. */
  since: number
  resolve: (isWritten: boolean) => void
  reject: (error: unknown) => void
}

const isOfFill = ({ batch }: Waiting): boolean => batch.changes.length === 0 && batch.products.length > 0

/**
 * The shop as a target of `sync` and `verify`. The latest payloads of Shelfwire are kept in the shop's database, and its products are made from them.
 * docs/decisions/207-what-a-shop-is-told-together.md says why.
 */
export class ShopTarget implements VerifiableTarget {
  readonly #db: KeptDatabase
  readonly #keeper: Keeper
  readonly #stores: readonly string[]
  readonly #logger: Logger
  /** Stores share articles and are read at the same time. Queued batches are written together, so that an article is written once. */
  readonly #queue: Waiting[] = []
  #isWriting = false
  #arrived = () => {}
  /** Stores that are being filled: their next batch follows at once. */
  readonly #filling = new Set<string>()

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
    return new Promise((resolve, reject) => {
      this.#queue.push({ batch, since: performance.now(), resolve, reject })
      this.#arrived()
      if (!this.#isWriting) void this.#writeQueued()
    })
  }

  async #writeQueued(): Promise<void> {
    this.#isWriting = true
    try {
      while (this.#queue.length > 0) await this.#writeTogether()
    } finally {
      this.#isWriting = false
    }
  }

  async #writeTogether(): Promise<void> {
    let waiting: Waiting[] | undefined
    try {
      await this.#untilTogether()
      waiting = this.#takeTogether()
      const written = await this.#apply(waiting.map(({ batch }) => batch))
      for (const { batch, resolve } of waiting) resolve(written.has(batch))
    } catch (error) {
      // where a queued batch cannot be read, it is unknown which ones belong together: all are rejected
      for (const { reject } of waiting ?? this.#queue.splice(0)) reject(error)
    }
  }

  /**
   * Takes the batches that are written now. The batch of a fill stays in the queue, for at most `AHEAD_MS`, where all its products come after the
   * end of the fill that is furthest behind: that store's next batches have the same articles, and are written together with it.
   */
  #takeTogether(): Waiting[] {
    const rows = [...this.#queue]
    const end = Math.min(...rows.filter(isOfFill).map(({ batch }) => batch.products.at(-1)?.id ?? 0))
    const until = performance.now() - AHEAD_MS
    const isAhead = (row: Waiting) => isOfFill(row) && (row.batch.products[0]?.id ?? 0) > end && row.since > until
    const ahead = new Set(rows.filter(isAhead))
    this.#queue.splice(0, rows.length, ...ahead)
    return rows.filter((row) => !ahead.has(row))
  }

  /** Waits for a batch of each store that is being filled, for at most `TOGETHER_MS`: their next batches have mostly the same articles. */
  async #untilTogether(): Promise<void> {
    if (!this.#queue.some(isOfFill)) return
    const isMissing = (store: string) => !this.#queue.some(({ batch }) => batch.store === store)
    for (const until = performance.now() + TOGETHER_MS; [...this.#filling].some(isMissing);) {
      const left = until - performance.now()
      if (left <= 0) break
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left)
        this.#arrived = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }

  /** Articles as they are kept, with listings in the order of the options. A key without products gives an article without listings. */
  async articles(keys: readonly string[]): Promise<Article[]> {
    return this.#articlesWith(keys, [])
  }

  /** Writes articles again as they are kept, some at a time. @returns those that the shop has refused: key -> reason */
  async bring(keys: readonly string[]): Promise<Map<string, string>> {
    const refused = new Map<string, string>()
    for (const some of parts(keys)) {
      const of = await this.#keeper.bring(await this.articles(some))
      await saveRefused(this.#db, some, of)
      for (const [key, reason] of of) refused.set(key, reason)
    }
    // an article of an earlier part may have been refused for a SKU that an article of a later part has given up since
    if (keys.length > ARTICLES)
      for (const some of parts([...refused.keys()])) {
        const of = await this.#keeper.bring(await this.articles(some))
        const taken = some.filter((key) => !of.has(key))
        // for those that are still refused it counts as the same attempt: they are not noted again
        await saveRefused(this.#db, taken, new Map())
        for (const key of taken) refused.delete(key)
        for (const [key, reason] of of) refused.set(key, reason)
      }
    this.#tellRefused(refused)
    return refused
  }

  /**
   * Tries refused articles again: the product that had the SKU may be gone since, or the change in another store may have arrived. A bounded number
   * at a time; an article that is refused again and again has ever longer pauses, up to a day.
   * @param hasChanged whether anything else has changed in this run: then pauses are not waited for
   */
  async bringRefused(hasChanged: boolean): Promise<void> {
    await this.bring(await dueRefused(this.#db, REFUSED, hasChanged))
  }

  /** Removes the products of stores that the options no longer name. */
  async forgetOthers(): Promise<void> {
    for (const store of await keptStores(this.#db)) {
      if (this.#stores.includes(store)) continue
      const keys = await begin(this.#db, await articlesOf(this.#db, store, null))
      await this.bring(keys)
      await forgetStore(this.#db, store)
      await begunArticlesDelete(this.#db)
      this.#logger.info(
        `Shelfwire: the store ${store} is no longer in the options; ${keys.length} products were looked at`,
      )
    }
  }

  /** Writes batches. @returns those that were written, without those whose `from` is no longer the position: another process has gone on */
  async #apply(batches: readonly Batch[]): Promise<Set<Batch>> {
    const due = new Set<Batch>()
    const before: string[] = []
    for (const batch of batches) {
      const { store, products, removed } = batch
      if ((await this.position(store)) !== batch.from) continue
      due.add(batch)
      const ids = [...products.map(({ id }) => id), ...removed]
      if (ids.length > 0) before.push(...(await articlesOf(this.#db, store, ids)))
    }
    if (due.size === 0) return due
    const now = [...due].flatMap(({ products }) => products.map(articleOf))
    const articles = await begin(this.#db, [...new Set([...before, ...now])])
    const refused = await this.#keeper.bring(await this.#articlesWith(articles, due))
    this.#tellRefused(refused)
    await this.#db.transaction(async (transaction) => {
      for (const { store, position, products, removed } of due) {
        const made = products.map((product) => ({ product, article: articleOf(product) }))
        await saveStep(transaction, { store, position, products: made, removed })
      }
      await saveRefused(transaction, articles, refused)
      await begunArticlesDelete(transaction)
    })
    for (const { store, position } of due)
      if (isFilling(position)) this.#filling.add(store)
      else this.#filling.delete(store)
    return due
  }

  /** Articles as they will be once the batches are written. */
  async #articlesWith(keys: readonly string[], batches: Iterable<Batch>): Promise<Article[]> {
    const articles = new Map<string, Article>(keys.map((key) => [key, { key, listings: [] }]))
    const replaced = new Set<string>()
    for (const { store, products, removed } of batches) {
      for (const product of products) {
        replaced.add(`${store} ${product.id}`)
        articles.get(articleOf(product))?.listings.push({ store, product })
      }
      for (const id of removed) replaced.add(`${store} ${id}`)
    }
    for (const { store, id, article, payload } of await keptOfArticles(this.#db, keys))
      if (this.#stores.includes(store) && !replaced.has(`${store} ${id}`))
        articles.get(article)?.listings.push({ store, product: JSON.parse(payload) as Product })
    for (const { listings } of articles.values())
      listings.sort(
        (a, b) => this.#stores.indexOf(a.store) - this.#stores.indexOf(b.store) || a.product.id - b.product.id,
      )
    return [...articles.values()]
  }

  #tellRefused(refused: ReadonlyMap<string, string>): void {
    for (const [article, reason] of [...refused].slice(0, LOGGED))
      this.#logger.error(`Shelfwire: the shop refuses ${article}: ${reason}`)
    if (refused.size > LOGGED) this.#logger.error(`Shelfwire: the shop refuses ${refused.size - LOGGED} more`)
  }
}

function* parts(keys: readonly string[]): Generator<readonly string[]> {
  for (let at = 0; at < keys.length; at += ARTICLES) yield keys.slice(at, at + ARTICLES)
}
