import { verifyWebhook, WebhookRefused } from '@shelfwire/client/webhooks'
import { optionsOf } from '../../../options.ts'
import type { ShopRequest, ShopResponse } from '../../../routing.ts'

/** Receives Shelfwire's webhooks: what is signed with one of the secrets has the shop look for changes now. */
export async function POST(request: ShopRequest, response: ShopResponse): Promise<void> {
  const { webhookSecrets: secrets } = optionsOf(request.scope.resolve('shelfwire').options)
  if (secrets.length === 0) {
    response.status(404).json({ message: 'the option webhookSecrets of @shelfwire/medusa is not set' })
    return
  }
  try {
    const { isTest } = await verifyWebhook({
      body: request.rawBody ?? new Uint8Array(),
      headers: request.headers,
      secrets,
    })
    if (!isTest) await request.scope.resolve('event_bus').emit({ name: 'shelfwire.hinted', data: {} })
    response.status(200).json({})
  } catch (error) {
    if (!(error instanceof WebhookRefused)) throw error
    response.status(401).json({ message: error.message })
  }
}
