import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ShelfwireError } from '../../platform/errors.ts'
import { parseStrictJson } from './strict-json.ts'
import { parseStrictRows } from './strict-rows.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as sent; null when there was none. */
    bodyBytes: Buffer | null
    /** SHA-256 of bodyBytes, if computed already. */
    bodyDigest: string | null
  }
}

const JSON_TYPES = /^application\/(?:json|merge-patch\+json)(?:;|$)/

/** Makes this scope read bodies as strict JSON, and refuse every other type with 415. */
export function readBodies(app: FastifyInstance): void {
  app.decorateRequest('bodyBytes', null)
  app.decorateRequest('bodyDigest', null)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(JSON_TYPES, { parseAs: 'buffer' }, (request: FastifyRequest, bytes: Buffer, done) => {
    try {
      requireJson(request)
      request.bodyBytes = bytes
      // many clients send a type without a body, as with DELETE; routes that need a body check for it
      done(null, bytes.length === 0 ? undefined : parseStrictJson(bytes))
    } catch (error) {
      done(error as Error)
    }
  })
}

/** For a scope with large bodies: parses them in slices, so that other requests are served in between. */
export function readLargeBodies(app: FastifyInstance): void {
  app.removeContentTypeParser(JSON_TYPES)
  app.addContentTypeParser(JSON_TYPES, { parseAs: 'buffer' }, async (request: FastifyRequest, bytes: Buffer) => {
    requireJson(request)
    await keepBody(request, bytes)
    return bytes.length === 0 ? undefined : parseStrictRows(bytes)
  })
}

/** Keeps a large body as sent; its digest is computed in a separate thread. */
export async function keepBody(request: FastifyRequest, bytes: Buffer): Promise<void> {
  request.bodyBytes = bytes
  if (request.headers['idempotency-key'] === undefined) return
  request.bodyDigest = Buffer.from(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)).toString(
    'base64url',
  )
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

/** JSON between systems is UTF-8 (RFC 8259); a body with another charset, or compressed, would be read wrongly. */
export function requireUtf8(request: FastifyRequest): void {
  const coding = request.headers['content-encoding'] ?? 'identity'
  if (coding.toLowerCase() !== 'identity')
    throw new ShelfwireError('unsupported-media-type', `bodies are read as they are, not ${coding.slice(0, 40)}`)
  const charset = /charset\s*=\s*"?([^";\s]+)/i.exec(request.headers['content-type'] ?? '')?.[1]
  if (charset !== undefined && charset.toLowerCase() !== 'utf-8' && charset.toLowerCase() !== 'utf8') {
    throw new ShelfwireError('unsupported-media-type', `send the body as UTF-8, not as ${charset.slice(0, 40)}`)
  }
}

/** Refuses a body with members where none has a meaning. @throws ShelfwireError invalid-input. */
export function requireNoMembers({ body }: FastifyRequest): void {
  const names = typeof body === 'object' && body !== null ? Object.keys(body) : []
  const [first] = names
  if (first !== undefined)
    throw new ShelfwireError('invalid-input', `${first.slice(0, 80)} is not a known member`, {
      faults: names.slice(0, 20).map((name) => ({ name: name.slice(0, 80), reason: 'is not a known member' })),
    })
}

/** Identifies a request among those with the same Idempotency-Key: method, path and body. */
export function requestHash(request: FastifyRequest): string {
  const digest = request.bodyDigest ?? hash('sha256', request.bodyBytes ?? '', 'base64url')
  return hash('sha256', `${request.method} ${request.url}\n${digest}`, 'base64url')
}
