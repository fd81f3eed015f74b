import { answerHint } from '@shelfwire/client/shop'
import { optionsOf } from '../../../options.ts'
import type { ShopRequest, ShopResponse } from '../../../routing.ts'

/** Receives Shelfwire's webhooks: a delivery that is signed with one of the secrets makes the shop read changes now. */
export async function POST(request: ShopRequest, response: ShopResponse): Promise<void> {
  const { webhookSecrets: secrets } = optionsOf(request.scope.resolve('shelfwire').options)
  const { status, body, isHint } = await answerHint(
    { body: request.rawBody ?? new Uint8Array(), headers: request.headers, secrets },
    '@shelfwire/medusa',
  )
  if (isHint) await request.scope.resolve('event_bus').emit({ name: 'shelfwire.hinted', data: {} })
  response.status(status).json(body)
}
