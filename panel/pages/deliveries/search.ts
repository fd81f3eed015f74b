import { idIn, textIn } from '../../api/address.ts'
import type { LogSearch } from '../../webhooks/delivery-log.tsx'

/** The parameters of a delivery log's address. Invalid ones are left out. */
export function deliveriesSearch(search: Record<string, unknown>): LogSearch & { endpoint?: number | undefined } {
  return {
    endpoint: idIn(search['endpoint']),
    state: textIn(search['state']),
    event: textIn(search['event']),
    origin: textIn(search['origin']),
    product: idIn(search['product']),
    delivery: textIn(search['delivery']),
  }
}
