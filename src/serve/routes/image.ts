import type { FastifyReply, FastifyRequest } from 'fastify'
import { IMAGE, IMAGE_SIZES, type ImageFit } from '../../../contract/routes/images.ts'
import type { ImageType } from '../../images/inspect/image-type.ts'
import { readStoredName, type ImageStore } from '../../images/store/image-store.ts'
import type { ByteRange, ReadObject } from '../../objects/object-store.ts'
import { acceptedFormat, isListedSize, variantOf, variantTag, type Variant } from '../../images/variants/variant.ts'
import type { VariantClient, Variants } from '../../images/variants/variants.ts'
import { asError, ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { matchesEntityTag } from '../answer.ts'
import { clientAddress } from '../client-address.ts'
import type { Handlers } from '../context.ts'
import { handle } from '../handle.ts'
import { leaving } from '../leaving.ts'
import { rangeOf } from '../range.ts'

/** A picture runs, loads and sends nothing when it is opened: an SVG may only have styles and embedded pictures. */
const POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"
/** Pages of any origin may show and read a picture. Caches never need to revalidate it, because its name is its hash. */
const HEADERS = {
  'content-security-policy': POLICY,
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'public, max-age=31536000, immutable',
}
const RETRY_SECONDS = 5
const READ_BYTES = 262_144

/** Reads the bytes of an answer. */
interface Source {
  type: ImageType
  tag: string
  stat(): Promise<{ bytes: number } | undefined>
  read(range?: ByteRange): Promise<ReadObject | undefined>
}

/** GET and HEAD /images/{hash}.{ending}: pictures, for everybody who knows the hash. */
export const image: Handlers = (app, { images }) => {
  handle(app, IMAGE, async (call) => {
    const { params, query, request, reply } = call
    const name = readStoredName(params.file)
    if (name === undefined) throw noPicture()
    const { w: width, h: height, fit } = query
    requireSizes(query)
    const isNegotiated = query.format === 'auto'
    const format = query.format === 'auto' ? acceptedFormat(request.headers.accept, name.type) : query.format
    const variant = variantOf(name.hash, name.type, { width, height, fit, format })
    if (variant === null && format !== undefined && !isNegotiated)
      throw invalid('format', 'does not apply to an SVG', 'format: an SVG is not converted')
    // even if the answer has no bytes: a cache must not serve one client's type to all
    if (isNegotiated) void reply.header('vary', 'Accept')
    try {
      return await send(
        request,
        reply,
        variant === null
          ? storedSource(images.store, name.hash, name.type)
          : variantSource(images.variants, variant, { address: clientAddress(request), signal: leaving(reply) }),
      )
    } catch (error) {
      if (error instanceof ShelfwireError) throw error
      request.log.error({ err: asError(error) }, 'the store of pictures does not answer')
      throw new ShelfwireError('image-unavailable', 'the picture cannot be read now; see Retry-After', {
        retryAfterSeconds: RETRY_SECONDS,
      })
    }
  })
}

interface ExactSize {
  w?: number | undefined
  h?: number | undefined
  fit?: ImageFit | undefined
}

/** An exact size must be a listed one: rounded up, the picture would have other proportions than the requested ones. */
function requireSizes({ w, h, fit = 'inside' }: ExactSize): void {
  if (fit === 'inside') return
  if (w === undefined && h === undefined) throw invalid('fit', 'needs w, h or both', `fit=${fit} needs w, h or both`)
  for (const [name, size] of [['w', w] as const, ['h', h] as const])
    if (size !== undefined && !isListedSize(size)) {
      const reason = `must be one of ${IMAGE_SIZES.join(', ')} with fit=${fit}`
      throw invalid(name, reason, `${name} ${reason}`)
    }
}

const invalid = (name: string, reason: string, detail: string) =>
  new ShelfwireError('invalid-parameters', detail, { faults: [{ name, reason }] })

const noPicture = () => new ShelfwireError('unknown-route', 'there is no picture at this address')

const storedSource = (store: ImageStore, hash: string, type: ImageType): Source => ({
  type,
  tag: `"${hash}"`,
  stat: () => store.stat(hash, type),
  read: (range) => store.read(hash, range, type),
})

const variantSource = (variants: Variants, variant: Variant, client: VariantClient): Source => ({
  type: variant.type,
  tag: variantTag(variant),
  async stat() {
    const found = await variants.open(variant, client)
    await found?.file.close()
    return found
  },
  async read(range) {
    const found = await variants.open(variant, client)
    if (found === undefined) return undefined
    const { first, last } = range ?? { first: 0, last: found.bytes - 1 }
    const stream = found.file.createReadStream({ start: first, end: last, highWaterMark: READ_BYTES })
    return { stream, bytes: last - first + 1 }
  },
})

async function send(request: FastifyRequest, reply: FastifyReply, source: Source): Promise<FastifyReply> {
  const { headers, method } = request
  const isSame = matchesEntityTag(headers['if-none-match'], source.tag)
  const ifRange = headers['if-range']
  const wanted = method === 'GET' && (ifRange === undefined || ifRange === source.tag) ? headers.range : undefined
  let range: ByteRange | undefined
  let bytes: number | undefined
  if (isSame || method === 'HEAD' || wanted !== undefined) {
    bytes = (await source.stat())?.bytes
    if (bytes === undefined) throw noPicture()
    const part = isSame ? null : rangeOf(wanted, bytes)
    if (part === 'unsatisfiable') {
      void reply.header('content-range', `bytes */${bytes}`)
      throw new ShelfwireError('range-not-satisfiable', `the picture has ${bytes} bytes`)
    }
    range = part ?? undefined
  }
  const read = isSame || method === 'HEAD' ? null : await source.read(range)
  if (read === undefined) throw noPicture()
  void reply.headers(HEADERS).header('etag', source.tag)
  if (isSame) return reply.code(304).send()
  void reply.header('accept-ranges', 'bytes').header('content-type', source.type)
  if (range !== undefined) void reply.code(206).header('content-range', `bytes ${range.first}-${range.last}/${bytes}`)
  if (read === null) return reply.header('content-length', bytes).send()
  // a client that reads nothing would keep a file open, or a connection to the bucket
  reply.raw.setTimeout(LIMITS.exportStallMs)
  return reply.header('content-length', read.bytes).send(read.all ?? read.stream)
}
