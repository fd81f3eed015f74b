import { useQueries } from '@tanstack/react-query'
import { exchange, type Answer } from '../../api/client.ts'
import { reading } from '../../api/read.ts'
import { revised, useFormStart, type Revised } from '../../api/resources.ts'

// What the page reads of its product besides what stores read.

export type Why = Answer<'GET /v1/products/{id}/explain'>['data']
/** What the account sets on the product. */
export type OwnProduct = Answer<'GET /v1/account/products/{id}'>['data']
/** A supplier's data of the product. */
export type Offer = Answer<'GET /panel/api/accounts/{account_id}/products/{product_id}/offers'>['data'][number]
export const offerKey = (offer: Offer) => `${offer.supplier.code} ${offer.sku}`

export const PRODUCT = '/v1/account/products/{id}'
export const STOCK = '/v1/account/products/{id}/stock'

/** Why the product is what it is, in each of some stores, in their order. */
export function useWhys(accountId: number, productId: number, stores: readonly string[]) {
  return useQueries({
    queries: stores.map((store) =>
      reading('GET /v1/products/{id}/explain', { accountId, params: { id: productId }, query: { store } }),
    ),
  })
}

export async function readOwn(accountId: number, productId: number): Promise<Revised<OwnProduct>> {
  return revised(await exchange(`GET ${PRODUCT}`, { accountId, params: { id: productId } }))
}

/** What is set on the product, as a form begins with it. */
export function useOwn(accountId: number, productId: number) {
  return useFormStart(accountId, ['products', productId], () => readOwn(accountId, productId))
}
