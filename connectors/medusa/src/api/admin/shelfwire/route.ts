import { shopStatus } from '@shelfwire/client/shop'
import type { ShopRequest, ShopResponse } from '../../../routing.ts'

/** Where the mirror of each store stands, and what the shop has refused to take. */
export async function GET({ scope }: ShopRequest, response: ShopResponse): Promise<void> {
  response.status(200).json(await shopStatus(scope.resolve('__pg_connection__')))
}
