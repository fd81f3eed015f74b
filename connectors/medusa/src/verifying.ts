import { verifyShop } from '@shelfwire/client/shop'
import type { Container } from './medusa-shop.ts'
import { openSession } from './session.ts'
import { externalIdPages } from './shop/found.ts'

// Proves that the shop is equal to its stores: the kept payloads by Shelfwire's digests, and the shop's own products by reading them.

/**
 * @param options.repair writes again the products that differ
 * @returns null where another process of the shop is following or verifying
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
