import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { callerOf } from '../context.ts'
import { openForm, type SentFile } from './sent-form.ts'
import { openUploadSlots } from './upload-slots.ts'

export interface SentFiles {
  /**
   * Lets `use` read the file of a request, which is the body itself or a part of a form. Bytes that `use` does not read are discarded.
   * @throws ShelfwireError rate-limited if no slot is free, before the body is requested; payload-too-large; bad-request for a body
   *   that is cut off; unsupported-media-type; invalid-input for a form without a file; and errors of `use`.
   */
  receive<T>(request: FastifyRequest, reply: FastifyReply, use: (file: SentFile) => Promise<T>): Promise<T>
}

const FORM = /^multipart\/form-data\s*(?:;|$)/i

/** Makes this scope leave bodies unread, because its handlers receive files of any type. */
export function receiveFiles(app: FastifyInstance): SentFiles {
  const slots = openUploadSlots()
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.addHook('preParsing', (request, _reply, payload, done) => {
    // a malformed type must not make Fastify refuse a file: its format is detected from its content
    if (!isForm(request)) request.raw.headers['content-type'] = 'application/octet-stream'
    done(null, payload)
  })
  return {
    async receive(request, reply, use) {
      const { raw } = request
      try {
        requirePlainCoding(request)
        if (Number(request.headers['content-length'] ?? 0) > LIMITS.importFileBytesMax) throw tooLarge()
        const release = slots.take(callerOf(request).accountId)
        const ended = new AbortController()
        const body = bytesOf(raw, app, ended.signal)
        try {
          if (request.headers.expect !== undefined) reply.raw.writeContinue()
          if (!isForm(request)) return await use({ name: null, bytes: body, mapping: undefined, isForm: false })
          return await use(await openForm(request.headers['content-type'] ?? '', body, ended.signal))
        } finally {
          ended.abort()
          await body.return(undefined)
          release()
        }
      } finally {
        if (!raw.complete) discard(raw, reply)
      }
    },
  }
}

const isForm = ({ headers }: FastifyRequest) => FORM.test(headers['content-type'] ?? '')

/**
 * Refuses a Content-Encoding; the file itself may be compressed, which is detected from its content.
 * @throws ShelfwireError unsupported-media-type
 */
function requirePlainCoding(request: FastifyRequest): void {
  const coding = (request.headers['content-encoding'] ?? 'identity').toLowerCase()
  if (coding === 'identity' || (!isForm(request) && /^(?:x-)?gzip$/.test(coding))) return
  throw new ShelfwireError(
    'unsupported-media-type',
    `send the file as it is, or in gzip or zip, without Content-Encoding: ${coding.slice(0, 40)}`,
  )
}

/**
 * The bytes of a body within the limits of a file; they end early when `ended` is aborted.
 * @throws ShelfwireError payload-too-large; bad-request when the body is cut off.
 */
async function* bytesOf(raw: IncomingMessage, app: FastifyInstance, ended: AbortSignal): AsyncGenerator<Uint8Array> {
  const arrival = app.arrival.ofFile(raw)
  let changed = () => {}
  const onChange = () => changed()
  for (const event of ['readable', 'end', 'error', 'close']) raw.on(event, onChange)
  ended.addEventListener('abort', onChange)
  let bytes = 0
  try {
    while (!ended.aborted) {
      const chunk = raw.read() as Uint8Array | null
      if (chunk !== null) {
        bytes += chunk.byteLength
        if (bytes > LIMITS.importFileBytesMax) throw tooLarge()
        yield chunk
      } else if (raw.readableEnded) {
        // the stream may also end when the connection is closed within the body
        if (raw.complete) return
        throw cutOff(null)
      } else if (raw.destroyed) throw cutOff(raw.errored)
      else {
        arrival.isWaiting = true
        await new Promise<void>((resolve) => (changed = resolve))
        arrival.isWaiting = false
      }
    }
  } finally {
    for (const event of ['readable', 'end', 'error', 'close']) raw.off(event, onChange)
  }
}

const tooLarge = () =>
  new ShelfwireError('payload-too-large', `a file has at most ${LIMITS.importFileBytesMax} bytes: split it`)

const cutOff = (cause: Error | null) =>
  new ShelfwireError(
    'bad-request',
    'the connection was closed before the file had arrived',
    cause === null ? {} : { cause },
  )

/** Reads and discards the rest of a body for a limited time: a client reads the answer only when its bytes have been accepted. */
function discard(raw: IncomingMessage, reply: FastifyReply): void {
  // a client that waits for "100 Continue" sends no body any more
  if (raw.headers.expect === undefined) void reply.header('Connection', 'keep-alive')
  raw.on('error', () => {}).resume()
  const hangUp = setTimeout(() => raw.destroy(), LIMITS.uploadLingerMs)
  hangUp.unref()
  raw.once('close', () => clearTimeout(hangUp)).once('end', () => clearTimeout(hangUp))
}
