import { follow } from '../following.ts'
import type { Container } from '../medusa-shop.ts'

/** Medusa runs this job each minute. */
export default function followShelfwire(shop: Container): Promise<void> {
  return follow(shop)
}

export const config = { name: 'follow-shelfwire', schedule: '* * * * *' }
