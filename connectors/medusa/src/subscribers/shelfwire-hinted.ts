import { follow } from '../following.ts'
import type { Container } from '../medusa-shop.ts'

/** Brings the shop up to date after a webhook. The webhook may have reached a process that only serves requests; subscribers run in one that works. */
export default function shelfwireHinted({ container }: { container: Container }): Promise<void> {
  return follow(container)
}

export const config = { event: 'shelfwire.hinted' }
