import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import type { Metric } from 'prom-client'
import { LIMITS } from '../limits.ts'
import type { Log } from '../log.ts'
import { openExporter, type Exporter } from './export.ts'
import { noteOf, openNotes } from './notes.ts'
import { samplerOf } from './sampler.ts'
import type { TracingSettings } from '../settings/tracing-settings.ts'
import { readTraceparent } from './traceparent.ts'
import type { Attributes, Span, SpanOptions, TraceContext, Tracer } from './tracing.ts'

/** Shared by all tracers: tests have several in one process. */
const running = new AsyncLocalStorage<TraceContext>()

/** A tracer that sends sampled spans to a collector. */
export interface OpenTracer extends Tracer {
  metric: Metric
  /** Sends waiting spans for a moment, then closes the connection. */
  close(): Promise<void>
}

export function openTracer(settings: TracingSettings, log: Log): OpenTracer {
  const exporter = openExporter(settings, log)
  const isSampled = samplerOf(settings.sampler, settings.ratio)
  const begin = (options: SpanOptions): Span => {
    const { parent } = options
    const traceId = parent?.traceId ?? randomBytes(16).toString('hex')
    const context = { traceId, spanId: randomBytes(8).toString('hex'), isSampled: isSampled(traceId, parent) }
    return context.isSampled ? new RecordedSpan(context, options, exporter) : unrecorded(context)
  }
  return {
    metric: exporter.metric,
    close: () => exporter.close(),
    begin,
    run: (context, work) => running.run(context, work),
    current: () => running.getStore() ?? null,
    read: readTraceparent,
    noteOf,
    openNotes,
  }
}

const unrecorded = (context: TraceContext): Span => ({ context, done() {}, drop() {}, [Symbol.dispose]() {} })

class RecordedSpan implements Span {
  readonly context: TraceContext
  readonly #options: SpanOptions
  readonly #exporter: Exporter
  /** Both clocks are needed: the wall clock may be set meanwhile, and the duration must still be right. */
  readonly #beganAt = Date.now()
  readonly #since = performance.now()
  #hasEnded = false

  constructor(context: TraceContext, options: SpanOptions, exporter: Exporter) {
    this.context = context
    this.#options = options
    this.#exporter = exporter
  }

  done(attributes: Attributes = {}, hasFailed = false): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    const { name, kind, parent, links = [] } = this.#options
    this.#exporter.add({
      context: this.context,
      parentSpanId: parent?.spanId ?? null,
      name,
      kind,
      beganAt: this.#beganAt,
      endedAt: this.#beganAt + performance.now() - this.#since,
      attributes: { ...this.#options.attributes, ...attributes },
      links: links.slice(0, LIMITS.traceLinksMax),
      hasFailed,
    })
  }

  drop(): void {
    this.#hasEnded = true
  }

  [Symbol.dispose](): void {
    this.done({}, true)
  }
}
