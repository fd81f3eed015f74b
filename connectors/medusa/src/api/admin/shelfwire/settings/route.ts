import { shopSettings } from '@shelfwire/client/shop'
import { optionsOf } from '../../../../options.ts'
import type { ShopRequest, ShopResponse } from '../../../../routing.ts'

/** The data of the page in the shop's settings: how the plugin is set up, how far it is and what went wrong. It does not have the token. */
export async function GET({ scope }: ShopRequest, response: ShopResponse): Promise<void> {
  const options = optionsOf(scope.resolve('shelfwire').options)
  const stores = options.stores.map((store) => ({ ...store, soldIn: store.salesChannel }))
  response.status(200).json(await shopSettings(scope.resolve('__pg_connection__'), { ...options, stores }))
}
