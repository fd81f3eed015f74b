import { useQueries } from '@tanstack/react-query'
import { exchange, type Answer } from '../../api/client.ts'
import { reading } from '../../api/read.ts'
import { revised, useFormStart, type Revised } from '../../api/resources.ts'

// The page's data besides the finished products.

export type ProductExplanation = Answer<'GET /v1/products/{id}/explain'>['data']
/** The account's own values of the product. */
export type OwnProduct = Answer<'GET /v1/account/products/{id}'>['data']
/** A supplier's offer of the product. */
export type Offer = Answer<'GET /panel/api/accounts/{account_id}/products/{product_id}/offers'>['data'][number]
export const offerKey = (offer: Offer) => `${offer.supplier.code} ${offer.sku}`

export const PRODUCT = '/v1/account/products/{id}'
export const STOCK = '/v1/account/products/{id}/stock'

/** The explanations of a product in the given stores, in their order. */
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

/** The account's own values of the product, for the start of a form. */
export function useOwn(accountId: number, productId: number) {
  return useFormStart(accountId, ['products', productId], () => readOwn(accountId, productId))
}
