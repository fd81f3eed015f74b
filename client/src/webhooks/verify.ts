import type { ChangeType } from '../answers.ts'

// Verifies deliveries of webhooks with Web Crypto, which Node, Deno, Bun, browsers and edge runtimes have.

export interface WebhookEvent {
  event: ChangeType
  /** Null: the change is in every store. */
  store_id: number | null
  /** Empty in a test. */
  product_ids: number[]
  occurred_at: string
  /** The same in every retry of this delivery. */
  delivery: string | null
  isTest: boolean
}

/** The receiver is set up so that the signed bytes have been consumed before it is called. The message is safe to send to the sender. */
class BytesGone extends TypeError {
  override readonly name = 'BytesGone'
}

/** A delivery that must not be trusted: answer 401. */
export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused'
}

export interface Delivery {
  /** Exactly as it arrived, before any parsing. */
  body: Uint8Array | string
  /** A `Headers` object, or a plain one, as `request.headers` of Node is. */
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  /** One, or two while a secret is being replaced. */
  secrets: readonly string[]
  /** The current time in milliseconds; the clock's unless set. */
  now?: number
  /** How far the delivery's time may be from `now`: 300 unless set. */
  toleranceSeconds?: number
}

/** Far above a delivery, which names 500 products at most. A longer body is not read on, because anybody may send to a receiver. */
const BODY_BYTES_MAX = 64 * 1_024
const SIGNATURES = ['x-service-signature', 'x-service-signature-next', 'x-service-signature-previous']

/**
 * The event of a delivery that is signed with one of the secrets, at a time close to now.
 * @throws WebhookRefused where it is not; TypeError without a secret; SyntaxError where a signed body is not JSON
 */
export async function verifyWebhook({
  body,
  headers,
  secrets,
  now = Date.now(),
  toleranceSeconds = 300,
}: Delivery): Promise<WebhookEvent> {
  // an empty secret comes from a variable that is not set, and anybody could sign with it
  const given = secrets.filter((secret) => secret?.trim())
  if (given[0] === undefined) throw new TypeError('verifyWebhook needs a secret')
  const header = (name: string): string | undefined => {
    const value = isOfFetch(headers)
      ? headers.get(name)
      : Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1]
    return [value ?? undefined].flat()[0]
  }
  const timestamp = header('x-service-timestamp') ?? ''
  if (!/^[0-9]{1,12}$/.test(timestamp)) throw new WebhookRefused('X-Service-Timestamp is missing or malformed')
  // written so that NaN, from a variable that is not set, refuses everything
  if (!(Math.abs(now / 1_000 - Number(timestamp)) <= toleranceSeconds))
    throw new WebhookRefused(`signed at ${timestamp}, more than ${toleranceSeconds} seconds from this clock`)
  const encoder = new TextEncoder()
  const bytes = typeof body === 'string' ? encoder.encode(body) : body
  const prefix = encoder.encode(`${timestamp}.`)
  const signed = new Uint8Array(prefix.length + bytes.length)
  signed.set(prefix)
  signed.set(bytes, prefix.length)
  const signatures = SIGNATURES.map((name) => signatureOf(header(name))).filter((one) => one !== undefined)
  if (!(await isSigned(signed, signatures, given))) throw new WebhookRefused('no signature of this delivery is valid')
  const read = JSON.parse(new TextDecoder().decode(bytes)) as Omit<WebhookEvent, 'delivery' | 'isTest'>
  return { ...read, delivery: header('x-service-delivery') ?? null, isTest: header('x-service-test') === '1' }
}

/** Also true for a `Headers` that another library has implemented. */
const isOfFetch = (headers: Delivery['headers']): headers is Headers => typeof headers.get === 'function'

/** The 32 bytes of `sha256=` and 64 lowercase hex digits. */
function signatureOf(text: string | undefined): Uint8Array<ArrayBuffer> | undefined {
  const hex = /^sha256=([0-9a-f]{64})$/.exec(text ?? '')?.[1]
  return hex === undefined
    ? undefined
    : Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16))
}

/** Whether any of the secrets made any of the signatures. Web Crypto compares in constant time. */
async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  signatures: readonly Uint8Array<ArrayBuffer>[],
  secrets: readonly string[],
): Promise<boolean> {
  const hash = { name: 'HMAC', hash: 'SHA-256' }
  for (const secret of secrets) {
    const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), hash, false, ['verify'])
    for (const signature of signatures) if (await crypto.subtle.verify('HMAC', key, signature, signed)) return true
  }
  return false
}

type OnEvent = (event: WebhookEvent) => void | Promise<void>

/**
 * A receiver for frameworks that pass a `Request` and take a `Response`: Hono, Next, Bun, Deno, Workers. It answers 204, 401 or 413, and rejects with
 * the errors of `onEvent`, which should only put the event into a queue or hint a `sync`: the sender waits 15 seconds.
 */
export function webhookHandler(secrets: readonly string[], onEvent: OnEvent): (request: Request) => Promise<Response> {
  return async ({ body, headers }) => {
    const { status, text } = await answerTo(body, headers, secrets, onEvent)
    return new Response(text, { status })
  }
}

/** The members used of a request of node:http, Express or Fastify. */
export interface NodeRequest extends Partial<AsyncIterable<Uint8Array>> {
  headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The bytes of the body, where they have been read already, as by `express.raw`. */
  body?: unknown
  readableEnded?: boolean
}

export interface NodeResponse {
  statusCode: number
  end(text?: string): unknown
}

/**
 * The same for Express (`app.post('/hook', webhookListener(…))`, before a JSON parser) and node:http. For Fastify see client/README.md.
 * Errors of `onEvent` are passed to Express's `next`. Without `next` the answer is 500, so that the delivery is sent again, and `onError` is called, which
 * writes to the console unless set.
 */
export function webhookListener(
  secrets: readonly string[],
  onEvent: OnEvent,
  // oxlint-disable-next-line no-console -- nothing else would say why deliveries fail
  onError: (error: unknown) => void = (error) => console.error(error),
): (request: NodeRequest, response: NodeResponse, next?: (error: unknown) => void) => Promise<void> {
  return async (request, response, next) => {
    try {
      const { status, text } = await answerTo(bytesOf(request), request.headers, secrets, onEvent)
      response.statusCode = status
      response.end(text ?? undefined)
    } catch (error) {
      if (next !== undefined) {
        next(error)
        return
      }
      response.statusCode = 500
      response.end(error instanceof BytesGone ? error.message : undefined)
      onError(error)
    }
  }
}

/** @throws BytesGone */
function bytesOf(request: NodeRequest): Uint8Array | AsyncIterable<Uint8Array> {
  const { body, readableEnded: isRead } = request
  if (body instanceof Uint8Array) return body
  if (isRead === true || request[Symbol.asyncIterator] === undefined)
    throw new BytesGone(
      'the bytes of the delivery are gone: receive it before a parser of JSON, or have the body as bytes',
    )
  return request as AsyncIterable<Uint8Array>
}

async function answerTo(
  body: Uint8Array | AsyncIterable<Uint8Array> | null,
  headers: Delivery['headers'],
  secrets: readonly string[],
  onEvent: OnEvent,
): Promise<{ status: number; text: string | null }> {
  try {
    const bytes = await boundedBody(body)
    if (bytes === null) return { status: 413, text: 'the body is too long for a delivery' }
    const event = await verifyWebhook({ body: bytes, headers, secrets })
    if (!event.isTest) await onEvent(event)
    return { status: 204, text: null }
  } catch (error) {
    if (error instanceof WebhookRefused) return { status: 401, text: error.message }
    throw error
  }
}

/** Reads a body. @returns null where it is longer than any delivery */
async function boundedBody(body: Uint8Array | AsyncIterable<Uint8Array> | null): Promise<Uint8Array | null> {
  if (body instanceof Uint8Array) return body.length > BODY_BYTES_MAX ? null : body
  const chunks: Uint8Array[] = []
  let length = 0
  // leaving the loop cancels the rest of the body
  if (body !== null)
    for await (const chunk of body) {
      length += chunk.length
      if (length > BODY_BYTES_MAX) return null
      chunks.push(chunk)
    }
  const whole = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}
