import { useQueries, useQuery } from '@tanstack/react-query'
import type { Static } from 'typebox'
import type { Price } from '../../contract/product-parts.ts'
import type { Product, Store } from '../../contract/schemas.ts'
import { call } from './client.ts'
import { Problem } from './problem.ts'
import { useRead } from './read.ts'

// The finished catalog as stores read it. Its schemas refer to each other by name, which their TypeScript types do not follow, so
// the types are combined here.

/** The route that reads a store's products. */
export const STORE_PRODUCTS = 'GET /v1/products'

export type CatalogStore = Static<typeof Store>
export type StoreProduct = Omit<Static<typeof Product>, 'prices'> & { prices: Static<typeof Price>[] }

/** The account's active stores, the default one first. */
export function useStores(accountId: number) {
  const query = useRead('GET /v1/stores', { accountId })
  return { query, stores: (query.data as { data: CatalogStore[] } | undefined)?.data }
}

/** A product in each of the given stores, in their order; null if the store does not list it. */
export function useProductInStores(accountId: number, productId: number, stores: readonly string[]) {
  return useQueries({
    queries: stores.map((store) => ({
      queryKey: [STORE_PRODUCTS, accountId, productId, store],
      // reads a list of one ID: a store that does not list the product would answer 404, which the browser's console
      // reports as an error
      queryFn: async ({ signal }: { signal: AbortSignal }): Promise<StoreProduct | null> => {
        const answer = await call(STORE_PRODUCTS, { accountId, query: { store, ids: [productId] }, signal })
        return (answer as unknown as { data: StoreProduct[] }).data[0] ?? null
      },
    })),
  })
}

const VARIANTS = 'GET /v1/groups/{id}'
const VARIANT_MEMBERS = ['id', 'sku', 'title', 'stock', 'group'] as const
/** The most products of one answer, and of one request by IDs. */
const VARIANTS_MAX = 200
const fields = VARIANT_MEMBERS.join() as never

/** The members of a product that are shown beside the other products of its group. */
export type Variant = Pick<StoreProduct, (typeof VARIANT_MEMBERS)[number]>

/** A picture of a group, and the products that show it. */
interface VariantImage {
  url: string
  product_ids: number[]
}
interface VariantsRead {
  variants: Variant[]
  images: VariantImage[]
  total: number
}

/** The first products of a variant group in a store, by their position. `data` is null if the store lists none. */
export function useVariants(accountId: number, groupId: number, store: string, isEnabled = true) {
  const query = useQuery({
    enabled: isEnabled,
    queryKey: [VARIANTS, accountId, groupId, store],
    queryFn: async ({ signal }): Promise<VariantsRead | null> => {
      try {
        const answer = await call(VARIANTS, {
          accountId,
          params: { id: groupId },
          // names are sent as one text, which the service parses into a set
          query: { store, per_page: VARIANTS_MAX, fields },
          signal,
        })
        const { data, meta } = answer as unknown as {
          data: { products: Variant[]; images: VariantImage[] }
          meta: { total: number }
        }
        return { variants: data.products, images: data.images, total: meta.total }
      } catch (error) {
        if (error instanceof Problem && error.code === 'unknown-variant-group') return null
        throw error
      }
    },
  })
  return { query, variants: query.data?.variants, images: query.data?.images, total: query.data?.total }
}

/** Products of a variant group by their IDs, without those that the store does not list. */
export function useVariantsById(accountId: number, store: string, ids: readonly number[]): readonly Variant[] {
  const asked = [...new Set(ids)].toSorted((a, b) => a - b)
  const parts = Array.from({ length: Math.ceil(asked.length / VARIANTS_MAX) }, (_, i) =>
    asked.slice(i * VARIANTS_MAX, (i + 1) * VARIANTS_MAX),
  )
  const answers = useQueries({
    queries: parts.map((part) => ({
      queryKey: [STORE_PRODUCTS, accountId, store, part],
      queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Variant[]> => {
        const query = { store, ids: part, per_page: VARIANTS_MAX, fields }
        const answer = await call(STORE_PRODUCTS, { accountId, query, signal })
        return (answer as unknown as { data: Variant[] }).data
      },
    })),
  })
  return answers.flatMap(({ data }) => data ?? [])
}
