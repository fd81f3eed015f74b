import { call } from './client.ts'
import type { CatalogStore, StoreProduct } from './catalog.ts'
import { Problem } from './problem.ts'
import { changeResource, createResource, readResource, type Resource, type Revised } from './resources.ts'

// A variant group as stores show it, and as its owner made it.

const ROUTE = 'GET /v1/groups/{id}'
const MEMBERS = ['id', 'sku', 'title', 'stock', 'group', 'prices', 'excluded', 'exclusion_reason'] as const
const PAGE = 200
/** Only this many stores are read for a group, beginning with the default store. */
const STORES_MAX = 10

type OwnGroup = Resource<'variant-groups'>
/** A product of a group as a store shows it. */
export type GroupedProduct = Pick<StoreProduct, (typeof MEMBERS)[number]>

/** A group as one store shows it. */
export interface ShownGroup {
  store: CatalogStore
  title: string | null
  products: GroupedProduct[]
}

/** A group with everything that its page shows. */
export interface GroupRead {
  id: number
  /** The group as the owner made it; null: it is stated by suppliers. */
  own: Revised<OwnGroup> | null
  /** The stores that list products of the group. */
  shown: ShownGroup[]
  /** All products in their order, including those that no store lists. */
  productIds: number[]
}

/**
 * Reads a group from the account and from up to STORES_MAX stores. @throws Problem unknown-variant-group if it does not
 * exist
 */
export async function readGroup(accountId: number, id: number, stores: readonly CatalogStore[]): Promise<GroupRead> {
  const [own, ...all] = await Promise.all([
    orNull('unknown-reference', readResource(accountId, 'variant-groups', id)),
    ...stores.slice(0, STORES_MAX).map((store) => orNull('unknown-variant-group', shownIn(accountId, id, store))),
  ])
  const shown = all.filter((one) => one !== null)
  if (own === null && shown.length === 0) {
    // throws unknown-variant-group if no store has the group
    await shownIn(accountId, id, undefined)
  }
  const listed = shown.flatMap(({ products }) => products.map((product) => [product.id, product] as const))
  const productIds =
    own?.data.products.map((product) => product.product_id) ??
    [...new Map(listed)].toSorted(([a, p], [b, q]) => placeOf(p) - placeOf(q) || a - b).map(([product]) => product)
  return { id, own, shown, productIds }
}

const placeOf = ({ group }: GroupedProduct) => group?.position ?? 0

async function shownIn(accountId: number, id: number, store: CatalogStore | undefined): Promise<ShownGroup | null> {
  const products: GroupedProduct[] = []
  for (let page = 1; ; page++) {
    const answer = await call(ROUTE, {
      accountId,
      params: { id },
      // names are sent as one text, which the service parses into a set
      query: {
        ...(store === undefined ? {} : { store: store.slug }),
        per_page: PAGE,
        page,
        fields: MEMBERS.join() as never,
      },
    })
    const { data, meta } = answer as unknown as {
      data: { title: string | null; products: GroupedProduct[] }
      meta: { last_page: number }
    }
    // a product that has just left the group is still in the answer for a moment
    products.push(...data.products.filter(({ group }) => group?.id === id))
    if (store === undefined) return null
    if (page >= meta.last_page) return { store, title: data.title, products }
  }
}

async function orNull<T>(code: string, reading: Promise<T>): Promise<T | null> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof Problem && error.code === code) return null
    throw error
  }
}

/** The body of a group that is made by hand. */
export interface GroupBody {
  /** null removes a title. */
  title: Record<string, string | null>
  options: { key: string; labels: Record<string, string> }[]
  products: { product_id: number; options: Record<string, string> }[]
}

/** Saves a group that was made by hand, or replaces a supplier's group by a new one. @returns its ID */
export async function saveGroup(accountId: number, { id, own }: GroupRead, body: GroupBody): Promise<number> {
  if (own === null) return (await createResource(accountId, 'variant-groups', body)).id
  await changeResource(accountId, 'variant-groups', id, body, own.revision)
  return id
}

/** Takes products out of every group. */
export async function ungroup(accountId: number, productIds: readonly number[]): Promise<void> {
  await call('POST /v1/account/ungroup', { accountId, body: { product_ids: [...productIds] } })
}
