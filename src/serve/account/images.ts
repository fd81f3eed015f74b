import type { FastifyRequest } from 'fastify'
import { UPLOAD_IMAGE } from '../../../contract/routes/images.ts'
import { imagePath } from '../../images/inspect/image-type.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import type { Handlers } from '../context.ts'
import { handle } from '../handle.ts'
import { answerWrite } from '../writing/answer-write.ts'
import { readAs, requireUtf8 } from '../writing/body.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The file that was sent; null when there was none. */
    sentFile: Buffer | null
  }
}

/** POST /v1/account/images: a picture of the account's own, as it is or in a form. */
export const imageHandlers: Handlers = (app, context) => {
  void app.register((images, _options, done) => {
    images.decorateRequest('sentFile', null)
    images.removeAllContentTypeParsers()
    // of several that fit, the one that was added last reads the body
    readAs(images, /^/, () => {
      throw new ShelfwireError(
        'unsupported-media-type',
        'send the picture itself with its type, such as image/jpeg, or as the file of a multipart/form-data form',
      )
    })
    readAs(images, /^(?:image\/|application\/octet-stream(?:;|$))/i, (request, bytes) => {
      requireUtf8(request)
      request.sentFile = bytes
    })
    readAs(images, /^multipart\/form-data(?:;|$)/i, async (request, bytes) => {
      requireUtf8(request)
      request.sentFile = await fileIn(request, bytes)
    })
    handle(images, UPLOAD_IMAGE, async ({ request, reply }) => {
      const bytes = request.sentFile
      if (bytes === null || bytes.length === 0)
        throw refused('is empty; send the picture itself, or a form with one file')
      const picture = await context.images.uploads.take(bytes)
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

/** The file of a form. @throws ShelfwireError bad-request for what is no form; invalid-input for other fields than `file`. */
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
