import { TransactionalConnection, type RequestContext } from '@vendure/core'
import type { Shop } from '../vendure-shop.ts'
import type { Id, IdRow, NameRow } from './rows.ts'
import { slices } from './slices.ts'

/** How many values a statement has at most. PostgreSQL accepts 65,535; the margin is for columns that a shop has added. */
const VALUES = 30_000

/** Writes rows within the transaction of a context: those of a kind by one statement, unless they are very many. */
export class NewRows {
  readonly #shop: Shop
  readonly #ctx: RequestContext

  constructor(shop: Shop, ctx: RequestContext) {
    this.#shop = shop
    this.#ctx = ctx
  }

  /** @param rows those that are entities get their `id` set @returns the ids in the order of the rows */
  async insert(entity: unknown, rows: readonly object[]): Promise<Id[]> {
    const repository = this.#shop.get(TransactionalConnection).getRepository<IdRow>(this.#ctx, entity)
    const ids: Id[] = []
    // a row has at most one value per column
    for (const some of slices(rows, Math.ceil(VALUES / repository.metadata.columns.length))) {
      const { identifiers } = await repository.insert(some)
      for (const { id } of identifiers) ids.push(id)
    }
    return ids
  }

  /** Inserts the translated names of rows. @param named the id of a row, and its names */
  async name(entity: unknown, named: readonly (readonly [Id, readonly NameRow[]])[]): Promise<void> {
    await this.insert(
      entity,
      named.flatMap(([id, names]) => names.map(({ languageCode, name }) => ({ languageCode, name, base: { id } }))),
    )
  }

  /** Inserts many-to-many links of an entity's property; existing ones are ignored. @param linked the id of a row, and those that it is linked to */
  async link(entity: unknown, property: string, linked: readonly (readonly [Id, readonly Id[]])[]): Promise<void> {
    const { metadata, manager } = this.#shop.get(TransactionalConnection).getRepository<IdRow>(this.#ctx, entity)
    const junction = metadata.findRelationWithPropertyPath(property)?.junctionEntityMetadata
    const [own, other] = [junction?.ownerColumns[0]?.databaseName, junction?.inverseColumns[0]?.databaseName]
    if (junction === undefined || own === undefined || other === undefined)
      throw new Error(`this version of Vendure keeps ${property} otherwise than @shelfwire/vendure knows`)
    const rows = linked.flatMap(([id, ids]) => ids.map((otherId) => ({ [own]: id, [other]: otherId })))
    for (const some of slices(rows, VALUES / 2))
      await manager
        .createQueryBuilder()
        .insert()
        .into(junction.tableName)
        .values(some)
        .updateEntity(false)
        .orIgnore()
        .execute()
  }
}
