import { Follower } from '@shelfwire/client/shop'
import type { Container } from './medusa-shop.ts'
import { sayOf } from './migrated.ts'
import { openSession } from './session.ts'

const follower = new Follower()

/** Brings the shop up to date. Called by the scheduled job, and when a webhook announces a change. */
export function follow(shop: Container): Promise<void> {
  return follower.follow({
    db: shop.resolve('__pg_connection__'),
    logger: shop.resolve('logger'),
    open: () => openSession(shop),
    sayOf,
  })
}
