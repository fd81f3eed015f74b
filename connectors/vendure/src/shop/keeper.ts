import type { RequestContext } from '@vendure/core'
import { CollectionService } from '@vendure/core'
import type { Article, Deviation, Keeper } from '@shelfwire/client/shop'
import type { Terms } from '../article/terms.ts'
import { wantedOf, type Wanted } from '../article/wanted.ts'
import type { Ownable } from '../options.ts'
import type { Shop } from '../vendure-shop.ts'
import type { Categories } from './categories.ts'
import { foundOf } from './found.ts'
import { announce } from './new-product-events.ts'
import type { NewProducts } from './new-products.ts'
import type { Pictures } from './pictures.ts'
import { isStructural, planOf } from './plan.ts'
import type { Known } from './planned.ts'
import { isLost, refusalOf } from './refusals.ts'
import type { Id, ProductRow } from './rows.ts'
import { makeProduct, writeDetails, writeStructure } from './written.ts'

/** How many articles are read together. */
const TOGETHER = 50
/** How many articles are written in parallel: most of the time of one is spent waiting for its queries. docs/decisions/207-what-a-shop-is-told-together.md says why. */
const AT_ONCE = 4
/** How often an article is planned and written at most: the product, its options, its variants and its details need a round each. */
const ROUNDS = 6

export interface KeeperOptions {
  terms: Terms
  shopOwns: ReadonlySet<Ownable>
  categories: Categories
  pictures: Pictures
  /** The ids, as texts, of channels in which stores are or were sold, without the default one. */
  channels: ReadonlySet<string>
  /** Null: new products are made by the shop's services. */
  newProducts: NewProducts | null
  /** Logs a text once. */
  warn: (text: string) => void
}

/** Brings articles into the shop, each in one transaction, and compares them with the shop's products. */
export class VendureKeeper implements Keeper {
  readonly #shop: Shop
  readonly #ctx: RequestContext
  readonly #options: KeeperOptions
  /** The stock locations of the stores. */
  readonly #locations: readonly Id[]
  #hasWarned = false

  constructor(shop: Shop, ctx: RequestContext, options: KeeperOptions) {
    this.#shop = shop
    this.#ctx = ctx
    this.#options = options
    const { stores } = options.terms
    this.#locations = [...new Map(stores.map(({ stockLocationId: id }) => [String(id), id])).values()]
  }

  async bring(articles: readonly Article[]): Promise<Map<string, string>> {
    const refused = new Map<string, string>()
    const collections = this.#shop.get(CollectionService)
    const written: string[] = []
    // collections are updated once at the end: the shop would do so for each product
    collections.setApplyAllFiltersOnProductUpdates(false)
    try {
      for (let at = 0; at < articles.length; at += TOGETHER)
        await this.#bringSome(articles.slice(at, at + TOGETHER), refused, written)
    } finally {
      collections.setApplyAllFiltersOnProductUpdates(true)
      if (written.length > 0) await collections.triggerApplyFiltersJob(this.#ctx)
    }
    return refused
  }

  async compare(articles: readonly Article[]): Promise<Deviation[]> {
    const wanted = this.#wanted(articles)
    const { categories, pictures } = this.#options
    const known = {
      ...(await categories.idsFor(articles)),
      pictures: await pictures.known(urlsOf(wanted)),
    }
    const found = await this.#found(this.#ctx, articles)
    return articles.flatMap(({ key }) => {
      const { differences } = planOf(wanted.get(key) ?? null, found.get(key), this.#known(known))
      return differences.length === 0 ? [] : [{ article: key, differences }]
    })
  }

  #found(ctx: RequestContext, articles: readonly Article[]): Promise<Map<string, ProductRow>> {
    return foundOf(
      this.#shop,
      ctx,
      articles.map(({ key }) => key),
      this.#locations,
    )
  }

  #wanted(articles: readonly Article[]): Map<string, Wanted | null> {
    return new Map(articles.map((article) => [article.key, wantedOf(article, this.#options.terms)]))
  }

  /** @param isNew the product did not exist @param made variants that did not exist: of new ones, everything is written, members that the shop owns too */
  #known(of: Omit<Known, 'channels' | 'owns'>, isNew = false, made: ReadonlySet<number> = new Set()): Known {
    const { channels, shopOwns } = this.#options
    const owns = (field: Ownable, source?: number) =>
      shopOwns.has(field) && !isNew && !(source !== undefined && made.has(source))
    return { ...of, channels, owns }
  }

  /** @param written gets the keys of the articles that are written, even where others fail */
  async #bringSome(articles: readonly Article[], refused: Map<string, string>, written: string[]): Promise<void> {
    const { categories, pictures } = this.#options
    const wanted = this.#wanted(articles)
    const known = {
      ...(await categories.idsFor(articles)),
      pictures: await pictures.idsFor(urlsOf(wanted)),
    }
    const found = await this.#found(this.#ctx, articles)
    const differing = articles.filter(
      ({ key }) => planOf(wanted.get(key) ?? null, found.get(key), this.#known(known)).differences.length > 0,
    )
    const together = await this.#makeNew(
      differing.flatMap(({ key }) => (found.has(key) ? [] : (wanted.get(key) ?? []))),
      known,
      written,
    )
    const write = async (article: Article, onRefused: (reason: string) => void) => {
      try {
        const of = wanted.get(article.key) ?? null
        await this.#shop.transaction(this.#ctx, (ctx) => this.#write(ctx, article, of, known))
        written.push(article.key)
      } catch (error) {
        const reason = refusalOf(error)
        if (reason === null) throw error
        onRefused(reason)
      }
    }
    const again: Article[] = []
    const left = differing.filter(({ key }) => !together.has(key))
    await inTurns(left, (article) => write(article, () => again.push(article)))
    // tried again one by one: where two have written the same row at once, such as a picture of both, the database refuses one of them
    for (const article of again) await write(article, (reason) => refused.set(article.key, reason))
  }

  /**
   * Makes new products together, part by part.
   * @param written gets the keys of those that were made
   * @returns the same keys; the others must be written one by one, which shows what is wrong with each
   */
  async #makeNew(
    wanted: readonly Wanted[],
    known: Omit<Known, 'channels' | 'owns'>,
    written: string[],
  ): Promise<Set<string>> {
    const made = new Set<string>()
    const { newProducts } = this.#options
    if (newProducts === null || wanted.length === 0) return made
    for (const part of (await this.#tried(() => newProducts.parts(this.#ctx, wanted))) ?? []) {
      const isMade = await this.#tried(async () => {
        await this.#shop.transaction(this.#ctx, (ctx) => this.#makePart(ctx, newProducts, part, known))
        return true
      })
      if (isMade === null) continue
      for (const { key } of part) {
        made.add(key)
        written.push(key)
      }
    }
    return made
  }

  async #makePart(
    ctx: RequestContext,
    newProducts: NewProducts,
    part: readonly Wanted[],
    known: Omit<Known, 'channels' | 'owns'>,
  ): Promise<void> {
    const all = this.#known(known, true)
    const beside = await newProducts.make(ctx, part, all)
    const keys = part.map(({ key }) => key)
    const rows = await foundOf(this.#shop, ctx, keys, this.#locations)
    for (const each of part)
      if (planOf(each, rows.get(each.key), all).differences.length > 0)
        await this.#write(ctx, { key: each.key, listings: [] }, each, known, true)
    const products = part.flatMap((each) => {
      const row = rows.get(each.key)
      return row === undefined ? [] : [{ wanted: each, row }]
    })
    await announce(this.#shop, ctx, { products, beside, known: all })
  }

  /**
   * Writing together is only faster: where it fails, the shop's services are used, and decide.
   * @returns null where the work has failed
   * @throws errors with which the services would fail, too, such as a lost connection
   */
  async #tried<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await work()
    } catch (error) {
      if (isLost(error)) throw error
      // a refusal is reported for the article itself, when it is written alone
      if (refusalOf(error) === null && !this.#hasWarned) {
        this.#hasWarned = true
        const reason = error instanceof Error ? error.message : String(error)
        this.#options.warn(`Shelfwire: new products are written one by one, because together they cannot be: ${reason}`)
      }
      return null
    }
  }

  async #write(
    ctx: RequestContext,
    article: Article,
    wanted: Wanted | null,
    known: Omit<Known, 'channels' | 'owns'>,
    hasBegun = false,
  ): Promise<void> {
    const made = new Set<number>()
    let isNew = hasBegun
    for (let round = 0; round < ROUNDS; round++) {
      const row = (await this.#found(ctx, [article])).get(article.key)
      const all = this.#known(known, isNew, made)
      const plan = planOf(wanted, row, all)
      if (plan.makeProduct !== null) {
        isNew = true
        await makeProduct(this.#shop, ctx, plan.makeProduct, all)
      } else if (row !== undefined && isStructural(plan)) {
        for (const { variant } of plan.make) made.add(variant.source)
        await writeStructure(this.#shop, ctx, row, plan)
      } else {
        if (row !== undefined) await writeDetails(this.#shop, ctx, row, plan)
        // after new pictures one more round: they must be made visible in the product's channels
        if (!('assetIds' in plan.product)) return
      }
    }
    throw new Error(
      `${article.key} cannot be made as it should be: the shop answers each change with another difference`,
    )
  }
}

/** Does the work for all, `AT_ONCE` in parallel. After an error no further one is begun; it is thrown when those that were begun have ended. */
async function inTurns<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = all.values()
  let hasFailed = false
  const turns = Array.from({ length: AT_ONCE }, async () => {
    for (const one of left) {
      if (hasFailed) return
      try {
        await work(one)
      } catch (error) {
        hasFailed = true
        throw error
      }
    }
  })
  for (const turn of await Promise.allSettled(turns)) if (turn.status === 'rejected') throw turn.reason
}

const urlsOf = (wanted: ReadonlyMap<string, Wanted | null>): string[] => [
  ...new Set([...wanted.values()].flatMap((each) => each?.pictures ?? [])),
]
