import { verifyShop } from '@shelfwire/client/shop'
import type { Container } from './medusa-shop.ts'
import { openSession } from './session.ts'
import { externalIdPages } from './shop/found.ts'

// Proves that the shop is as the stores are: what it was told, by Shelfwire's digests, and what it made of it, by reading its products.

/**
 * @param options.repair writes again what differs
 * @returns null where another process of the shop is at work
 * @throws VerifyError where a store is not filled yet; ShelfwireError
 */
export function verify(shop: Container, { repair }: { repair: boolean }): ReturnType<typeof verifyShop> {
  return verifyShop({
    db: shop.resolve('__pg_connection__'),
    open: () => openSession(shop),
    keys: () => externalIdPages(shop),
    repair,
  })
}
