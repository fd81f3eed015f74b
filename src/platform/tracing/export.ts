import { Agent as HttpAgent, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { Counter, type Metric } from 'prom-client'
import { asError } from '../errors.ts'
import { LIMITS } from '../limits.ts'
import type { Log } from '../log.ts'
import { packageVersion } from '../process/package.ts'
import { otlpOf, type EndedSpan } from './otlp.ts'
import type { TracingSettings } from '../settings/tracing-settings.ts'

/** Sends ended spans to a collector, in batches, in the background. */
export interface Exporter {
  metric: Metric
  /** Takes a span, or drops it if too many wait. Never blocks. */
  add(span: EndedSpan): void
  /** Sends waiting spans for at most LIMITS.traceCloseMs, then closes the connection. */
  close(): Promise<void>
}

/** Statuses with which a collector asks to send a batch again later (OTLP, "Failures"). */
const LATER = new Set([429, 502, 503, 504])
const FIRST_PAUSE_MS = 1_000

/**
 * At most one batch is being sent and LIMITS.traceSpansWaitingMax spans wait, whatever the collector does. The collector's address is set by the
 * operator, so the rules on addresses of src/outbound/, which are for URLs from merchants, do not apply.
 */
export function openExporter(settings: Pick<TracingSettings, 'endpoint' | 'serviceName' | 'headers'>, log: Log) {
  const url = new URL(`${settings.endpoint}/v1/traces`)
  const isSecure = url.protocol === 'https:'
  const agent = isSecure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true })
  const metric = new Counter({
    name: 'shelfwire_trace_spans_total',
    help: 'Spans by what became of them: exported, dropped because too many waited, or failed at the collector.',
    labelNames: ['outcome'],
    registers: [],
  })
  for (const outcome of ['exported', 'dropped', 'failed']) metric.inc({ outcome }, 0)
  const ending = new AbortController()
  let waiting: EndedSpan[] = []
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> | undefined
  let isFailing = false

  /** @returns the status. @throws if there is no answer in time. */
  const post = (body: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(LIMITS.traceExportMs)])
      const sent = (isSecure ? requestHttps : requestHttp)(url, {
        method: 'POST',
        agent,
        signal,
        headers: {
          'user-agent': `Shelfwire/${packageVersion()}`,
          ...settings.headers,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        },
      })
      sent.on('error', reject)
      sent.on('response', (response) => {
        // the connection can be used again when the whole answer has been read
        response
          .on('error', reject)
          .on('end', () => resolve(response.statusCode ?? 0))
          .resume()
      })
      sent.end(body)
    })

  /** @returns why a batch was not accepted; null: it was. */
  const offer = async (body: string): Promise<{ reason: string; isLater: boolean } | null> => {
    try {
      const status = await post(body)
      return status >= 200 && status < 300 ? null : { reason: `status ${status}`, isLater: LATER.has(status) }
    } catch (error) {
      return { reason: asError(error).message, isLater: true }
    }
  }

  const sendBatch = async (batch: readonly EndedSpan[]): Promise<void> => {
    const body = otlpOf(batch, settings.serviceName)
    for (let tries = 1; ; tries++) {
      const refused = await offer(body)
      if (refused === null) {
        metric.inc({ outcome: 'exported' }, batch.length)
        if (isFailing) log.info('the collector of traces takes spans again')
        isFailing = false
        return
      }
      if (!isFailing && !ending.signal.aborted)
        log.warn({ reason: refused.reason }, 'the collector of traces takes no spans (OTEL_EXPORTER_OTLP_ENDPOINT)')
      isFailing = true
      if (!refused.isLater || tries === LIMITS.traceExportTriesMax || ending.signal.aborted) break
      const pause = FIRST_PAUSE_MS * 2 ** (tries - 1)
      await sleep(pause, undefined, { signal: ending.signal, ref: false }).catch(() => {})
    }
    metric.inc({ outcome: 'failed' }, batch.length)
  }

  const sendAll = async (): Promise<void> => {
    while (waiting.length > 0 && !ending.signal.aborted) {
      const batch = waiting.slice(0, LIMITS.traceBatchSpans)
      waiting = waiting.slice(LIMITS.traceBatchSpans)
      await sendBatch(batch)
    }
    sending = undefined
  }

  const send = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    return (sending ??= sendAll())
  }

  return {
    metric,
    add(span) {
      if (waiting.length >= LIMITS.traceSpansWaitingMax) {
        metric.inc({ outcome: 'dropped' })
        return
      }
      waiting.push(span)
      if (waiting.length >= LIMITS.traceBatchSpans) void send()
      else timer ??= setTimeout(() => void send(), LIMITS.traceBatchMs).unref()
    },
    async close() {
      const cut = setTimeout(() => ending.abort(), LIMITS.traceCloseMs)
      await send()
      clearTimeout(cut)
      ending.abort()
      metric.inc({ outcome: 'failed' }, waiting.length)
      agent.destroy()
    },
  } satisfies Exporter
}
