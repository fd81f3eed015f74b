import { open, type FileHandle } from 'node:fs/promises'
import type { Answered, Exchange, Outbound } from '../../outbound/client.ts'
import type { FailureKind } from '../../outbound/failures.ts'
import { conditionalHeaders, validatorsOf, type Validators } from '../../outbound/conditional.ts'
import { isRedirect, redirectTarget } from '../../outbound/redirect.ts'
import { retryAfterMs } from '../../outbound/retry-after.ts'
import { LIMITS } from '../../platform/limits.ts'

/** The result of a request for a picture. */
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
       * Whether the host caused the failure, and not the picture. `for-now`: the host is paused. `for-all`: its other pictures would
       * fail in the same way, so they count as failed without a request.
       */
      ofHost: 'no' | 'for-now' | 'for-all'
    }
  /** The cause is our network, resolver or process. */
  | { kind: 'ours'; reason: string }

export interface OriginalRequest {
  url: string
  /** Validators of our copy; null if we have none. */
  validators: Validators | null
  /** Path of the file to write. */
  file: string
  /** Requests of the same key share a connection, one after the other. */
  key: string
  signal: AbortSignal
}

/** Failures that the host causes; all others are of the picture. */
const OF_HOST: Partial<Record<FailureKind, 'for-now' | 'for-all'>> = {
  blocked_address: 'for-all',
  dns: 'for-all',
  resolver: 'for-all',
  refused: 'for-all',
  unreachable: 'for-all',
  tls: 'for-all',
  // may be of this picture alone: it may be slow, or the server may have closed a kept connection
  reset: 'for-now',
  timeout: 'for-now',
}

/**
 * Requests a picture and writes it to a file, with limits of time and bytes. Redirects are followed, each only to an address
 * that the client's rules allow. Rejects only if the file cannot be written.
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
      // one byte more than allowed, to detect that it is too large
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
    // a part may still be being written after the exchange has ended
    await writing.catch(() => {})
    const handle = await (opened as Promise<FileHandle> | null)?.catch(() => null)
    await handle?.close()
  }
}

function fetchedOf(answer: Answered, isFirst: boolean): Fetched {
  const { status } = answer
  if (status === 200) {
    // compression was not requested
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
