import type { Client, Dispatcher } from 'undici'
import { asError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import { DeadlinePassed, TooManyInterim } from './failures.ts'

/** A response. */
export interface Received {
  status: number
  /** The raw header; the first if there are several. */
  retryAfter: string | null
  contentEncoding: string | null
  etag: string | null
  lastModified: string | null
  /** The target of a redirect, which is not followed here. */
  location: string | null
  /** The first bytes of the body as sent, never decompressed. */
  body: Uint8Array
  /** Whether the body was, or may have been, longer. */
  isCut: boolean
}

type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2]

/** Receives the body of a 200 part by part instead of keeping it in memory. The next part is read when the promise resolves. */
export type BodySink = (part: Buffer) => Promise<void>

/** The maximum read of a body that does not go into the sink. */
const OTHER_BODY_BYTES_MAX = 16_384

/**
 * Sends one request over `client` and reads its response, up to `readBytesMax` bytes of the body. Skips interim (1xx) responses, up to
 * LIMITS.outboundInterimMax. If it ends without the complete response (including a cut body), the caller must destroy the client, whose connection is
 * then in the middle of a response.
 * @throws the error of undici or of the connector, or the reason of `signal`
 */
export function exchange(
  client: Client,
  request: Dispatcher.DispatchOptions,
  readBytesMax: number,
  signal: AbortSignal,
  sink: BodySink | null = null,
): Promise<Received> {
  const { promise, resolve, reject } = Promise.withResolvers<Received>()
  const chunks: Buffer[] = []
  let size = 0
  let head: Omit<Received, 'body' | 'isCut'> | null = null
  let isSettled = false
  let interim = 0
  let bytesMax = readBytesMax
  let writing: Promise<void> = Promise.resolve()
  /** Whether the body has reached its limit, so that the rest is not read. */
  let isLimitReached = false

  const settle = (end: () => void) => {
    if (isSettled) return
    isSettled = true
    signal.removeEventListener('abort', onAbort)
    end()
  }
  const answer = (isCut: boolean) => {
    const known = head
    if (known === null) settle(() => reject(new Error('a response without a head')))
    else settle(() => resolve({ ...known, body: Buffer.concat(chunks), isCut }))
  }
  function onAbort() {
    // the body has exactly readBytesMax bytes and only its end was missing at the deadline: treated as a cut response
    if (head !== null && bytesMax > 0 && size === bytesMax && signal.reason instanceof DeadlinePassed) answer(true)
    else settle(() => reject(signal.reason))
  }
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  else {
    client.dispatch(request, {
      onRequestStart() {},
      onResponseStart(controller, status, headers) {
        if (status < 200) {
          interim += 1
          if (interim > LIMITS.outboundInterimMax) controller.abort(new TooManyInterim())
          return
        }
        head = {
          status,
          retryAfter: first(headers, 'retry-after'),
          contentEncoding: first(headers, 'content-encoding'),
          etag: first(headers, 'etag'),
          lastModified: first(headers, 'last-modified'),
          location: first(headers, 'location'),
        }
        if (sink !== null && status !== 200) bytesMax = Math.min(bytesMax, OTHER_BODY_BYTES_MAX)
      },
      onResponseData(controller, chunk) {
        if (isSettled || isLimitReached) return
        const part = chunk.subarray(0, bytesMax - size)
        size += part.length
        isLimitReached ||= part.length < chunk.length
        if (part.length > 0 && sink !== null && head?.status === 200) {
          controller.pause()
          writing = sink(Buffer.from(part))
          writing.then(
            () => (isLimitReached || isSettled ? undefined : controller.resume()),
            (error: unknown) => {
              settle(() => reject(asError(error)))
              controller.abort(asError(error))
            },
          )
          // a copy, because the chunk is a view of the socket's read buffer of up to 64 kB
        } else if (part.length > 0) chunks.push(Buffer.from(part))
        if (!isLimitReached) return
        void writing.then(() => answer(true), ignore)
        controller.abort(new Error('enough of the body'))
      },
      onResponseEnd: () => void writing.then(() => answer(false), ignore),
      onResponseError: (_controller, error) => {
        if (!isLimitReached) settle(() => reject(error))
      },
    })
  }
  return promise
}

const ignore = () => {}

function first(headers: Headers, name: string): string | null {
  const value = headers[name]
  return (Array.isArray(value) ? value[0] : value) ?? null
}
