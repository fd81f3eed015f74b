import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { HouseError } from '../../ground/errors.ts'
import { parseStrictJson } from './strict-json.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as sent; null when there was none. */
    bodyBytes: Buffer | null
  }
}

/** Has this part of the service read bodies as strict JSON, and refuse every other type with 415. */
export function readBodies(app: FastifyInstance): void {
  app.decorateRequest('bodyBytes', null)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(/^application\/(?:json|merge-patch\+json)(?:;|$)/, { parseAs: 'buffer' }, (request: FastifyRequest, bytes: Buffer, done) => {
    request.bodyBytes = bytes
    try {
      requireUtf8(request)
      if (request.method !== 'PATCH' && /merge-patch/.test(request.headers['content-type'] ?? '')) {
        throw new HouseError('unsupported-media-type', 'a merge patch goes with PATCH; send the body as application/json')
      }
      // many clients name a type where they send nothing, as with DELETE; what needs a body says so itself
      done(null, bytes.length === 0 ? undefined : parseStrictJson(bytes))
    } catch (error) {
      done(error as Error)
    }
  })
}

/** JSON between systems is UTF-8 (RFC 8259); a body that says otherwise would be read wrongly. */
export function requireUtf8(request: FastifyRequest): void {
  const charset = /charset\s*=\s*"?([^";\s]+)/i.exec(request.headers['content-type'] ?? '')?.[1]
  if (charset !== undefined && charset.toLowerCase() !== 'utf-8' && charset.toLowerCase() !== 'utf8') {
    throw new HouseError('unsupported-media-type', `send the body as UTF-8, not as ${charset.slice(0, 40)}`)
  }
}

/** What tells a request from others under the same Idempotency-Key: method, address and body. */
export function requestHash(request: FastifyRequest): string {
  return hash('sha256', Buffer.concat([Buffer.from(`${request.method} ${request.url}\n`), request.bodyBytes ?? Buffer.alloc(0)]), 'base64url')
}
