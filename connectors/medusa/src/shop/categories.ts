import type { ListedCategory, Product } from '@shelfwire/client'
import { createProductCategoriesWorkflow, updateProductCategoriesWorkflow } from '@medusajs/medusa/core-flows'
import type { CategoryRow, Container } from '../medusa-shop.ts'
import { madeOf, noteMade } from '@shelfwire/client/shop'

// The account's own categories in the shop. A category that the account deletes stays, because the shop may have put products of its own into it.

interface CategoriesOptions {
  /** Reads the categories, parents before their children. */
  read: () => Promise<ListedCategory[]>
  /** False: the store that gives the names is not active, so existing categories keep their names and places. */
  isNaming: boolean
}

export class Categories {
  readonly #shop: Container
  readonly #options: CategoriesOptions
  #ids = new Map<string, string>()
  /** By store and category: the path of the category in the product that was seen last. */
  readonly #paths = new Map<string, string>()

  constructor(shop: Container, options: CategoriesOptions) {
    this.#shop = shop
    this.#options = options
  }

  /** Shelfwire's IDs -> Medusa's. The service is asked only where a product has a category with an unknown path. */
  async idsFor(products: readonly Product[]): Promise<ReadonlyMap<string, string>> {
    const named = products.flatMap(({ store, categories }) =>
      (categories ?? []).map(({ id, path }) => ({ key: `${store} ${id}`, path })),
    )
    // products have the paths of their categories, so a renamed or moved category has another path
    if (named.some(({ key, path }) => this.#paths.get(key) !== path)) await this.#read()
    // noted even where the service no longer has the category, which is then not looked for again
    for (const { key, path } of named) this.#paths.set(key, path)
    return this.#ids
  }

  async #read(): Promise<void> {
    const db = this.#shop.resolve('__pg_connection__')
    const made = await madeOf(db, 'category')
    const rows = await this.#shop
      .resolve('product')
      .listProductCategories(
        { id: [...made.values()] },
        { take: null, select: ['id', 'name', 'parent_category_id', 'rank'] },
      )
    const there = new Map(rows.map((row) => [row.id, row]))
    this.#ids = new Map([...made].filter(([, id]) => there.has(id)))
    for (const category of await this.#options.read()) {
      const id = this.#ids.get(String(category.id))
      const parent = category.parent_id === null ? null : (this.#ids.get(String(category.parent_id)) ?? null)
      if (id === undefined) await this.#make(category, parent)
      else if (this.#options.isNaming) await this.#update(id, there.get(id), category, parent)
    }
  }

  async #make(category: ListedCategory, parent: string | null): Promise<void> {
    const { id, name } = category
    const words = name
      .normalize('NFKD')
      .toLowerCase()
      .match(/[a-z\d]+/g)
    const handle = [...(words ?? []), 'c', id].join('-')
    const [there] = (
      await this.#shop.resolve('query').graph({ entity: 'product_category', fields: ['id'], filters: { handle } })
    ).data as { id: string }[]
    const made =
      there?.id ?? (await this.#create({ name, handle, parent_category_id: parent, rank: category.position }))
    this.#ids.set(String(id), made)
    await noteMade(this.#shop.resolve('__pg_connection__'), 'category', String(id), made)
  }

  async #create(of: object): Promise<string> {
    const input = { product_categories: [{ ...of, is_active: true, is_internal: false }] }
    const { result } = await createProductCategoriesWorkflow(this.#shop).run({ input })
    const id = result[0]?.id
    if (id === undefined) throw new Error('Medusa has made no category and said nothing')
    return id
  }

  async #update(
    id: string,
    row: CategoryRow | undefined,
    category: ListedCategory,
    parent: string | null,
  ): Promise<void> {
    if (row === undefined || (row.name === category.name && row.parent_category_id === parent)) return
    const update = { name: category.name, parent_category_id: parent, rank: category.position }
    await updateProductCategoriesWorkflow(this.#shop).run({ input: { selector: { id }, update } })
  }
}
