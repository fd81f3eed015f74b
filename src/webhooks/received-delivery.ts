import type { IncomingMessage } from 'node:http'
import { CHANGE_KINDS, type ChangeKind } from '../model/change.ts'
import { verifies } from '../outbound/signature.ts'
import { LIMITS } from '../platform/limits.ts'

// A delivery as a receiver reads and verifies it, for `shelfwire listen` and the shop of the demo.

const DELIVERY_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The webhook headers of a delivery; null: not sent. */
export interface Envelope {
  deliveryId: string | null
  timestamp: string | null
  signature: string | null
  nextSignature: string | null
  previousSignature: string | null
  isTest: boolean
}

/** The members of the body that docs/webhooks.md describes; null: missing or invalid. */
export interface Announced {
  event: ChangeKind | null
  storeId: number | null
  productIds: number[] | null
  occurredAt: string | null
}

/** The result of verifying a signature; `isGood` is null without a secret. */
export interface Verdict {
  isGood: boolean | null
  reason: string | null
}

/**
 * The exact bytes of the body; null if there are too many. They are read to the end in any case, so that the sender can
 * read the response.
 */
export async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= LIMITS.requestBodyBytesMax) chunks.push(chunk)
  }
  return bytes > LIMITS.requestBodyBytesMax ? null : Buffer.concat(chunks)
}

export function readEnvelope({ headers }: IncomingMessage): Envelope {
  const text = (name: string) => {
    const value = headers[name]
    return typeof value === 'string' ? value : null
  }
  const deliveryId = text('x-service-delivery')
  return {
    // anything else is not from Shelfwire, and might contain terminal escape sequences
    deliveryId: deliveryId !== null && DELIVERY_ID.test(deliveryId) ? deliveryId : null,
    timestamp: text('x-service-timestamp'),
    signature: text('x-service-signature'),
    nextSignature: text('x-service-signature-next'),
    previousSignature: text('x-service-signature-previous'),
    isTest: text('x-service-test') === '1',
  }
}

/** Unix seconds of a timestamp header; null if it is invalid. */
function secondsOf(timestamp: string | null): number | null {
  return timestamp !== null && /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : null
}

/** Age of a timestamp header in whole seconds, negative for the future; null if it is invalid. */
export function ageOf(timestamp: string | null, now: Date): number | null {
  const seconds = secondsOf(timestamp)
  return seconds === null ? null : Math.floor(now.getTime() / 1_000) - seconds
}

/** Whether the secret signed the body recently: docs/webhooks.md. @param secret null: nothing is verified */
export function verifyDelivery(
  { timestamp, signature, nextSignature, previousSignature }: Envelope,
  body: Buffer,
  secret: string | null,
  now: Date,
): Verdict {
  if (secret === null) return { isGood: null, reason: 'no --secret' }
  const bad = (reason: string): Verdict => ({ isGood: false, reason })
  const age = ageOf(timestamp, now)
  if (timestamp === null) return bad('X-Service-Timestamp is missing')
  if (age === null) return bad('X-Service-Timestamp is not a number of seconds')
  const tolerance = LIMITS.webhookToleranceSeconds
  if (Math.abs(age) > tolerance)
    return bad(`signed ${Math.abs(age)} s ${age > 0 ? 'ago' : 'ahead of this clock'}, more than ${tolerance}`)
  if (signature === null && nextSignature === null && previousSignature === null)
    return bad('X-Service-Signature is missing')
  if (signature !== null && verifies(secret, timestamp, body, signature)) return { isGood: true, reason: null }
  if (nextSignature !== null && verifies(secret, timestamp, body, nextSignature))
    return { isGood: true, reason: 'by X-Service-Signature-Next: this secret is new and does not sign alone yet' }
  if (previousSignature !== null && verifies(secret, timestamp, body, previousSignature))
    return { isGood: true, reason: 'by X-Service-Signature-Previous: this secret was rotated and ends soon' }
  return bad(
    /^sha256=[0-9a-f]{64}$/.test(signature ?? '')
      ? 'another secret, or the body was changed on its way'
      : 'not sha256= and 64 lowercase hex digits',
  )
}

/** The members of a body, as far as they can be read. */
export function readBodyMembers(body: Buffer): Announced {
  const members = parsed(body)
  const { event, store_id: storeId, product_ids: productIds, occurred_at: occurredAt } = members
  return {
    event: CHANGE_KINDS.find((kind) => kind === event) ?? null,
    storeId: Number.isSafeInteger(storeId) ? (storeId as number) : null,
    productIds:
      Array.isArray(productIds) && productIds.every((id) => Number.isSafeInteger(id)) ? (productIds as number[]) : null,
    occurredAt: typeof occurredAt === 'string' && /^[\dT:.Z+-]{1,40}$/.test(occurredAt) ? occurredAt : null,
  }
}

function parsed(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
