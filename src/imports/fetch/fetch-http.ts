import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createBrotliDecompress, createInflate } from 'node:zlib'
import { pipeline } from 'node:stream/promises'
import type { Unfinished } from '../../objects/unfinished.ts'
import type { Answered, Outbound } from '../../outbound/client.ts'
import { conditionalHeaders, validatorsOf, type Validators } from '../../outbound/conditional.ts'
import { isRedirect, redirectTarget } from '../../outbound/redirect.ts'
import { retryAfterMs } from '../../outbound/retry-after.ts'
import { LIMITS } from '../../platform/limits.ts'
import { shownName } from '../files/shown-name.ts'
import { connectionError } from './connection-error.ts'
import { FetchError, type Download, type OnBytes, type WrittenFile } from './fetched.ts'
import { openIncomingFile, type FetchBounds, type IncomingFile } from './incoming-file.ts'

export interface HttpRequest {
  url: URL
  /** Headers for the server of `url`; no other server gets them. */
  credentials: Readonly<Record<string, string>>
  /** Validators of the file that was imported last; null: fetch the file in any case. */
  validators: Validators | null
  /** Requests with the same key share a connection. */
  key: string
  unfinished: Unfinished
  bounds: FetchBounds
  signal: AbortSignal
  onBytes: OnBytes
}

/**
 * Fetches a file by HTTP. Redirects are followed, each to an address that the client's rules allow; credentials are
 * sent to the origin of the URL only.
 * @returns the file; null when it is the known one.
 * @throws FetchError; the reason of `signal`
 */
export async function fetchHttp(outbound: Outbound, request: HttpRequest): Promise<Download | null> {
  let url = request.url
  for (let hops = 0; ; hops++) {
    await using file = await openIncomingFile(request.unfinished, request.bounds, request.onBytes)
    const answer = await ask(outbound, request, url, file)
    if (!isRedirect(answer.status)) return await fetchedOf(request, url, answer, file)
    if (hops >= LIMITS.sourceRedirectsMax)
      throw new FetchError(
        'redirects',
        `the server redirects more than ${LIMITS.sourceRedirectsMax} times; use the last URL as that of the source`,
      )
    url = targetOf(answer, url)
  }
}

async function ask(outbound: Outbound, request: HttpRequest, url: URL, file: IncomingFile): Promise<Answered> {
  const { validators, credentials, bounds, signal } = request
  let writing: Promise<void> = Promise.resolve()
  let broken: unknown = null
  const exchange = await outbound.send({
    method: 'GET',
    url: url.href,
    headers: {
      ...(url.origin === request.url.origin ? credentials : {}),
      ...conditionalHeaders(validators),
    },
    connectTimeoutMs: bounds.connectMs,
    totalTimeoutMs: bounds.totalMs,
    // one byte more than allowed shows that the file is too large
    readBytesMax: bounds.isBeginning ? bounds.bytesMax : bounds.bytesMax + 1,
    sink(part) {
      writing = file.write(part).catch((error: unknown) => {
        broken ??= error
        throw error
      })
      return writing
    },
    signal,
    key: `source ${request.key}`,
  })
  // the exchange may have ended while a part was still being written
  await writing.catch(() => {})
  if (signal.aborted) throw signal.reason
  if (broken !== null) throw broken
  if (exchange.kind === 'failed') throw connectionError(exchange.fault, exchange.detail)
  return exchange
}

function targetOf({ status, location }: Answered, base: URL): URL {
  const target = redirectTarget(location, base.href)
  if (target === null)
    throw new FetchError('redirects', `the server answers ${status} without saying where the file is`)
  return target
}

async function fetchedOf(
  request: HttpRequest,
  url: URL,
  answer: Answered,
  file: IncomingFile,
): Promise<Download | null> {
  const { status } = answer
  if (status === 304 && request.validators !== null) return null
  if (status !== 200)
    throw statusError(answer, url.origin === request.url.origin && Object.keys(request.credentials).length > 0)
  const encoding = (answer.contentEncoding ?? 'identity').trim().toLowerCase()
  const received = await file.end()
  // a gzip file is unpacked when it is read, whatever the header says
  const isPlain = ['identity', '', 'gzip', 'x-gzip'].includes(encoding)
  const kept = isPlain ? received : await decoded(request, encoding, received)
  return {
    ...kept,
    name: nameOf(url),
    ...validatorsOf(answer),
    size: answer.isCut ? null : kept.bytes,
    isCut: answer.isCut,
  }
}

/** Decodes a content encoding that the request did not ask for. */
async function decoded(
  { unfinished, bounds, onBytes, signal }: HttpRequest,
  encoding: string,
  { path, bytes: received }: WrittenFile,
) {
  // counted on from what has come: fewer bytes than before would look like a server that is too slow
  const onDecoded = (bytes: number) => onBytes(received + bytes)
  try {
    const decoder = encoding === 'br' ? createBrotliDecompress() : encoding === 'deflate' ? createInflate() : null
    if (decoder === null)
      throw new FetchError(
        'content_encoding',
        `the server sends the file in the coding ${JSON.stringify(encoding.slice(0, 40))}, which was not asked for and is not known`,
      )
    await using file = await openIncomingFile(unfinished, bounds, onDecoded)
    await pipeline(
      createReadStream(path),
      decoder,
      async (parts: AsyncIterable<Buffer>) => {
        for await (const part of parts) await file.write(part)
      },
      { signal },
    ).catch((error: unknown) => {
      if (error instanceof FetchError || signal.aborted) throw error
      throw new FetchError('content_encoding', `the file is damaged: its coding ${encoding} cannot be undone`)
    })
    return await file.end()
  } finally {
    await rm(path, { force: true })
  }
}

/** Explains an HTTP status to the merchant. */
function statusError({ status, retryAfter }: Answered, isAuthorized: boolean): FetchError {
  const fault = `http_${status}`
  const forGood = (detail: string) => new FetchError(fault, detail, { isForGood: true })
  if (status === 401)
    return forGood(
      isAuthorized
        ? 'the server does not accept the credentials (401): send the right ones, or ask the supplier for new ones'
        : 'the server asks for credentials (401): add them to the source',
    )
  if (status === 403)
    return forGood('the server refuses access (403): ask the supplier to allow it, or check the credentials')
  if (status === 404) return forGood('there is no file at the URL (404): ask the supplier where it is now')
  if (status === 410) return forGood('the file is permanently gone (410): ask the supplier where it is now')
  if (status === 429 || status === 503) {
    const pause = retryAfterMs(status, retryAfter, new Date(), LIMITS.sourceRetryAfterMs)
    const detail =
      status === 429 ? 'the server says that it is asked too often (429)' : 'the server is busy or in maintenance (503)'
    return new FetchError(fault, `${detail}; it is tried again later`, { retryAfterMs: pause })
  }
  if (status >= 500)
    return new FetchError(fault, `the server failed (${status}); it is tried again, and the supplier can say more`)
  if (status >= 400) return forGood(`the server refuses the request (${status}): check the URL with the supplier`)
  return new FetchError(fault, `the server answers ${status} and sends no file: check the URL with the supplier`)
}

function nameOf(url: URL): string {
  const last = url.pathname.split('/').findLast((part) => part !== '') ?? url.hostname
  try {
    return shownName(decodeURIComponent(last))
  } catch {
    return shownName(last)
  }
}
