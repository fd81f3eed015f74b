import type { ShopRequest, ShopResponse } from '../../../routing.ts'
import { refusedArticles, storeCounts } from '../../../state/state.sql.ts'

/** How many refused articles are named. */
const REFUSED = 100

/** Where the mirror of each store stands, and what the shop has refused to take. */
export async function GET({ scope }: ShopRequest, response: ShopResponse): Promise<void> {
  const db = scope.resolve('__pg_connection__')
  const stores = (await storeCounts(db)).map(({ store, position, products }) => {
    const { kind, since } = JSON.parse(position) as { kind: string; since: string }
    return { store, products, state: kind, as_of: kind === 'following' ? since : null }
  })
  response.status(200).json({ stores, refused: await refusedArticles(db, REFUSED) })
}
