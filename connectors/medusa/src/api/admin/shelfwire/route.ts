import { shopStatus } from '@shelfwire/client/shop'
import type { ShopRequest, ShopResponse } from '../../../routing.ts'

/** The state of each store's mirror, and the articles that the shop has refused. */
export async function GET({ scope }: ShopRequest, response: ShopResponse): Promise<void> {
  response.status(200).json(await shopStatus(scope.resolve('__pg_connection__')))
}
