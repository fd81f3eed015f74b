import { createHash, hash, type Hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { setImmediate as turn } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SentRows } from '../../operations/bulk/rows.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { BodyBudget, BodyPlace, BodySender } from './body-budget.ts'
import { receive, tooLarge } from './receive.ts'
import { parseStrictJson, type StrictValue } from './strict-json.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The place of its body's bytes; null when it has none. */
    bodyPlace: BodyPlace | null
    /** SHA-256 of the body as sent, in base64url; null when there was none. */
    bodyDigest: string | null
    /** The rows of a bulk, in place of those in `body`. */
    sentRows: SentRows | null
  }
}

const JSON_TYPES = /^application\/(?:json|merge-patch\+json)(?:;|$)/

/** Turns the bytes of a body into `request.body`. */
export type BodyReader = (request: FastifyRequest, bytes: Buffer) => unknown

/**
 * Makes this scope read bodies as strict JSON, and refuse every other type with 415. The bytes of a body are taken from the
 * budget before the first of them is read.
 * @param senderOf called when the caller is known
 */
export function readBodies(
  app: FastifyInstance,
  budget: BodyBudget,
  senderOf: (request: FastifyRequest) => BodySender,
): void {
  app.decorateRequest('bodyDigest', null)
  app.decorateRequest('sentRows', null)
  app.removeAllContentTypeParsers()
  // a hook and not the parser: Fastify closes the connection when a parser fails, and the client might not read the answer
  app.addHook('preParsing', (request, reply, payload, done) => {
    try {
      if (hasBody(request)) takePlace(request, reply, () => budget.open(senderOf(request), reply))
      done(null, payload)
    } catch (error) {
      done(error as Error)
    }
  })
  // an empty body is accepted because many clients send a type without one, as with DELETE; routes that need a body check for it
  addBodyReader(app, JSON_TYPES, async (request, bytes) => {
    requireJson(request)
    if (bytes.length === 0) return undefined
    const { value, values } = readValues(bytes)
    if (values > LIMITS.requestBodyValuesAtOnce) await turn()
    return value
  })
}

function readValues(bytes: Buffer): StrictValue {
  try {
    return parseStrictJson(bytes, { valuesMax: LIMITS.requestBodyValuesMax })
  } catch (error) {
    if (error instanceof ShelfwireError && error.code === 'payload-too-large')
      throw new ShelfwireError('payload-too-large', `the body ${error.message}`, { cause: error })
    throw error
  }
}

/** For a scope with other bodies: replaces the reader of JSON. */
export function readJsonAs(app: FastifyInstance, read: BodyReader): void {
  app.removeContentTypeParser(JSON_TYPES)
  addBodyReader(app, JSON_TYPES, (request, bytes) => {
    requireJson(request)
    return read(request, bytes)
  })
}

/** Receives bodies of a media type within the route's limit and the request's place, and reads them with `read`. */
export function addBodyReader(app: FastifyInstance, type: RegExp, read: BodyReader): void {
  app.addContentTypeParser(type, async (request: FastifyRequest, payload: IncomingMessage) => {
    const { bodyPlace: place } = request
    // GET and HEAD have no bodies, and an empty body takes no place
    if (place === null) return read(request, Buffer.alloc(0))
    return place.use(async () => {
      const length = lengthOf(request)
      const { bodyLimit } = request.routeOptions
      const digest = request.headers['idempotency-key'] === undefined ? null : createHash('sha256')
      const bytes = await receive(payload, place, length, bodyLimit, (chunk) => digest?.update(chunk))
      request.bodyDigest = digestOf(digest)
      return read(request, bytes)
    })
  })
}

const digestOf = (digest: Hash | null) => digest?.digest('base64url') ?? null

/** Whether a request has a body that needs a place. A streamed upload does not, because its bytes are not kept. */
function hasBody({ method, headers, routeOptions }: FastifyRequest): boolean {
  if (method === 'GET' || method === 'HEAD') return false
  if (routeOptions.config.route?.upload?.isStreamed === true) return false
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

/** Content-Length; null for a chunked body. */
function lengthOf({ headers }: FastifyRequest): number | null {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : null
}

function takePlace(request: FastifyRequest, reply: FastifyReply, open: () => BodyPlace): void {
  const length = lengthOf(request)
  const { bodyLimit } = request.routeOptions
  if (length !== null && length > bodyLimit) throw tooLarge(bodyLimit)
  // the connection may have closed while the caller was looked up: it emits no further event, so nothing would free the bytes
  if (reply.raw.destroyed) throw new ShelfwireError('bad-request', 'the client is gone')
  const place = open()
  if (length !== null) place.grow(length)
  request.bodyPlace = place
  if (request.headers.expect !== undefined) reply.raw.writeContinue()
}
function requireJson(request: FastifyRequest): void {
  requireUtf8(request)
  if (request.method !== 'PATCH' && /merge-patch/.test(request.headers['content-type'] ?? '')) {
    throw new ShelfwireError(
      'unsupported-media-type',
      'a merge patch goes with PATCH; send the body as application/json',
    )
  }
}

/** JSON between systems is UTF-8 (RFC 8259). @throws ShelfwireError unsupported-media-type for another charset, or a compressed body */
export function requireUtf8(request: FastifyRequest): void {
  const coding = request.headers['content-encoding'] ?? 'identity'
  if (coding.toLowerCase() !== 'identity')
    throw new ShelfwireError('unsupported-media-type', `bodies are read as they are, not ${coding.slice(0, 40)}`)
  const charset = /charset\s*=\s*"?([^";\s]+)/i.exec(request.headers['content-type'] ?? '')?.[1]
  if (charset !== undefined && charset.toLowerCase() !== 'utf-8' && charset.toLowerCase() !== 'utf8') {
    throw new ShelfwireError('unsupported-media-type', `send the body as UTF-8, not as ${charset.slice(0, 40)}`)
  }
}

/** Refuses members in the body of a route that reads none. @throws ShelfwireError invalid-input. */
export function requireNoMembers({ body }: FastifyRequest): void {
  const names = typeof body === 'object' && body !== null ? Object.keys(body) : []
  const [first] = names
  if (first !== undefined)
    throw new ShelfwireError('invalid-input', `${first.slice(0, 80)} is not a known member`, {
      faults: names.slice(0, 20).map((name) => ({ name: name.slice(0, 80), reason: 'is not a known member' })),
    })
}

/** Tells requests with the same Idempotency-Key apart: a hash of method, URL and body. */
export function requestHash(request: FastifyRequest): string {
  const digest = request.bodyDigest ?? hash('sha256', '', 'base64url')
  return hash('sha256', `${request.method} ${request.url}\n${digest}`, 'base64url')
}
