import { In } from 'typeorm'
import {
  ChannelService,
  Collection,
  CollectionService,
  Facet,
  FacetService,
  FacetValue,
  FacetValueService,
  TransactionalConnection,
  type RequestContext,
} from '@vendure/core'
import type { ListedCategory } from '@shelfwire/client'
import { distinct, handleOf, madeOf, noteMade, type Article } from '@shelfwire/client/shop'
import type { Shop } from '../vendure-shop.ts'
import { categoryTree, type Named } from './category-tree.ts'
import { isSame, otherNames } from './planned.ts'
import type { CollectionRow, FacetValueRow, Id, IdRow, NameRow } from './rows.ts'

// The account's own categories in the shop: values of one facet, which products have, and a tree of collections of the products with those values.
// A category that the account deletes stays, because the shop may use it in its menus.

const FACET = 'shelfwire-category'
const VALUE = 'category'
const COLLECTION = 'collection'

export interface CategoriesOptions {
  /** Read the categories in each language, parents before their children. The first one decides where they are in the tree. */
  lists: readonly { language: string; read: () => Promise<ListedCategory[]> }[]
  /** The channels in which they are visible. */
  channelIds: readonly Id[]
  hasCollections: boolean
}

interface KnownCategories {
  /** Shelfwire's ID -> the shop's facet value. */
  categories: ReadonlyMap<string, Id>
  facetId: Id | null
}

export class Categories {
  readonly #shop: Shop
  readonly #ctx: RequestContext
  readonly #options: CategoriesOptions
  #known: KnownCategories | null = null
  /** By store and category: the path of the category in the product that was seen last. */
  readonly #paths = new Map<string, string>()

  constructor(shop: Shop, ctx: RequestContext, options: CategoriesOptions) {
    this.#shop = shop
    this.#ctx = ctx
    this.#options = options
  }

  /** The facet values of the articles' categories. The service is asked only where a product has a category with an unknown path. */
  async idsFor(articles: readonly Article[]): Promise<KnownCategories> {
    const named = articles
      .flatMap(({ listings }) => listings)
      .flatMap(({ store, product }) =>
        (product.categories ?? []).map(({ id, path }) => ({ key: `${store} ${id}`, path })),
      )
    this.#known ??= await this.#read()
    // products have the paths of their categories, so a renamed or moved category has another path
    if (named.some(({ key, path }) => this.#paths.get(key) !== path)) this.#known = await this.#write()
    // noted even where the service no longer has the category, which is then not looked for again
    for (const { key, path } of named) this.#paths.set(key, path)
    return this.#known
  }

  async #read(): Promise<KnownCategories> {
    const facetId = (await this.#rows<IdRow>(Facet, FACET)).get(FACET)?.id ?? null
    const values =
      facetId === null
        ? new Map<string, FacetValueRow & { translations: NameRow[] }>()
        : await this.#rows<FacetValueRow & { translations: NameRow[] }>(FacetValue, VALUE)
    return { facetId, categories: new Map([...values].map(([key, { id }]) => [key, id])) }
  }

  /** The rows of a kind that were made here and still exist, by our key. */
  async #rows<Row extends { id: Id }>(
    entity: unknown,
    kind: string,
    relations: object = {},
  ): Promise<Map<string, Row>> {
    const made = await madeOf(this.#shop.db, kind)
    if (made.size === 0) return new Map()
    const rows = await this.#shop
      .get(TransactionalConnection)
      .getRepository<Row>(this.#ctx, entity)
      .find({ where: { id: In([...made.values()]) }, relations })
    const byId = new Map(rows.map((row) => [String(row.id), row]))
    return new Map(
      [...made].flatMap(([key, id]) => {
        const row = byId.get(id)
        return row === undefined ? [] : [[key, row] as const]
      }),
    )
  }

  async #write(): Promise<KnownCategories> {
    const named = await this.#named()
    const facet = await this.#facet()
    const values = await this.#rows<FacetValueRow & { translations: NameRow[] }>(FacetValue, VALUE, { channels: true })
    const ids = new Map<string, Id>([...values].map(([key, { id }]) => [key, id]))
    for (const { id, names } of named) {
      const row = values.get(String(id))
      if (row === undefined) ids.set(String(id), await this.#makeValue(facet, id, names))
      else {
        const translations = otherNames(names, row.translations)
        if (translations.length > 0)
          await this.#shop.get(FacetValueService).update(this.#ctx, { id: row.id, translations })
      }
      await this.#show(FacetValue, ids.get(String(id)), row?.channels)
    }
    if (this.#options.hasCollections) await this.#writeCollections(named, ids)
    return { facetId: facet.id, categories: ids }
  }

  async #named(): Promise<Named[]> {
    const lists = await Promise.all(
      this.#options.lists.map(async ({ language, read }) => ({ language, categories: await read() })),
    )
    return categoryTree(lists)
  }

  async #facet(): Promise<IdRow> {
    const there = (await this.#rows<IdRow>(Facet, FACET)).get(FACET)
    if (there !== undefined) return there
    const languages = distinct(this.#options.lists.map(({ language }) => language))
    const translations = languages.map((languageCode) => ({ languageCode, name: 'Category' }))
    await this.#make(FACET, FACET, (ctx) =>
      this.#shop.get(FacetService).create(ctx, { code: FACET, isPrivate: false, translations }),
    )
    const made = (await this.#rows<IdRow>(Facet, FACET)).get(FACET)
    if (made === undefined) throw new Error('the shop has made no facet and said nothing')
    await this.#show(Facet, made.id)
    return made
  }

  #makeValue(facet: IdRow, id: number, translations: NameRow[]): Promise<Id> {
    return this.#make(VALUE, String(id), (ctx) =>
      this.#shop.get(FacetValueService).create(ctx, facet, { code: `category-${id}`, translations }),
    )
  }

  /** Makes an entity and notes it in one transaction. */
  #make(kind: string, key: string, make: (ctx: RequestContext) => Promise<{ id: Id }>): Promise<Id> {
    return this.#shop.transaction(this.#ctx, async (ctx) => {
      const { id } = await make(ctx)
      await noteMade(this.#shop.kept(ctx), kind, key, String(id))
      return id
    })
  }

  /** Makes an entity visible in all channels. @param has the channels in which it is visible already */
  async #show(entity: unknown, id: Id | undefined, has: readonly IdRow[] = []): Promise<void> {
    const there = new Set(has.map((channel) => String(channel.id)))
    const channelIds = this.#options.channelIds.filter((channelId) => !there.has(String(channelId)))
    if (id !== undefined && channelIds.length > 0)
      await this.#shop.get(ChannelService).assignToChannels(this.#ctx, entity, id, channelIds)
  }

  async #writeCollections(named: readonly Named[], values: ReadonlyMap<string, Id>): Promise<void> {
    const rows = await this.#rows<CollectionRow>(Collection, COLLECTION, {
      parent: true,
      channels: true,
    })
    const ids = new Map<string, Id>([...rows].map(([key, { id }]) => [key, id]))
    // a collection whose category has become a top one is moved to the root, unless the shop has put it below a collection of its own
    const own = new Set([...rows.values()].map(({ id }) => String(id)))
    for (const category of named) {
      const key = String(category.id)
      const filters = filtersOf(category.withBelow.flatMap((id) => values.get(String(id)) ?? []))
      const parentId = category.parentId === null ? undefined : ids.get(String(category.parentId))
      const row = rows.get(key)
      if (row === undefined) {
        const id = await this.#make(COLLECTION, key, (ctx) =>
          this.#shop.get(CollectionService).create(ctx, {
            isPrivate: false,
            inheritFilters: false,
            ...(parentId === undefined ? {} : { parentId }),
            filters,
            translations: category.names.map(({ languageCode, name }) => ({
              languageCode,
              name,
              slug: handleOf(name, `c:${category.id}`),
              description: '',
            })),
          }),
        )
        ids.set(key, id)
        await this.#show(Collection, id)
      } else {
        const isBelowOurs = category.parentId === null && own.has(String(row.parent?.id))
        const above = isBelowOurs ? await this.#rootId() : parentId
        await this.#updateCollection(row, category, { parentId: above, filters })
      }
    }
  }

  async #updateCollection(
    row: CollectionRow,
    { id, names }: Named,
    { parentId, filters }: { parentId: Id | undefined; filters: ReturnType<typeof filtersOf> },
  ): Promise<void> {
    const collections = this.#shop.get(CollectionService)
    const translations = otherNames(names, row.translations).map(({ languageCode, name }) =>
      row.translations.some((each) => each.languageCode === languageCode)
        ? { languageCode, name }
        : { languageCode, name, slug: handleOf(name, `c:${id}`), description: '' },
    )
    const has = row.filters.map(({ code, args }) => ({ code, arguments: args }))
    const update = {
      ...(translations.length === 0 ? {} : { translations }),
      ...(isSame(has, filters) ? {} : { filters }),
    }
    if (Object.keys(update).length > 0) await collections.update(this.#ctx, { id: row.id, ...update })
    if (parentId !== undefined && String(row.parent?.id) !== String(parentId))
      await collections.move(this.#ctx, { collectionId: row.id, parentId, index: 0 })
    await this.#show(Collection, row.id, row.channels)
  }

  /** The root collection, which is the parent of all top collections. */
  async #rootId(): Promise<Id | undefined> {
    const [root] = await this.#shop
      .get(TransactionalConnection)
      .getRepository<IdRow>(this.#ctx, Collection)
      .find({ where: { isRoot: true }, order: { id: 'ASC' }, take: 1 })
    return root?.id
  }
}

/** A collection filter for products or variants that have any of the values. */
const filtersOf = (values: readonly Id[]) => [
  {
    code: 'facet-value-filter',
    arguments: [
      { name: 'facetValueIds', value: JSON.stringify(values.map(String)) },
      { name: 'containsAny', value: 'true' },
      { name: 'combineWithAnd', value: 'true' },
    ],
  },
]
