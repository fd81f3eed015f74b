import { sign } from '../../../outbound/signature.ts'
import type { Channel } from '../channel.ts'

/** JSON to the owner's receiver, signed like deliveries of webhooks (docs/webhooks.md, "Verifying"). */
export const WEBHOOK: Channel = {
  request(message, { secret }, at) {
    const { id, kind, severity, facts, subject, text, link, createdAt } = message
    const body = JSON.stringify({ id, kind, severity, subject, text, facts, link, created_at: createdAt })
    const timestamp = String(Math.floor(at.getTime() / 1_000))
    return {
      headers: {
        'Content-Type': 'application/json',
        'X-Service-Delivery': id,
        'X-Service-Timestamp': timestamp,
        ...(secret === null ? {} : { 'X-Service-Signature': sign(secret, timestamp, body) }),
        ...(kind === 'test' ? { 'X-Service-Test': '1' } : {}),
      },
      body,
    }
  },
  refusals: [410],
}
