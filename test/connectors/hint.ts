import { createHmac } from 'node:crypto'

/** The secret of the shop's endpoint. */
export const SECRET = 'whsec_of_a_test'
const BODY = JSON.stringify({ event: 'price', store_id: null, product_ids: [1], occurred_at: '2026-11-28T00:00:00Z' })

/** Sends a signed webhook to a shop, as the service does. @returns the status of its answer */
export async function hint(address: string, secret = SECRET): Promise<number> {
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const signature = createHmac('sha256', secret).update(`${timestamp}.${BODY}`).digest('hex')
  const answer = await fetch(address, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-service-timestamp': timestamp,
      'x-service-signature': `sha256=${signature}`,
    },
    body: BODY,
  })
  return answer.status
}
