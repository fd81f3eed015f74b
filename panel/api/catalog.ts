import { useQueries } from '@tanstack/react-query'
import type { Static } from 'typebox'
import type { Price, Product, Store } from '../../contract/schemas.ts'
import { call } from './client.ts'
import { Problem } from './problem.ts'
import { useRead } from './read.ts'

// The finished catalog as stores read it. Its schemas refer to each other by name, which types do not follow: they are joined here.

/** What a store reads of a product. */
export const STORE_PRODUCT = 'GET /v1/products/{id}'

export type CatalogStore = Static<typeof Store>
export type StoreProduct = Omit<Static<typeof Product>, 'prices'> & { prices: Static<typeof Price>[] }

export function useStores(accountId: number) {
  const query = useRead('GET /v1/stores', { accountId })
  return { query, stores: (query.data as { data: CatalogStore[] } | undefined)?.data }
}

/** A product in each of some stores, in their order; null where the store does not list it. */
export function useProductInStores(accountId: number, productId: number, stores: readonly string[]) {
  return useQueries({
    queries: stores.map((store) => ({
      queryKey: [STORE_PRODUCT, accountId, productId, store],
      queryFn: async ({ signal }: { signal: AbortSignal }): Promise<StoreProduct | null> => {
        try {
          const answer = await call(STORE_PRODUCT, {
            accountId,
            params: { id: productId },
            query: { store },
            signal,
          })
          return (answer as unknown as { data: StoreProduct }).data
        } catch (error) {
          if (error instanceof Problem && error.code === 'unknown-product') return null
          throw error
        }
      },
    })),
  })
}
