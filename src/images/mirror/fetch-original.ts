import { open, type FileHandle } from 'node:fs/promises'
import type { Answered, Exchange, Outbound } from '../../outbound/client.ts'
import type { FailureKind } from '../../outbound/failures.ts'
import { conditionalHeaders, validatorsOf, type Validators } from '../../outbound/conditional.ts'
import { isRedirect, redirectTarget } from '../../outbound/redirect.ts'
import { retryAfterMs } from '../../outbound/retry-after.ts'
import { LIMITS } from '../../platform/limits.ts'

/** What the server of a picture sent. */
export type Fetched =
  | ({ kind: 'file' } & Validators)
  | { kind: 'unchanged' }
  /** 404 and 410. */
  | { kind: 'gone'; reason: string }
  | {
      kind: 'failed'
      reason: string
      retryAfterMs: number | null
      /**
       * Whether the host is at fault, and not the picture. `for-now`: it is left alone for a while. `for-all`: its other pictures would
       * fail alike, and count as failed without being asked for.
       */
      ofHost: 'no' | 'for-now' | 'for-all'
    }
  /** Our network, resolver or process. */
  | { kind: 'ours'; reason: string }

export interface OriginalRequest {
  url: string
  /** Validators of the copy that we have; null where we have none. */
  validators: Validators | null
  /** The file to write to. */
  file: string
  /** Requests of the same key share a connection, one after the other. */
  key: string
  signal: AbortSignal
}

/** Failures of the host; any other is of the picture. */
const OF_HOST: Partial<Record<FailureKind, 'for-now' | 'for-all'>> = {
  blocked_address: 'for-all',
  dns: 'for-all',
  resolver: 'for-all',
  refused: 'for-all',
  unreachable: 'for-all',
  tls: 'for-all',
  // one picture may be slow, or the server may have closed a kept connection
  reset: 'for-now',
  timeout: 'for-now',
}

/**
 * Asks for a picture and writes what comes to a file, in bounded time and bytes. Redirects are followed, each to an address
 * that the client's rules allow. Never throws, except when the file cannot be written.
 */
export async function fetchOriginal(outbound: Outbound, request: OriginalRequest): Promise<Fetched> {
  const until = performance.now() + LIMITS.imageTotalTimeoutMs
  let url = request.url
  for (let hops = 0; ; hops++) {
    const answer = await ask(outbound, request, url, hops === 0 ? request.validators : null, until)
    if (answer.kind === 'failed') {
      if (answer.isOurs) return { kind: 'ours', reason: answer.fault }
      const ofHost = (hops === 0 ? OF_HOST[answer.fault] : undefined) ?? 'no'
      return { kind: 'failed', reason: answer.fault, retryAfterMs: null, ofHost }
    }
    if (!isRedirect(answer.status)) return fetchedOf(answer, hops === 0)
    const next = hops < LIMITS.imageRedirectsMax ? redirectTarget(answer.location, url) : null
    if (next === null) return { kind: 'failed', reason: 'redirects', retryAfterMs: null, ofHost: 'no' }
    url = next.href
  }
}

async function ask(
  outbound: Outbound,
  { file, key, signal }: OriginalRequest,
  url: string,
  validators: OriginalRequest['validators'],
  until: number,
): Promise<Exchange> {
  let opened: Promise<FileHandle> | null = null
  let writing: Promise<void> = Promise.resolve()
  try {
    return await outbound.send({
      method: 'GET',
      url,
      headers: {
        accept: 'image/jpeg,image/png,image/webp,image/gif,image/*;q=0.8,*/*;q=0.5',
        ...conditionalHeaders(validators),
      },
      connectTimeoutMs: LIMITS.imageConnectTimeoutMs,
      totalTimeoutMs: Math.max(1, until - performance.now()),
      // one byte more than allowed shows that it is too large
      readBytesMax: LIMITS.imageBytesMax + 1,
      sink(part) {
        opened ??= open(file, 'w', 0o600)
        writing = opened.then((handle) => handle.writeFile(part))
        return writing
      },
      signal,
      key: `image ${key}`,
    })
  } finally {
    // the exchange may have ended while a part was being written
    await writing.catch(() => {})
    const handle = await (opened as Promise<FileHandle> | null)?.catch(() => null)
    await handle?.close()
  }
}

function fetchedOf(answer: Answered, isFirst: boolean): Fetched {
  const { status } = answer
  if (status === 200) {
    // no compression was asked for
    if (answer.contentEncoding !== null && answer.contentEncoding !== 'identity')
      return { kind: 'failed', reason: 'protocol', retryAfterMs: null, ofHost: 'no' }
    return { kind: 'file', ...validatorsOf(answer) }
  }
  if (status === 304) return { kind: 'unchanged' }
  if (status === 404) return { kind: 'gone', reason: 'not_found' }
  if (status === 410) return { kind: 'gone', reason: 'gone' }
  return {
    kind: 'failed',
    reason: `http_${status}`,
    retryAfterMs: retryAfterMs(status, answer.retryAfter, new Date(), LIMITS.imageRetryAfterMs),
    ofHost: isFirst && (status === 429 || status === 503) ? 'for-now' : 'no',
  }
}
