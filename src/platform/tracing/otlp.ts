import { hostname } from 'node:os'
import process from 'node:process'
import { packageVersion } from '../process/package.ts'
import type { Attributes, SpanOptions, TraceContext } from './tracing.ts'

export interface EndedSpan {
  context: TraceContext
  parentSpanId: string | null
  name: string
  kind: SpanOptions['kind']
  /** Milliseconds since 1970, with fractions. */
  beganAt: number
  endedAt: number
  attributes: Attributes
  links: readonly TraceContext[]
  hasFailed: boolean
}

/** Numbers of OTLP's SpanKind. */
const KINDS = { internal: 1, server: 2, client: 3 } as const
const STATUS_ERROR = 2

/** The body of OTLP's ExportTraceServiceRequest as JSON (opentelemetry-proto, trace/v1). */
export function otlpOf(spans: readonly EndedSpan[], serviceName: string): string {
  const resource = {
    'service.name': serviceName,
    'service.version': packageVersion(),
    'service.instance.id': `${hostname()}.${process.pid}`,
  }
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeSpans: [{ scope: { name: 'shelfwire', version: packageVersion() }, spans: spans.map(spanOf) }],
      },
    ],
  })
}

const spanOf = ({ context, parentSpanId, name, kind, beganAt, endedAt, attributes, links, hasFailed }: EndedSpan) => ({
  traceId: context.traceId,
  spanId: context.spanId,
  ...(parentSpanId === null ? {} : { parentSpanId }),
  name,
  kind: KINDS[kind],
  startTimeUnixNano: nanosOf(beganAt),
  endTimeUnixNano: nanosOf(endedAt),
  attributes: attributesOf(attributes),
  ...(links.length === 0 ? {} : { links: links.map(({ traceId, spanId }) => ({ traceId, spanId })) }),
  ...(hasFailed ? { status: { code: STATUS_ERROR } } : {}),
})

const attributesOf = (attributes: Attributes) =>
  Object.entries(attributes).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [{ key, value: valueOf(value) }],
  )

function valueOf(value: string | number | boolean) {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

/** Nanoseconds as text, exact to the microsecond, which is as much as a number can represent. */
const nanosOf = (milliseconds: number): string => `${Math.round(milliseconds * 1_000)}000`
