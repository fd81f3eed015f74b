import type { ChangeType } from '../answers.ts'

// Deliveries of webhooks, signed as the service signs them.

export interface GivenDelivery {
  event: ChangeType
  /** Slug; null: the change is in every store. */
  store: string | null
  ids: readonly number[]
  /** Of the endpoint; `whsec_fake` unless set. */
  secret?: string
  /** While the secret is being replaced: the new one, whose signature is in a header of its own. */
  nextSecret?: string
  /** After the secret was replaced: the old one, whose signature is in a header of its own. */
  previousSecret?: string
  /** The receiver's address; `https://shop.example/hook` unless set. */
  url?: string
  /** The time of the signature, in milliseconds; now unless set. */
  at?: number
  /** A test, which names no products. */
  isTest?: true
}

export interface SignedDelivery {
  url: string
  /** By their names in lower case. */
  headers: Record<string, string>
  /** The signed body. */
  body: string
  /** Makes a new request of the delivery. Call it twice to send it twice, as the service may. */
  request: () => Request
}

export async function signedDelivery(
  { event, ids, isTest, at = Date.now(), url = 'https://shop.example/hook', ...secrets }: Omit<GivenDelivery, 'store'>,
  storeId: number | null,
): Promise<SignedDelivery> {
  const body = JSON.stringify({
    event,
    store_id: storeId,
    product_ids: isTest === true ? [] : ids,
    occurred_at: `${new Date(at).toISOString().slice(0, 19)}+00:00`,
  })
  const timestamp = String(Math.floor(at / 1_000))
  const { secret = 'whsec_fake', nextSecret, previousSecret } = secrets
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'x-service-timestamp': timestamp,
    'x-service-signature': await signature(secret, timestamp, body),
    'x-service-delivery': crypto.randomUUID(),
  }
  if (nextSecret !== undefined) headers['x-service-signature-next'] = await signature(nextSecret, timestamp, body)
  if (previousSecret !== undefined)
    headers['x-service-signature-previous'] = await signature(previousSecret, timestamp, body)
  if (isTest === true) headers['x-service-test'] = '1'
  return { url, headers, body, request: () => new Request(url, { method: 'POST', headers, body }) }
}

/** `sha256=` and the HMAC-SHA256 of `timestamp.body` in hexadecimal. */
async function signature(secret: string, timestamp: string, body: string): Promise<string> {
  const encoder = new TextEncoder()
  const hash = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), hash, false, ['sign'])
  const signed = await crypto.subtle.sign('HMAC', key, encoder.encode(`${timestamp}.${body}`))
  return `sha256=${Array.from(new Uint8Array(signed), (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
