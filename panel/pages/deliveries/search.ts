import type { LogSearch } from '../../webhooks/delivery-log.tsx'

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
const id = (value: unknown) => {
  const number = Number(value)
  return Number.isSafeInteger(number) && number > 0 ? number : undefined
}

/** What the address of a delivery log says. What it cannot mean is left out. */
export function deliveriesSearch(search: Record<string, unknown>): LogSearch & { endpoint?: number | undefined } {
  return {
    endpoint: id(search['endpoint']),
    state: text(search['state']),
    event: text(search['event']),
    origin: text(search['origin']),
    product: id(search['product']),
    delivery: text(search['delivery']),
  }
}
