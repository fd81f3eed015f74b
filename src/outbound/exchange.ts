import type { Client, Dispatcher } from 'undici'
import { DeadlinePassed } from './failures.ts'

/** A response. */
export interface Received {
  status: number
  /** The raw header; the first where there are several. */
  retryAfter: string | null
  contentEncoding: string | null
  /** The first bytes of the body as sent, never decompressed. */
  body: Uint8Array
  /** Whether the body was, or may have been, longer. */
  isCut: boolean
}

type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2]

/**
 * Sends one request over `client` and reads its response, up to `readBytesMax` bytes of the body. Interim (1xx) responses
 * are skipped. When it ends without the complete response (a cut body included), the caller must destroy the client,
 * whose connection is in the middle of a response.
 *
 * @throws the error of undici or of the connector, or the reason of `signal`
 */
export function exchange(
  client: Client,
  request: Dispatcher.DispatchOptions,
  readBytesMax: number,
  signal: AbortSignal,
): Promise<Received> {
  const { promise, resolve, reject } = Promise.withResolvers<Received>()
  const chunks: Buffer[] = []
  let size = 0
  let head: Omit<Received, 'body' | 'isCut'> | null = null
  let isSettled = false

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
    // at the deadline the body had readBytesMax bytes and only its end was missing: that counts as a cut response
    if (head !== null && readBytesMax > 0 && size === readBytesMax && signal.reason instanceof DeadlinePassed)
      answer(true)
    else settle(() => reject(signal.reason))
  }
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  else {
    client.dispatch(request, {
      onRequestStart() {},
      onResponseStart(_controller, status, headers) {
        if (status < 200) return
        head = {
          status,
          retryAfter: first(headers, 'retry-after'),
          contentEncoding: first(headers, 'content-encoding'),
        }
      },
      onResponseData(controller, chunk) {
        if (isSettled) return
        const part = chunk.subarray(0, readBytesMax - size)
        // a copy, because the chunk is a view of the socket's read buffer of up to 64 kB
        if (part.length > 0) chunks.push(Buffer.from(part))
        size += part.length
        if (part.length === chunk.length) return
        answer(true)
        controller.abort(new Error('enough of the body'))
      },
      onResponseEnd: () => answer(false),
      onResponseError: (_controller, error) => settle(() => reject(error)),
    })
  }
  return promise
}

function first(headers: Headers, name: string): string | null {
  const value = headers[name]
  return (Array.isArray(value) ? value[0] : value) ?? null
}
