import { call } from './client.ts'
import type { CatalogStore, StoreProduct } from './catalog.ts'
import { Problem } from './problem.ts'
import { changeResource, createResource, readResource, type Resource, type Revised } from './resources.ts'

// A group of variants as stores show it, and as its owner made it.

const ROUTE = 'GET /v1/groups/{id}'
const MEMBERS = ['id', 'sku', 'title', 'stock', 'group', 'prices', 'excluded', 'exclusion_reason'] as const
const PAGE = 200
/** Stores that are asked what they list of a group, the default one first. */
const STORES_MAX = 10

type OwnGroup = Resource<'variant-groups'>
/** A product of a group as a store shows it. */
export type GroupedProduct = Pick<StoreProduct, (typeof MEMBERS)[number]>

/** What a store shows of a group. */
export interface ShownGroup {
  store: CatalogStore
  title: string | null
  products: GroupedProduct[]
}

export interface GroupRead {
  id: number
  /** As the owner made it; null: suppliers state it. */
  own: Revised<OwnGroup> | null
  /** The stores that list some of it. */
  shown: ShownGroup[]
  /** All products in their order, also those that no store lists. */
  productIds: number[]
}

/** @throws Problem unknown-variant-group where there is none. */
export async function readGroup(accountId: number, id: number, stores: readonly CatalogStore[]): Promise<GroupRead> {
  const [own, ...all] = await Promise.all([
    orNull('unknown-reference', readResource(accountId, 'variant-groups', id)),
    ...stores.slice(0, STORES_MAX).map((store) => orNull('unknown-variant-group', shownIn(accountId, id, store))),
  ])
  const shown = all.filter((one) => one !== null)
  if (own === null && shown.length === 0) {
    // which says so
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
      // names are sent as a text, which the service reads as a set
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
    // a product that is leaving the group is shown with it for a moment
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

/** A group by hand, as a body has it. */
export interface GroupBody {
  /** null removes a title. */
  title: Record<string, string | null>
  options: { key: string; labels: Record<string, string> }[]
  products: { product_id: number; options: Record<string, string> }[]
}

/** Saves a group by hand, or makes one of a supplier's. @returns its id */
export async function saveGroup(accountId: number, { id, own }: GroupRead, body: GroupBody): Promise<number> {
  if (own === null) return (await createResource(accountId, 'variant-groups', body)).id
  await changeResource(accountId, 'variant-groups', id, body, own.revision)
  return id
}

/** Takes products out of every group. */
export async function ungroup(accountId: number, productIds: readonly number[]): Promise<void> {
  await call('POST /v1/account/ungroup', { accountId, body: { product_ids: [...productIds] } })
}
