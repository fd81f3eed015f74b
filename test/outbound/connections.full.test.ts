import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openOutbound, type Exchange, type Outbound, type OutboundRequest } from '../../src/outbound/client.ts'
import {
  answer,
  neverAnswer,
  resetBeforeHeaders,
  resetMidHeaders,
  startHostileReceiver,
  type Behaviour,
  type HostileReceiver,
} from '../harness/hostile-receiver.ts'

// Which requests share a connection, and what happens when a kept-alive one was closed.

let outbound: Outbound
beforeAll(() => {
  outbound = openOutbound({ allow: ['127.0.0.0/8', '::1/128'], userAgent: 'shelfwire-test' })
})
afterAll(() => outbound.close())

const send = (url: string, more: Partial<OutboundRequest> & { key: string }): Promise<Exchange> =>
  outbound.send({
    method: 'POST',
    url,
    headers: {},
    body: '{"a":1}',
    connectTimeoutMs: 300,
    totalTimeoutMs: 600,
    readBytesMax: 16_384,
    ...more,
  })
const text = (exchange: Exchange) =>
  exchange.kind === 'answered' ? Buffer.from(exchange.body).toString() : exchange.fault

describe('kept-alive connections', () => {
  const connectionsOf = (receiver: HostileReceiver) => receiver.requests.map((request) => request.connection)

  test('are shared by requests of one key, one after the other', async () => {
    await using receiver = await startHostileReceiver((socket, number) =>
      setTimeout(() => answer(200, {}, String(number))(socket, number), 20),
    )
    const answers = await Promise.all([1, 2, 3, 4].map(() => send(receiver.origin, { key: 'shared' })))
    expect(answers.map(text)).toEqual(['1', '2', '3', '4'])
    expect(connectionsOf(receiver)).toEqual([1, 1, 1, 1])
  })

  test('are not shared with another key or another origin', async () => {
    await using receiver = await startHostileReceiver(answer(200))
    await send(receiver.origin, { key: 'one' })
    await send(receiver.origin, { key: 'two' })
    await send(`http://localhost:${receiver.port}/`, { key: 'one' })
    await send(receiver.origin, { key: 'one' })
    expect(connectionsOf(receiver)).toEqual([1, 2, 3, 1])
  })

  test.each<[string, Behaviour]>([
    ['closed', (socket) => void socket.end()],
    ['reset', (socket) => void socket.resetAndDestroy()],
  ])(
    'a connection that is %s when the next request arrives is replaced, and the request is sent once more',
    async (_what, ending) => {
      await using receiver = await startHostileReceiver((socket, number) =>
        (number === 2 ? ending : answer(200))(socket, number),
      )
      await send(receiver.origin, { key: `stale ${_what}` })
      expect(await send(receiver.origin, { key: `stale ${_what}`, body: 'second' })).toMatchObject({
        kind: 'answered',
        status: 200,
      })
      expect(connectionsOf(receiver)).toEqual([1, 1, 2])
      expect(receiver.requests.map((request) => request.body)).toEqual(['{"a":1}', 'second', 'second'])
    },
  )

  test('a request is sent once more at most', async () => {
    await using receiver = await startHostileReceiver((socket, number) =>
      (number === 1 ? answer(200) : resetBeforeHeaders)(socket, number),
    )
    await send(receiver.origin, { key: 'twice' })
    expect(await send(receiver.origin, { key: 'twice' })).toMatchObject({ kind: 'failed', fault: 'reset' })
    expect(connectionsOf(receiver)).toEqual([1, 1, 2])
  })

  test('a request is not sent again after the first byte of a response, nor after a timeout', async () => {
    await using receiver = await startHostileReceiver((socket, number) =>
      (number === 1 ? answer(200) : resetMidHeaders)(socket, number),
    )
    await send(receiver.origin, { key: 'begun' })
    expect(await send(receiver.origin, { key: 'begun' })).toMatchObject({ kind: 'failed', fault: 'reset' })
    expect(connectionsOf(receiver)).toEqual([1, 1])
    await using silent = await startHostileReceiver((socket, number) =>
      (number === 1 ? answer(200) : neverAnswer)(socket, number),
    )
    await send(silent.origin, { key: 'silent' })
    expect(await send(silent.origin, { key: 'silent' })).toMatchObject({ kind: 'failed', fault: 'timeout' })
    expect(connectionsOf(silent)).toEqual([1, 1])
  })

  test('a connection that was closed while idle is replaced without a failure', async () => {
    await using receiver = await startHostileReceiver((socket, number) => {
      answer(200)(socket, number)
      setTimeout(() => socket.end(), 20)
    })
    for (let i = 0; i < 3; i++) {
      expect(await send(receiver.origin, { key: 'idle' })).toMatchObject({ kind: 'answered', status: 200 })
      await receiver.untilNoneIsOpen()
    }
    expect(connectionsOf(receiver)).toEqual([1, 2, 3])
  })

  test('an unsolicited response is not taken for the response to the next request', async () => {
    await using receiver = await startHostileReceiver((socket, number) => {
      answer(200, {}, `${number}`)(socket, number)
      setTimeout(() => answer(200, {}, 'smuggled')(socket, number), 20)
    })
    expect(text(await send(receiver.origin, { key: 'early' }))).toBe('1')
    await new Promise((resolve) => setTimeout(resolve, 80))
    expect(text(await send(receiver.origin, { key: 'early' }))).toBe('2')
  })

  test('are closed after their idle time, and with the client', async () => {
    await using receiver = await startHostileReceiver(answer(200, { 'keep-alive': 'timeout=600' }))
    const own = openOutbound({ allow: ['127.0.0.0/8'], userAgent: 'x' })
    const request = {
      method: 'GET',
      url: receiver.origin,
      headers: {},
      connectTimeoutMs: 300,
      totalTimeoutMs: 5_000,
      readBytesMax: 10,
      key: 'k',
    } as const
    await own.send(request)
    await receiver.untilNoneIsOpen(5_000)
    await own.send(request)
    receiver.behave(neverAnswer)
    const underWay = own.send(request)
    await new Promise((resolve) => setTimeout(resolve, 50))
    await own.close()
    expect(await underWay).toMatchObject({ kind: 'failed', fault: 'local', isOurs: true })
    await receiver.untilNoneIsOpen(500)
    expect(await own.send(request)).toMatchObject({ kind: 'failed', fault: 'local', isOurs: true })
  })

  test('are at most 500', async () => {
    await using receiver = await startHostileReceiver(answer(200))
    const own = openOutbound({ allow: ['127.0.0.0/8'], userAgent: 'x' })
    const request = {
      method: 'GET',
      url: receiver.origin,
      headers: {},
      connectTimeoutMs: 3_000,
      totalTimeoutMs: 5_000,
      readBytesMax: 10,
    } as const
    for (let i = 0; i < 520; i += 40) {
      const all = await Promise.all(Array.from({ length: 40 }, (_, n) => own.send({ ...request, key: `${i + n}` })))
      expect(new Set(all.map((exchange) => exchange.kind))).toEqual(new Set(['answered']))
    }
    await own.send({ ...request, key: '519' })
    expect(receiver.requests.at(-1)?.connection).toBe(receiver.requests[519]?.connection)
    await own.send({ ...request, key: '0' })
    expect(receiver.requests.at(-1)?.connection).toBe(521)
    await own.close()
    await receiver.untilNoneIsOpen(1_000)
  })

  test('a connection that is evicted while in use finishes its request before it is closed', async () => {
    const gate = Promise.withResolvers<void>()
    await using slow = await startHostileReceiver(
      (socket, number) => void gate.promise.then(() => answer(200, {}, 'late')(socket, number)),
    )
    const own = openOutbound({ allow: ['127.0.0.0/8'], userAgent: 'x' })
    const request = {
      method: 'GET',
      headers: {},
      connectTimeoutMs: 3_000,
      totalTimeoutMs: 5_000,
      readBytesMax: 10,
    } as const
    const waiting = own.send({ ...request, url: slow.origin, key: 'slow' })
    // nothing listens there, but each request uses a place
    await Promise.all(
      Array.from({ length: 500 }, (_, n) => own.send({ ...request, url: 'http://10.0.0.1/', key: `${n}` })),
    )
    gate.resolve()
    expect(text(await waiting)).toBe('late')
    await slow.untilNoneIsOpen(500)
    await own.close()
  })

  test('a request that waits too long for an earlier one fails as our own failure', { retry: 2 }, async () => {
    await using receiver = await startHostileReceiver(neverAnswer)
    const first = send(receiver.origin, { key: 'queue' })
    const second = await send(receiver.origin, { key: 'queue', totalTimeoutMs: 100 })
    expect(second).toMatchObject({ kind: 'failed', fault: 'local', isOurs: true })
    expect(second.durationMs).toBeLessThan(300)
    expect(await first).toMatchObject({ kind: 'failed', fault: 'timeout' })
    receiver.behave(answer(200))
    expect(await send(receiver.origin, { key: 'queue' })).toMatchObject({ kind: 'answered' })
    expect(receiver.requests).toHaveLength(2)
  })
})
