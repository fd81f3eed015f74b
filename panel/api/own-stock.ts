import { call, exchange } from './client.ts'
import { revised, type Revised } from './resources.ts'

/** The cost is text in answers. */
export type OwnStock = { quantity: number; cost: string | null }

/**
 * Own stock of a product with its revision; null, with an empty revision, if it has none. The panel's grid route is used, because a 404 would be
 * logged by the browser.
 */
export async function readOwnStock(accountId: number, productId: number): Promise<Revised<OwnStock | null>> {
  const { data } = await call('GET /panel/api/accounts/{account_id}/product-cells', {
    params: { account_id: accountId },
    query: { ids: [productId] },
  })
  if (data[0] === undefined || data[0].stock === null) return { data: null, revision: '' }
  const request = { accountId, params: { id: productId } }
  return revised(await exchange('GET /v1/account/products/{id}/stock', request))
}
