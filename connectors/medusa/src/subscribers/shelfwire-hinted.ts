import { follow } from '../following.ts'
import type { Container } from '../medusa-shop.ts'

/** A webhook has said that something changed. It may have come to a process that serves requests alone, and runs here in one that works. */
export default function shelfwireHinted({ container }: { container: Container }): Promise<void> {
  return follow(container)
}

export const config = { event: 'shelfwire.hinted' }
