import type { Outbound } from '../../outbound/client.ts'
import { LIMITS } from '../../platform/limits.ts'
import { must } from '../../platform/must.ts'

/** Sends a request like `fetch`, for the libraries of the protocol. */
export type SendToProvider = (
  url: string,
  options: { method: string; headers: Record<string, string>; body?: unknown },
) => Promise<Response>

/**
 * Sends requests by the outbound client, over a few connections. Redirects are not followed, and answers beyond the limits of size and time are
 * refused.
 * @param unavailable makes the error if the provider does not answer; the reason is for the log
 */
export function sendToProvider(outbound: Outbound, unavailable: (reason: Error) => Error): SendToProvider {
  /** Requests in flight per connection. */
  const busy = Array.from({ length: LIMITS.providerConnectionsMax }, () => 0)
  return async (url, { method, headers, body }) => {
    const lane = busy.indexOf(Math.min(...busy))
    busy[lane] = must(busy[lane]) + 1
    const answer = await outbound
      .send({
        method: method === 'POST' ? 'POST' : 'GET',
        url,
        headers,
        ...(body instanceof URLSearchParams ? { body: body.toString() } : {}),
        connectTimeoutMs: LIMITS.providerTimeoutMs,
        totalTimeoutMs: LIMITS.providerTimeoutMs,
        readBytesMax: LIMITS.providerBytesMax,
        key: `provider ${lane}`,
      })
      .finally(() => {
        busy[lane] = must(busy[lane]) - 1
      })
    if (answer.kind === 'failed') throw unavailable(new Error(`${url}: ${answer.detail}`))
    if (answer.isCut) throw unavailable(new Error(`${url}: more than ${LIMITS.providerBytesMax} bytes`))
    // an answer that is not JSON is detected when the library parses it
    return new Response(answer.status === 204 ? null : Buffer.from(answer.body), {
      status: answer.status,
      headers: { 'content-type': 'application/json' },
    })
  }
}
