import type { Outbound } from '../../outbound/client.ts'
import { LIMITS } from '../../platform/limits.ts'
import { must } from '../../platform/must.ts'

/** As `fetch`, for the libraries of the protocol. */
export type SendToProvider = (
  url: string,
  options: { method: string; headers: Record<string, string>; body?: unknown },
) => Promise<Response>

/**
 * Sends by the outbound client, by a few connections: redirects are not followed, and what is longer or later than the limits is refused.
 * @param unavailable makes the error of a provider that does not answer, of the reason for the log
 */
export function sendToProvider(outbound: Outbound, unavailable: (reason: Error) => Error): SendToProvider {
  /** How many requests each connection has to do. */
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
    // what is not JSON is found when it is parsed
    return new Response(answer.status === 204 ? null : Buffer.from(answer.body), {
      status: answer.status,
      headers: { 'content-type': 'application/json' },
    })
  }
}
