import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'

/** A span as a collector receives it. */
export interface CollectedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  links: { traceId: string; spanId: string }[]
  status?: { code: number }
  /** By their keys. */
  attributes: Record<string, unknown>
  /** The `service.name` of its resource. */
  service: unknown
}

export interface Collector extends AsyncDisposable {
  url: string
  spans: CollectedSpan[]
  requests: IncomingHttpHeaders[]
  /** The status of its answers; `hang`: it never answers. */
  answer: number | 'hang'
  of(traceId: string): CollectedSpan[]
}

interface Body {
  resourceSpans: {
    resource: { attributes: Attribute[] }
    scopeSpans: { scope: { name: string }; spans: (CollectedSpan & { attributes: unknown })[] }[]
  }[]
}
interface Attribute {
  key: string
  value: { stringValue?: string; intValue?: string; boolValue?: boolean }
}

const valuesOf = (attributes: Attribute[]) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => {
      expect(Object.keys(value)).toHaveLength(1)
      return [key, value.intValue === undefined ? (value.stringValue ?? value.boolValue) : Number(value.intValue)]
    }),
  )

/** The OTLP receiver of an OpenTelemetry collector, over HTTP as JSON. It answers 400 to spans that violate the protocol. */
export async function startCollector(): Promise<Collector> {
  const read = (text: string) => {
    for (const { resource, scopeSpans } of (JSON.parse(text) as Body).resourceSpans) {
      const service = valuesOf(resource.attributes)['service.name']
      for (const { spans } of scopeSpans)
        for (const span of spans) {
          expect(span.traceId).toMatch(/^[0-9a-f]{32}$/)
          expect(span.spanId).toMatch(/^[0-9a-f]{16}$/)
          expect(span.parentSpanId ?? '0123456789abcdef').toMatch(/^[0-9a-f]{16}$/)
          expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano))
          expect([1, 2, 3]).toContain(span.kind)
          collector.spans.push({
            ...span,
            links: span.links ?? [],
            attributes: valuesOf(span.attributes as unknown as Attribute[]),
            service,
          })
        }
    }
  }
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('error', () => {})
    request.on('end', () => {
      if (collector.answer === 'hang') return
      collector.requests.push(request.headers)
      const isOtlp =
        request.method === 'POST' &&
        request.url === '/v1/traces' &&
        request.headers['content-type'] === 'application/json'
      try {
        if (collector.answer === 200 && isOtlp) read(Buffer.concat(parts).toString())
        response.writeHead(isOtlp ? collector.answer : 404, { 'content-type': 'application/json' }).end('{}')
      } catch (error) {
        response.writeHead(400).end(String(error))
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const collector: Collector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    requests: [],
    answer: 200,
    of: (traceId) => collector.spans.filter((span) => span.traceId === traceId),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return collector
}
