import type { Announcement } from './plan.ts'

/**
 * The body of a delivery, as it is signed and sent.
 * @param occurredAt when the window was planned: RFC 3339 in seconds, with offset.
 */
export function bodyOf({ event, storeId, productIds }: Announcement, occurredAt: string): string {
  return JSON.stringify({ event, store_id: storeId, product_ids: productIds, occurred_at: occurredAt })
}

/** The products that a body names. */
export function productIdsOf(body: string): number[] {
  return (JSON.parse(body) as { product_ids: number[] }).product_ids
}
