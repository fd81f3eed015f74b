import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LIMITS } from '../ground/limits.ts'

const CODINGS = {
  zstd: (body: Buffer) => promisify(zstdCompress)(body),
  br: (body: Buffer) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (body: Buffer) => promisify(gzip)(body, { level: 6 }),
} as const
type Coding = keyof typeof CODINGS
const CODING_NAMES: readonly Coding[] = ['zstd', 'br', 'gzip']

/**
 * Sends a 200 with a strong ETag, or a 304 when the client has it already. The tag names the body; each content coding
 * has its own, because a strong ETag promises equal bytes.
 * @param tag of the body before coding, without quotes.
 */
export function answer(request: FastifyRequest, reply: FastifyReply, body: string, tag: string): FastifyReply | Promise<FastifyReply> {
  const coding = body.length > LIMITS.compressAboveBytes ? codingOf(request.headers['accept-encoding']) : null
  const etag = coding === null ? `"${tag}"` : `"${tag}-${coding}"`
  void reply.header('ETag', etag)
  if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
  void reply.header('Content-Type', 'application/json; charset=utf-8')
  if (coding === null) return reply.send(body)
  void reply.header('Content-Encoding', coding)
  return CODINGS[coding](Buffer.from(body)).then((coded) => reply.send(coded))
}

/**
 * The coding of most weight (RFC 9110), among equals the first of ours; null for the body as it is. `*` stands for those
 * that are not named. The body as it is goes out whenever no coding of ours is wanted, also where it is refused.
 */
function codingOf(accepted: string | undefined): Coding | null {
  if (accepted === undefined || accepted === '') return null
  const weights = new Map<string, number>()
  for (const entry of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim())
    const weight = parameters.find((part) => part.startsWith('q='))
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)) || 0)
  }
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0
  const [best] = CODING_NAMES.toSorted((a, b) => weightOf(b) - weightOf(a))
  return best === undefined || weightOf(best) === 0 || weightOf(best) < (weights.get('identity') ?? 0) ? null : best
}

/** If-None-Match (RFC 9110): `*` or a list, compared weakly. */
function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  return header.split(',').some((entry) => entry.trim().replace(/^W\//, '') === etag)
}
