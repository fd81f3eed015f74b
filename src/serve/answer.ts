import { createHash, hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LIMITS } from '../platform/limits.ts'
import { codingOf, type Coding } from './coding.ts'

const CODINGS = {
  zstd: (body: Buffer) => promisify(zstdCompress)(body),
  br: (body: Buffer) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (body: Buffer) => promisify(gzip)(body, { level: 6 }),
} as const satisfies Record<Coding, (body: Buffer) => Promise<Buffer>>

/**
 * Sends a 200 with a strong ETag, or a 304 when the client has it already. The tag identifies the body; each content
 * coding has its own, because a strong ETag promises equal bytes.
 * @param tag of the body before coding, without quotes.
 */
export function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  body: string,
  tag: string,
  type = 'application/json; charset=utf-8',
): FastifyReply | Promise<FastifyReply> {
  const coding = codingOf(request.headers['accept-encoding'], body.length <= LIMITS.compressAboveBytes)
  const etag = coding === null ? `"${tag}"` : `"${tag}-${coding}"`
  void reply.header('ETag', etag)
  if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
  void reply.header('Content-Type', type)
  if (coding === null) return reply.send(body)
  void reply.header('Content-Encoding', coding)
  return CODINGS[coding](Buffer.from(body)).then((coded) => reply.send(coded))
}

/** The tag of a text, without quotes. */
export const tagOf = (text: string): string => hash('sha256', text, 'base64url').slice(0, 24)

/** The tag of a text that comes in parts, so that the event loop turns between them. */
export function openTag(): { add: (part: string) => void; end: () => string } {
  // SHA-512 is faster than SHA-256 on processors without instructions for it
  const digest = createHash('sha512')
  return { add: (part) => void digest.update(part), end: () => digest.digest('base64url').slice(0, 24) }
}

/** If-None-Match (RFC 9110): `*` or a list, compared weakly with a tag in its quotes. */
export function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  return header.split(',').some((entry) => entry.trim().replace(/^W\//, '') === etag)
}
