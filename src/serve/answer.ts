import { createHash, hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LIMITS } from '../platform/limits.ts'
import { codingOf, type Coding } from './coding.ts'
import type { LargePlace } from './large-answers.ts'

const CODINGS = {
  zstd: (body: Buffer) => promisify(zstdCompress)(body),
  br: (body: Buffer) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (body: Buffer) => promisify(gzip)(body, { level: 6 }),
} as const satisfies Record<Coding, (body: Buffer) => Promise<Buffer>>

/** The result of a read. */
export interface Found {
  body: string | Buffer
  /** Identifies the body before it is coded; without quotes. */
  tag: string
  /** Media type; JSON where it is left out. */
  type?: string
  /** The place of a large answer, ended when it has been sent. */
  place?: LargePlace
}

/** An answer, independent of how it is sent. Header names are in lower case. */
export interface Answer {
  status: number
  /** The code of a problem. */
  code?: string
  headers: Readonly<Record<string, string>>
  body: string | Buffer | null
}

/** Request headers that decide how a read is answered. */
export interface Conditions {
  'accept-encoding'?: string | undefined
  'if-none-match'?: string | undefined
}

const JSON_TYPE = 'application/json; charset=utf-8'

/**
 * A 200 with a strong ETag, or a 304 if the client has that body already. The tag identifies the body; each content coding has
 * an ETag of its own, because a strong ETag promises equal bytes.
 */
export function answerOf(
  conditions: Conditions,
  { body, tag, type = JSON_TYPE, place }: Found,
): Answer | Promise<Answer> {
  const coding = codingOf(conditions['accept-encoding'], body.length <= LIMITS.compressAboveBytes)
  const etag = coding === null ? `"${tag}"` : `"${tag}-${coding}"`
  if (matchesEntityTag(conditions['if-none-match'], etag)) return { status: 304, headers: { etag }, body: null }
  if (coding === null) return { status: 200, headers: { etag, 'content-type': type }, body }
  const headers = { etag, 'content-type': type, 'content-encoding': coding }
  const code = () => CODINGS[coding](typeof body === 'string' ? Buffer.from(body) : body)
  return (place === undefined ? code() : place.code(code)).then((coded) => ({ status: 200, headers, body: coded }))
}

/** Sends the result of `answerOf` for a body and its tag. */
export function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  body: string,
  tag: string,
  type = JSON_TYPE,
): FastifyReply | Promise<FastifyReply> {
  return answerFound(request, reply, { body, tag, type })
}

declare module 'fastify' {
  interface FastifyReply {
    /** The code of the problem that is the answer; null: the answer is no problem. */
    problemCode: string | null
  }
}

/** Sends the result of a read, and ends its place when it has been sent. */
export function answerFound(
  request: FastifyRequest,
  reply: FastifyReply,
  found: Found,
): FastifyReply | Promise<FastifyReply> {
  if (found.place !== undefined) endWhenSent(reply, found.place)
  const made = answerOf(request.headers, found)
  return made instanceof Promise ? made.then((done) => sendAnswer(reply, done)) : sendAnswer(reply, made)
}

function endWhenSent({ raw }: FastifyReply, place: LargePlace): void {
  // a destroyed connection emits no further `close` event
  if (raw.destroyed) place.end()
  else raw.once('close', () => place.end())
}

/** Sends an answer with the headers that the reply has already. */
export function sendAnswer(reply: FastifyReply, { status, code, headers, body }: Answer): FastifyReply {
  void reply.code(status).headers(headers)
  if (code !== undefined) reply.problemCode = code
  return body === null ? reply.send() : reply.send(body)
}

/** The tag of a text, without quotes. */
export const tagOf = (text: string): string => hash('sha256', text, 'base64url').slice(0, TAG_LENGTH)
const TAG_LENGTH = 24

/** The tag of a text that is made in parts, so that the event loop can turn between them. */
export function openTag(): { add: (part: string) => void; end: () => string } {
  // SHA-512 is faster than SHA-256 on processors without instructions for it
  const digest = createHash('sha512')
  return { add: (part) => void digest.update(part), end: () => digest.digest('base64url').slice(0, TAG_LENGTH) }
}

/** If-None-Match (RFC 9110): `*` or a list, compared weakly with a tag in its quotes. */
export function matchesEntityTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  return header.split(',').some((entry) => entry.trim().replace(/^W\//, '') === etag)
}
