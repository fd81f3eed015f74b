import type { FastifyRequest } from 'fastify'
import type { BodyOf } from '../../../../contract/route.ts'
import { ADOPT_IMAGES, UPLOAD_IMAGE } from '../../../../contract/routes/images.ts'
import { adoptCopies, type Adoption } from '../../../images/adoption/adopt.ts'
import { imagePath } from '../../../images/inspect/image-type.ts'
import { readSlug } from '../../../input/text.ts'
import { readUrl } from '../../../input/url.ts'
import { ShelfwireError } from '../../../platform/errors.ts'
import type { Reader } from '../../../db/sql.ts'
import type { Handlers } from '../../context.ts'
import { handle } from '../../handle.ts'
import { leaving } from '../../leaving.ts'
import { supplierOf } from '../supplier-of.ts'
import { answerWrite } from '../../writing/answer-write.ts'
import { addBodyReader, requireUtf8 } from '../../writing/body.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The uploaded file; null: the request had none. */
    sentFile: Buffer | null
  }
}

/** POST /v1/account/images uploads a picture, as the body or in a form; POST /v1/account/images/adopt keeps copies of suppliers' pictures. */
export const imageHandlers: Handlers = (app, context) => {
  handle(app, ADOPT_IMAGES, ({ body, request, reply }) => {
    requireOneOf(body)
    return answerWrite(context, request, reply, async (tx, accountId) => {
      const { adopted, isMore } = await adoptCopies(tx, accountId, await adoptionOf(tx, accountId, body))
      return { status: 200, data: { adopted, is_more: isMore } }
    })
  })
  void app.register((images, _options, done) => {
    images.decorateRequest('sentFile', null)
    images.removeAllContentTypeParsers()
    // of several parsers that match, Fastify takes the one that was added last
    addBodyReader(images, /^/, () => {
      throw new ShelfwireError(
        'unsupported-media-type',
        'send the picture itself with its type, such as image/jpeg, or as the file of a multipart/form-data form',
      )
    })
    addBodyReader(images, /^(?:image\/|application\/octet-stream(?:;|$))/i, (request, bytes) => {
      requireUtf8(request)
      request.sentFile = bytes
    })
    addBodyReader(images, /^multipart\/form-data(?:;|$)/i, async (request, bytes) => {
      requireUtf8(request)
      request.sentFile = await fileIn(request, bytes)
    })
    handle(images, UPLOAD_IMAGE, async ({ caller, request, reply }) => {
      const bytes = request.sentFile
      if (bytes === null || bytes.length === 0)
        throw refused('is empty; send the picture itself, or a form with one file')
      const picture = await context.images.uploads.take(bytes, { key: caller.accountId, signal: leaving(reply) })
      request.sentFile = null
      return answerWrite(context, request, reply, async (tx, accountId) => {
        const url = await context.images.uploads.record(tx, accountId, picture)
        return { status: 201, data: { url, ...picture }, location: imagePath(picture.hash, picture.type) }
      })
    })
    done()
  })
}

const refused = (reason: string) =>
  new ShelfwireError('invalid-input', `the picture ${reason}`, { faults: [{ name: 'file', reason }] })

/** The file of a form. @throws ShelfwireError bad-request if the body is not a form; invalid-input for fields other than `file`. */
async function fileIn(request: FastifyRequest, bytes: Buffer): Promise<Buffer> {
  const headers = { 'content-type': request.headers['content-type'] ?? '' }
  const form = await new Response(new Uint8Array(bytes), { headers }).formData().catch((error: unknown) => {
    throw new ShelfwireError('bad-request', 'the body is no form that can be read', { cause: error })
  })
  const others = [...form.keys()].filter((name) => name !== 'file')
  if (others.length > 0)
    throw new ShelfwireError('invalid-input', 'a form with a picture has only the field file', {
      faults: others.slice(0, 20).map((name) => ({ name: name.slice(0, 80), reason: 'is not a known field' })),
    })
  const [file, second] = form.getAll('file')
  if (file === undefined || typeof file === 'string' || second !== undefined) throw refused('must be one file')
  return Buffer.from(await file.arrayBuffer())
}

/** @throws ShelfwireError invalid-input unless the body has exactly one member, with a valid value. */
function requireOneOf(body: BodyOf<typeof ADOPT_IMAGES>): void {
  const { image, supplier } = body
  const verdicts: [string, { value: string } | { reason: string }][] = []
  if (image !== undefined) verdicts.push(['image', readUrl(image)])
  if (supplier !== undefined) verdicts.push(['supplier', readSlug(supplier)])
  const faults = verdicts.flatMap(([name, verdict]) => ('reason' in verdict ? [{ name, reason: verdict.reason }] : []))
  if (faults.length > 0) throw new ShelfwireError('invalid-input', 'the adoption is invalid', { faults })
  const names = Object.keys(body)
  if (names.length === 1) return
  throw new ShelfwireError('invalid-input', 'an adoption has exactly one of image, supplier and all', {
    faults:
      names.length === 0
        ? [{ name: 'image', reason: 'is required, or supplier, or all' }]
        : names.slice(1).map((name) => ({ name, reason: `must be left out beside ${names[0]}` })),
  })
}

async function adoptionOf(
  reader: Reader,
  accountId: number,
  { image, supplier }: BodyOf<typeof ADOPT_IMAGES>,
): Promise<Adoption> {
  if (image !== undefined) return { url: image }
  return supplier === undefined ? 'all' : { supplierId: (await supplierOf(reader, accountId, supplier)).supplierId }
}
