import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, test } from 'vitest'
import { LIMITS } from '../limits.ts'
import { silentLog } from '../log.ts'
import { must } from '../must.ts'
import { openExporter } from './export.ts'
import { openNotes } from './notes.ts'
import { samplerOf } from './sampler.ts'
import { readTraceparent } from './traceparent.ts'
import { traceparentOf } from './tracing.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'

test('a traceparent is read as W3C has it, and anything else is none', () => {
  const given = `00-${TRACE}-${SPAN}-01`
  expect(readTraceparent(given)).toEqual({ traceId: TRACE, spanId: SPAN, isSampled: true })
  expect(traceparentOf(must(readTraceparent(given)))).toBe(given)
  expect(readTraceparent(`00-${TRACE}-${SPAN}-02`)).toMatchObject({ isSampled: false })
  // a later version may have further parts
  expect(readTraceparent(`cc-${TRACE}-${SPAN}-03-more`)).toMatchObject({ traceId: TRACE, isSampled: true })
  for (const wrong of [
    undefined,
    '',
    `${given}-more`,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    given.toUpperCase(),
    `${given}, ${given}`,
    `00-${TRACE}-${SPAN}`,
    `cc-${TRACE}-${SPAN}-03-${'m'.repeat(100)}`,
  ])
    expect(readTraceparent(wrong)).toBeNull()
})

test('samplers go by the trace id or by what the caller decided, as their names say', () => {
  const parent = (isSampled: boolean) => ({ traceId: TRACE, spanId: SPAN, isSampled })
  const id = (share: number) =>
    `${'a'.repeat(20)}${Math.floor(share * 16 ** 12)
      .toString(16)
      .padStart(12, '0')}`
  expect(samplerOf('always_on', 1)(id(0.9), parent(false))).toBe(true)
  expect(samplerOf('always_off', 1)(id(0), parent(true))).toBe(false)
  expect([0.04, 0.06].map((share) => samplerOf('traceidratio', 0.05)(id(share), parent(true)))).toEqual([true, false])
  const byParent = samplerOf('parentbased_traceidratio', 0.05)
  expect([byParent(id(0.9), parent(true)), byParent(id(0.01), parent(false))]).toEqual([true, false])
  expect([byParent(id(0.01), null), byParent(id(0.9), null)]).toEqual([true, false])
  expect(samplerOf('traceidratio', 1)('f'.repeat(32), null)).toBe(true)
})

test('notes say which traces changes are of, by their numbers, until they are done with', () => {
  const notes = openNotes()
  const context = (n: number) => ({ traceId: TRACE, spanId: `${n}`.padStart(16, 'b'), isSampled: true })
  const note = (n: number, first: number, last: number) => `${traceparentOf(context(n))}.${first}.${last}`
  notes.add(7, note(1, 10, 12))
  notes.add(7, note(1, 10, 12))
  notes.add(7, note(2, 13, 13))
  notes.add(8, traceparentOf(context(3)))
  notes.add(7, 'no note')
  expect(notes.of(7)).toEqual([context(1), context(2)])
  expect(notes.of(7, [12, 20])).toEqual([context(2)])
  expect(notes.of(7, [9, 11])).toEqual([context(1)])
  expect(notes.of(7, [13, 20])).toEqual([])
  expect(notes.of(8)).toEqual([context(3)])
  const position = notes.position()
  notes.add(8, traceparentOf(context(4)))
  notes.forget(8, position)
  expect(notes.of(8)).toEqual([context(4)])
  for (let n = 100; n < 100 + 2 * LIMITS.traceNotesPerAccount; n++) notes.add(9, note(n, n, n))
  expect(notes.of(9)).toHaveLength(LIMITS.traceNotesPerAccount)
})

describe('the exporter', () => {
  let stop = () => {}
  afterEach(() => stop())
  const serve = async (answer: (body: string) => number | null): Promise<string> => {
    const server = createServer((request, response) => {
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part)).on('error', () => {})
      request.on('end', () => {
        const status = answer(Buffer.concat(parts).toString())
        if (status !== null) response.writeHead(status).end()
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    stop = () => {
      server.close()
      server.closeAllConnections()
    }
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const span = {
    context: { traceId: TRACE, spanId: SPAN, isSampled: true },
    parentSpanId: null,
    name: 'GET /v1/products',
    kind: 'server',
    beganAt: 1_795_842_000_000.25,
    endedAt: 1_795_842_000_001.5,
    attributes: { 'shelfwire.account_id': 7, 'http.route': undefined },
    links: [],
    hasFailed: false,
  } as const
  const outcomes = async ({ metric }: ReturnType<typeof openExporter>) =>
    Object.fromEntries((await metric.get()).values.map(({ labels, value }) => [labels['outcome'], value]))

  it('sends spans in batches, with times to the microsecond', async () => {
    const bodies: string[] = []
    const endpoint = await serve((body) => (bodies.push(body), 200))
    const exporter = openExporter({ endpoint, serviceName: 'shop', headers: {} }, silentLog)
    for (let i = 0; i < LIMITS.traceBatchSpans + 1; i++) exporter.add(span)
    await exporter.close()
    expect(bodies).toHaveLength(2)
    expect(bodies[1]).toContain('"startTimeUnixNano":"1795842000000250000","endTimeUnixNano":"1795842000001500000"')
    expect(bodies[1]).toContain('{"key":"shelfwire.account_id","value":{"intValue":"7"}}')
    expect(bodies[1]).not.toContain('http.route')
    expect(await outcomes(exporter)).toEqual({ exported: LIMITS.traceBatchSpans + 1, dropped: 0, failed: 0 })
  })

  it('keeps a bounded number of spans while the collector hangs, counts the others, and ends', async () => {
    const endpoint = await serve(() => null)
    const exporter = openExporter({ endpoint, serviceName: 'shop', headers: {} }, silentLog)
    const kept = LIMITS.traceBatchSpans + LIMITS.traceSpansWaitingMax
    for (let i = 0; i < kept + 5_000; i++) exporter.add(span)
    expect(await outcomes(exporter)).toEqual({ exported: 0, dropped: 5_000, failed: 0 })
    const since = performance.now()
    await exporter.close()
    expect(performance.now() - since).toBeLessThan(LIMITS.traceCloseMs + 1_000)
    expect(await outcomes(exporter)).toEqual({ exported: 0, dropped: 5_000, failed: kept })
  })

  it('sends a batch again if the collector asks for a later try, and not if it refuses the batch', async () => {
    const answers = [503, 200]
    const later = openExporter(
      { endpoint: await serve(() => answers.shift() ?? 200), serviceName: 'shop', headers: {} },
      silentLog,
    )
    later.add(span)
    await later.close()
    expect(await outcomes(later)).toEqual({ exported: 1, dropped: 0, failed: 0 })
    stop()
    const refused = openExporter({ endpoint: await serve(() => 400), serviceName: 'shop', headers: {} }, silentLog)
    refused.add(span)
    await refused.close()
    expect(await outcomes(refused)).toEqual({ exported: 0, dropped: 0, failed: 1 })
  })
})
